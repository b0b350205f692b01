"""Forms about further sheets of a bike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.number_fields import BikeNumberField
from scorekeeper.events.models import Contest
from scorekeeper.ledger.forms.operation_forms import OperationForm


class SellSheetForm(OperationForm):
    """Which sheet is sold: the 2 in "17/2"."""

    number = forms.IntegerField(min_value=2, widget=forms.HiddenInput)


class SheetSearchForm(forms.Form):
    """The bike that gets another sheet, and the contest if several sell sheets.

    Args:
        contests: those that do.
    """

    contest: forms.ModelChoiceField[Contest] = forms.ModelChoiceField(
        queryset=Contest.objects.none(), label=_("Contest"), empty_label=None
    )
    number = BikeNumberField(label=_("Bike"), error_messages={"required": _("Enter the number on the bike.")})

    def __init__(self, *args: Any, contests: Sequence[Contest], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        field = self.fields["contest"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Contest.objects.filter(pk__in=[contest.pk for contest in contests])
        if len(contests) < 2:
            del self.fields["contest"]

    def clean(self) -> dict[str, Any]:
        """Return no contest where there is no choice."""
        return {"contest": None, **self.cleaned_data}
