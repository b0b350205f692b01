"""Putting a noted turn right: other dice, another box, a paper card, or missed after all."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.sheet import Turn as TurnResult
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.forms.input_methods import SAME_DICE, Actions, InputMethodForm, InputMethods
from scorekeeper.scorecards.forms.turn_fields import MAX_REASON_LENGTH


class CorrectionReasonForm(forms.Form):
    """Why, and the operation's id, made with the page."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON_LENGTH,
        help_text=gettext_lazy("Saved in the log."),
        error_messages={"required": gettext_lazy("Enter a reason.")},
    )


class TurnCorrectionForm(InputMethodForm):
    """One turn as it should stand."""

    seq = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, ways: InputMethods, turn: RecordedTurn, played: TurnResult | None, title: str, data: Any = None):
        """Make the form of a turn that stands.

        Args:
            played: what it came to; None where the rules leave it out.
            title: the turn's name: its stop, and what stands there now.
        """
        self.turn, self.title = turn, title
        has_dice = len(turn.actions) > 1
        dice = "" if played is None else "".join(map(str, played.dice))
        line = None if played is None else played.line
        initial = {
            "seq": turn.seq,
            "way": SAME_DICE if has_dice else turn.actions[0]["type"],
            "dice": dice,
            "choice": line or "",
            "points": None if has_dice or played is None or line is None else played.points,
        }
        same = [(SAME_DICE, _("The dice as recorded: %(dice)s") % {"dice": " ".join(dice)})] if has_dice else []
        with_dice = [*same, (ways.dice[0], _("Other dice"))]
        super().__init__(ways, with_dice, data, prefix=str(turn.id), initial=initial)

    @property
    def actions(self) -> Actions:
        """The turn's actions as the form says they should be; of the dice as noted, only the choice is new."""
        if self.cleaned_data["way"] == SAME_DICE:
            return (*self.turn.actions[:-1], self.methods.build_choice(self.cleaned_data["choice"]))
        return super().actions

    @property
    def is_unchanged(self) -> bool:
        """Whether the turn is still the one the page was made from."""
        return str(self.data.get(self.add_prefix("seq"), "")) == str(self.turn.seq)
