"""Correcting a recorded turn: other dice, another box, a turn from a paper card, or a missed turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self
from uuid import uuid4

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.sheet import Turn as TurnResult
from scorekeeper.ledger.forms.wire import MAX_REASON_LENGTH
from scorekeeper.ledger.usual_reasons import show_reason
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.forms.input_methods import SAME_DICE, Actions, InputMethodForm, InputMethods


class CorrectionReasonForm(forms.Form):
    """The reason, and the operation's id, which is made with the page."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON_LENGTH,
        help_text=gettext_lazy("The reason is saved in the log."),
        error_messages={"required": gettext_lazy("Enter a reason.")},
    )

    def for_retry(self) -> CorrectionReasonForm:
        """Return the form with the reason typed so far, which is not checked, and a new operation id."""
        return CorrectionReasonForm(initial={"reason": self["reason"].value()})


class TappedReasonForm(CorrectionReasonForm):
    """The reason, by a tap on a usual one; the last choice opens the text field."""

    OTHER = "other"

    tapped = forms.ChoiceField(label=gettext_lazy("Reason"), widget=forms.RadioSelect, required=False)

    def __init__(self, usual_reasons: Iterable[tuple[str, str]], *args: Any, **kwargs: Any):
        """Make the form.

        Args:
            usual_reasons: the keys of the reasons to tap, and their texts as the log has them.
        """
        super().__init__(*args, **kwargs)
        self.usual_reasons = dict(usual_reasons)
        self.fields["tapped"].choices = [*self._list_tappable(), (self.OTHER, _("Other…"))]  # type: ignore[attr-defined]

    def full_clean(self) -> None:
        """Require the text only if no usual reason was tapped."""
        self.fields["reason"].required = self._tapped_reason is None
        super().full_clean()

    def clean_reason(self) -> str:
        """Return the reason that was tapped, or else the one that was typed."""
        tapped = self._tapped_reason
        return self.cleaned_data["reason"] if tapped is None else tapped

    def _list_tappable(self) -> list[tuple[str, str]]:
        return [(key, show_reason(text)) for key, text in self.usual_reasons.items()]

    @property
    def _tapped_reason(self) -> str | None:
        return self.usual_reasons.get(str(self["tapped"].value() or ""))

    def for_retry(self) -> Self:
        """Return the form with the reason tapped or typed so far, which is not checked, and a new operation id."""
        initial = {name: self[name].value() for name in ("reason", "tapped")}
        return type(self)(self.usual_reasons.items(), initial=initial)


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
        has_choice = methods.choice is not None and len(turn.actions) > 1
        dice = "" if result is None else (" " if methods.has_long_faces else "").join(map(str, result.dice))
        line = None if result is None else result.line
        initial = {
            "seq": turn.seq,
            "way": SAME_DICE if has_choice else turn.actions[0]["type"],
            "dice": dice,
            "choice": line or "",
            "points": None if has_choice or result is None or line is None or result.dice else result.points,
        }
        same_dice = [(SAME_DICE, _("The dice as recorded: %(dice)s") % {"dice": " ".join(dice)})] if has_choice else []
        label = _("Other dice") if methods.choice else _("The dice") if methods.cards is None else _("The cards")
        with_dice = [*same_dice, (methods.dice[0], label)]
        super().__init__(methods, with_dice, data, prefix=str(turn.id), initial=initial)

    @property
    def actions(self) -> Actions:
        """The turn's corrected actions. If the dice stay the same, only the choice is new."""
        if self.cleaned_data["way"] == SAME_DICE:
            return (*self.turn.actions[:-1], self.methods.build_choice(self.cleaned_data["choice"]))
        return self.methods.keep_closing_actions(super().actions, self.turn.actions)

    @property
    def is_unchanged(self) -> bool:
        """Whether the turn has not changed since the page was made."""
        return str(self.data.get(self.add_prefix("seq"), "")) == str(self.turn.seq)
