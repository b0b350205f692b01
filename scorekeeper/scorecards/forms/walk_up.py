"""Forms that register a bike which is not on the roster."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.number_fields import BikeNumberField
from scorekeeper.common.name_fields import NameFormField
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.models import Event


class WalkUpForm(forms.Form):
    """The bike's number and riders. Both ids are made with the page, so that a second tap is the same bike.

    Attributes:
        event: the event that the page was made for. Nothing else in the form says whether it is the ride or its
            practice, and the phone may switch while the page is open.
    """

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    bike = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    event = forms.UUIDField(widget=forms.HiddenInput, required=False)
    number = BikeNumberField(
        label=_("Number"), has_digit_keys=True, error_messages={"required": _("Enter the number on the bike.")}
    )
    rider = NameFormField(label=_("Rider"), max_length=80, error_messages={"required": _("Enter the rider’s name.")})
    passenger = NameFormField(label=_("Passenger"), max_length=80, required=False)
    make = NameFormField(label=_("Make"), max_length=60, required=False)


class RegistrationForm(WalkUpForm):
    """The crew's form for a walk-up, with the group that rides with it.

    Args:
        event: the event of the bike.
    """

    group: forms.ModelChoiceField[Group] = forms.ModelChoiceField(
        queryset=Group.objects.none(), label=_("Group"), required=False, empty_label=_("No group yet")
    )
    field_order = ["operation", "bike", "number", "rider", "passenger", "group", "make"]

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        group = self.fields["group"]
        assert isinstance(group, forms.ModelChoiceField)
        group.queryset = list_groups(event)
