"""The form for a walk-up bike: one that turns up at a stop without being on the list."""

from __future__ import annotations

from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.forms import BikeNumberField
from scorekeeper.common.name_fields import NameFormField


class WalkUpForm(forms.Form):
    """The bike's number and riders. Both ids are made with the page, so that a second tap is the same bike.

    Attributes:
        event: the event that the page was made for. Nothing else in the form says whether it is the ride or its
            practice, and the phone may switch while the page is open.
    """

    operation = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    bike = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    event = forms.UUIDField(widget=forms.HiddenInput, required=False)
    number = BikeNumberField(label=_("Number"), error_messages={"required": _("Enter the number on the bike.")})
    rider = NameFormField(label=_("Rider"), max_length=80, error_messages={"required": _("Enter the rider’s name.")})
    passenger = NameFormField(label=_("Passenger"), max_length=80, required=False)
    make = NameFormField(label=_("Make"), max_length=60, required=False)
