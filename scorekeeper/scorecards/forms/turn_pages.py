"""Forms about single turns: a missing one, the choice of another, a move, and a bike that did not start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.number_fields import BikeNumberField
from scorekeeper.ledger.forms.wire import MAX_REASON_LENGTH
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.forms.input_methods import InputMethodForm, InputMethods

WRONG_BIKE = _("Recorded for the wrong bike")


class LateTurnForm(InputMethodForm, CorrectionReasonForm):
    """The slot, the turn, the reason, and the operation's id, which is made with the page."""

    slot = forms.ChoiceField(
        label=_("Which turn?"),
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose a turn.")),
    )

    field_order = ["operation", "slot", "way", "dice", "choice", "points", "reason"]

    def __init__(self, methods: InputMethods, slots: Sequence[tuple[str, str]], *args: Any, **kwargs: Any):
        """Make the form for these slots: their ids and names."""
        label = gettext("The final dice") if methods.cards is None else gettext("The cards")
        super().__init__(methods, [(methods.dice[0], label)], *args, **kwargs)
        self.fields["slot"].choices = slots  # type: ignore[attr-defined]


class OtherTurnForm(forms.Form):
    """The turn, out of those not recorded yet, and the reason."""

    slot = forms.ChoiceField(
        label=_("Which turn?"), widget=forms.RadioSelect, error_messages={"required": _("Choose a turn.")}
    )
    reason = forms.CharField(
        label=_("Why are you recording it now?"),
        max_length=MAX_REASON_LENGTH,
        help_text=_("For example: the bike was late."),
        error_messages={"required": _("Enter why you are recording it now.")},
    )

    def __init__(self, data: object, slots: Sequence[tuple[str, str]]):
        """Make the form for the free slots: their ids and names."""
        super().__init__(data)  # type: ignore[arg-type]
        self.fields["slot"].choices = slots  # type: ignore[attr-defined]


class MoveForm(forms.Form):
    """The right bike, by a tap on it or by its number, and the reason."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    reason = forms.CharField(label=_("Reason"), max_length=MAX_REASON_LENGTH, required=False, initial=WRONG_BIKE)
    number = BikeNumberField(label=_("Number of the right bike"), has_digit_keys=True, required=False)

    def clean_reason(self) -> str:
        """Use the usual reason if the field is empty."""
        return self.cleaned_data["reason"] or str(WRONG_BIKE)


class DidNotStartForm(forms.Form):
    """The operation's id, which is made with the page, what the bike is to be, and perhaps why."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    value = forms.TypedChoiceField(
        widget=forms.HiddenInput, choices=[("1", "1"), ("0", "0")], coerce=lambda value: value == "1"
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=MAX_REASON_LENGTH, required=False, help_text=_("The reason is saved in the log.")
    )
