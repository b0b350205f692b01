"""Forms for two bikes with the same number: merge them, or give one of them another number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.number_fields import BikeNumberField
from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.ledger.forms.operation_forms import ReasonForm


class MergeForm(ReasonForm):
    """The bike that this one really is."""

    into = forms.ChoiceField(label=_("Is the same bike as"), error_messages={"required": _("Choose the other bike.")})
    field_order = ["operation", "into", "reason"]

    def __init__(self, data: Any = None, *, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__(data)
        field = self.fields["into"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(choices)


class RenumberForm(ReasonForm):
    """The number that the bike really has."""

    number = BikeNumberField(label=_("New number"), error_messages={"required": _("Enter the new number.")})
    field_order = ["operation", "number", "reason"]

    def __init__(self, data: Any = None, *, bike: Bike) -> None:
        self.bike = bike
        super().__init__(data)

    def clean_number(self) -> BikeNumber:
        """Reject the number that the bike already has."""
        number: BikeNumber = self.cleaned_data["number"]
        if number == self.bike.number:
            raise forms.ValidationError(_("The bike already has this number."))
        return number
