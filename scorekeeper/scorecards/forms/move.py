"""The form for moving a turn that was recorded for the wrong bike."""

from __future__ import annotations

from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.forms import BikeNumberField
from scorekeeper.scorecards.forms.turn_fields import MAX_REASON_LENGTH

WRONG_BIKE = _("Recorded for the wrong bike")


class MoveForm(forms.Form):
    """The right bike, by a tap on it or by its number, and the reason."""

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    reason = forms.CharField(label=_("Reason"), max_length=MAX_REASON_LENGTH, required=False, initial=WRONG_BIKE)
    number = BikeNumberField(label=_("Number of the right bike"), required=False)

    def clean_reason(self) -> str:
        """Use the usual reason if the field is empty."""
        return self.cleaned_data["reason"] or str(WRONG_BIKE)
