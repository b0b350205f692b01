"""Forms that register a bike which is not on the roster."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.number_fields import BikeNumberField
from scorekeeper.common.name_fields import NameFormField
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.models import Event
from scorekeeper.players.class_field import ClassesField
from scorekeeper.scorecards.services.bike_operations import WalkUp


class WalkUpForm(forms.Form):
    """The bike's number and riders. Both ids are made with the page, so that a second tap is the same bike.

    Args:
        for_event: the event of the bike, which may have classes.

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

    def __init__(self, *args: Any, for_event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if for_event.classes.exists():
            self.fields["classes"] = ClassesField(for_event, Bike())

    def to_walk_up(self, group_id: UUID | None) -> WalkUp:
        """Return the bike that was entered, to ride with a group."""
        data = self.cleaned_data
        return WalkUp(
            id=data["bike"],
            number=data["number"],
            group_id=group_id,
            rider=data["rider"],
            passenger=data["passenger"],
            make=data["make"],
            class_ids=frozenset(data.get("classes", ())),
        )


class RegistrationForm(WalkUpForm):
    """The organiser's form for a bike that joins while something is recorded, with the group that it rides with."""

    group: forms.ModelChoiceField[Group] = forms.ModelChoiceField(
        queryset=Group.objects.none(), label=_("Group"), required=False, empty_label=_("No group yet")
    )
    field_order = ["operation", "bike", "number", "rider", "passenger", "group", "make"]

    def __init__(self, *args: Any, for_event: Event, **kwargs: Any) -> None:
        super().__init__(*args, for_event=for_event, **kwargs)
        self.label_suffix = ""
        group = self.fields["group"]
        assert isinstance(group, forms.ModelChoiceField)
        group.queryset = list_groups(for_event)
