"""The public form of a rider who asks for a place, and the organiser's decision."""

from __future__ import annotations

from uuid import uuid4

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.forms import BikeNumberField
from scorekeeper.players.models import SignUp
from scorekeeper.players.services.sign_ups import PlaceRequest


class SignUpForm(forms.ModelForm[SignUp]):
    """What a rider enters. The id is made with the page, so that a second tap is the same sign-up."""

    sign_up = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    number = BikeNumberField(
        label=_("Number you would like"),
        required=False,
        help_text=_("If it is taken, the organiser gives you another one."),
    )

    field_order = ["sign_up", "rider", "passenger", "make", "model", "number", "contact"]

    class Meta:
        model = SignUp
        fields = ["rider", "passenger", "make", "model", "number", "contact"]
        labels = {"rider": _("Your name"), "passenger": _("Passenger"), "contact": _("Email or phone")}
        help_texts = {"contact": _("Only the organisers see it. It is deleted when they decide.")}
        error_messages = {"rider": {"required": _("Enter your name.")}}
        widgets = {"rider": forms.TextInput(attrs={"autocomplete": "name"})}

    def clean_rider(self) -> str:
        """Return the name with single spaces."""
        return " ".join(self.cleaned_data["rider"].split())

    def clean_passenger(self) -> str:
        """Return the name with single spaces."""
        return " ".join(self.cleaned_data["passenger"].split())

    def to_request(self) -> PlaceRequest:
        """Return what was entered."""
        data = self.cleaned_data
        names = ("rider", "passenger", "make", "model", "number", "contact")
        return PlaceRequest(id=data["sign_up"], **{name: data[name] for name in names})


class SignUpDecisionForm(forms.Form):
    """Approves a sign-up with a number, or declines it.

    Args:
        sign_up: the sign-up.
        number: the number to propose.
    """

    number = BikeNumberField(label=_("Number"), error_messages={"required": _("Enter a number for the bike.")})

    def __init__(self, data: QueryDict | None = None, *, sign_up: SignUp, number: int | None = None) -> None:
        super().__init__(data, auto_id=f"id_%s_{sign_up.pk}", label_suffix="", initial={"number": number})
        self.sign_up = sign_up
        # The number does not matter then.
        self.is_declined = self.data.get("decision") == "decline"
        self.fields["number"].required = not self.is_declined

    def propose(self, number: int | None) -> None:
        """Say that the number is taken, and enter another one."""
        taken = self.cleaned_data["number"]
        self.data = {**dict(self.data.items()), "number": "" if number is None else str(number)}
        text = _("Number %(taken)s is taken. The next free one is entered: approve again, or change it.")
        self.add_error("number", text % {"taken": taken})
