"""Correcting a recorded turn: other dice, another box, a turn from a paper card, or a missed turn."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.sheet import Turn as TurnResult
from scorekeeper.ledger.forms.wire import MAX_REASON_LENGTH
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.forms.input_methods import SAME_DICE, Actions, InputMethodForm, InputMethods


class CorrectionReasonForm(forms.Form):
    """The reason, and the operation's id, which is made with the page."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON_LENGTH,
        help_text=gettext_lazy("Saved in the log."),
        error_messages={"required": gettext_lazy("Enter a reason.")},
    )

    def for_retry(self) -> CorrectionReasonForm:
        """Return the form with the reason typed so far, which is not checked, and a new operation id."""
        return CorrectionReasonForm(initial={"reason": self["reason"].value()})


class TurnCorrectionForm(InputMethodForm):
    """The corrected version of one turn."""

    seq = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self, methods: InputMethods, turn: RecordedTurn, result: TurnResult | None, title: str, data: Any = None
    ):
        """Make the form for a current turn.

        Args:
            result: the turn's result; None if the rules leave the turn out.
            title: the turn's name: its stop and its result.
        """
        self.turn, self.title = turn, title
        has_dice = len(turn.actions) > 1
        dice = "" if result is None else "".join(map(str, result.dice))
        line = None if result is None else result.line
        initial = {
            "seq": turn.seq,
            "way": SAME_DICE if has_dice else turn.actions[0]["type"],
            "dice": dice,
            "choice": line or "",
            "points": None if has_dice or result is None or line is None else result.points,
        }
        same_dice = [(SAME_DICE, _("The dice as recorded: %(dice)s") % {"dice": " ".join(dice)})] if has_dice else []
        with_dice = [*same_dice, (methods.dice[0], _("Other dice"))]
        super().__init__(methods, with_dice, data, prefix=str(turn.id), initial=initial)

    @property
    def actions(self) -> Actions:
        """The turn's corrected actions. If the dice stay the same, only the choice is new."""
        if self.cleaned_data["way"] == SAME_DICE:
            return (*self.turn.actions[:-1], self.methods.build_choice(self.cleaned_data["choice"]))
        return super().actions

    @property
    def is_unchanged(self) -> bool:
        """Whether the turn has not changed since the page was made."""
        return str(self.data.get(self.add_prefix("seq"), "")) == str(self.turn.seq)
