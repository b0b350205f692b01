"""Putting a noted turn right: other dice, another box, a paper card, or missed after all."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.sheet import Turn as PlayedTurn
from scorekeeper.scorecards.fold import NotedTurn
from scorekeeper.scorecards.forms.noting import LONGEST_REASON
from scorekeeper.scorecards.forms.ways import SAME, Actions, WayForm, Ways


class ReasonForm(forms.Form):
    """Why, and the operation's id, made with the page."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("It is kept in the log."),
        error_messages={"required": gettext_lazy("Say why.")},
    )


class TurnForm(WayForm):
    """One turn as it should stand."""

    seq = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, ways: Ways, turn: NotedTurn, played: PlayedTurn | None, title: str, data: Any = None):
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
            "way": SAME if has_dice else turn.actions[0]["type"],
            "dice": dice,
            "choice": line or "",
            "points": None if has_dice or played is None or line is None else played.points,
        }
        same = [(SAME, _("The dice as noted: %(dice)s") % {"dice": " ".join(dice)})] if has_dice else []
        with_dice = [*same, (ways.dice[0], _("Other dice"))]
        super().__init__(ways, with_dice, data, prefix=str(turn.id), initial=initial)

    @property
    def actions(self) -> Actions:
        """The turn's actions as the form says they should be; of the dice as noted, only the choice is new."""
        if self.cleaned_data["way"] == SAME:
            return (*self.turn.actions[:-1], self.ways.write_choice(self.cleaned_data["choice"]))
        return super().actions

    @property
    def is_as_seen(self) -> bool:
        """Whether the turn is still the one the page was made from."""
        return str(self.data.get(self.add_prefix("seq"), "")) == str(self.turn.seq)
