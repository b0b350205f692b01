"""Forms of bikes, of people, and of asking for a place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.number_fields import BikeNumberField
from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.bikes.selectors import are_numbers_fixed, list_bikes, list_bikes_by_number
from scorekeeper.common.name_fields import NameFormField
from scorekeeper.common.spreadsheets.sheets import split_names
from scorekeeper.crew.models import Group
from scorekeeper.crew.selectors import list_groups
from scorekeeper.events.models import Event
from scorekeeper.players.class_field import ClassesField
from scorekeeper.players.class_members import are_classes_fixed
from scorekeeper.players.models import MAX_CLASS_NAME, Player, SignUp
from scorekeeper.players.roster_import import MAX_NAME_LENGTH, MAX_PASSENGERS_LENGTH
from scorekeeper.players.selectors import get_rider, list_passengers
from scorekeeper.players.sign_ups import PlaceRequest

# What many clubs have. They are proposals: a class is stored with its text.
CLASS_PRESETS = (_("Ladies"), _("Novices"), _("125 cc"), _("Trikes"))


class ClassForm(forms.Form):
    """The name of a class, and who belongs to it."""

    name = NameFormField(
        label=_("Name of the class"),
        max_length=MAX_CLASS_NAME,
        help_text=_("For example “Ladies”, “Novices” or “125 cc”. Everyone can see it."),
        error_messages={"required": _("Enter the name of the class.")},
    )
    note = NameFormField(
        label=_("Note"),
        max_length=120,
        required=False,
        help_text=_("Say who belongs to it, for the other organisers: “First season on a bike”."),
    )

    def clean_name(self) -> str:
        """Refuse what separates classes in a spreadsheet: a bike would come back from one with other classes."""
        name: str = self.cleaned_data["name"]
        if "," in name or ";" in name:
            raise ValidationError(_("Leave out commas and semicolons: in a spreadsheet they separate classes."))
        return name


class BikeForm(forms.ModelForm[Bike]):
    """A bike and the people on it.

    Args:
        event: the event of the bike.
    """

    rider = NameFormField(label=_("Rider"), max_length=MAX_NAME_LENGTH, required=False)
    passengers = forms.CharField(
        label=_("Passengers"),
        max_length=MAX_PASSENGERS_LENGTH,
        required=False,
        help_text=_("Separate several names with commas."),
    )

    field_order = ["number", "rider", "passengers", "group", "make", "model"]

    class Meta:
        model = Bike
        fields = ["number", "group", "make", "model"]
        error_messages = {"number": {"required": _("Enter the number of the bike.")}}

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.event = event
        group = self.fields["group"]
        assert isinstance(group, forms.ModelChoiceField)
        group.queryset = list_groups(event)
        group.empty_label = _("No group yet")
        self.is_number_fixed = False
        if self.initial.get("number"):
            self.is_number_fixed = are_numbers_fixed(event)
            self.fields["number"].disabled = self.is_number_fixed
            self.fields["rider"].initial = get_rider(self.instance)
            self.fields["passengers"].initial = ", ".join(list_passengers(self.instance))
        self.has_classes = event.classes.exists()
        self.are_classes_fixed = self.has_classes and are_classes_fixed(event)
        if self.has_classes and not self.are_classes_fixed:
            self.fields["classes"] = ClassesField(event, self.instance)

    def clean_number(self) -> BikeNumber:
        """Reject the number of another bike, unless the bike already shares it."""
        number: BikeNumber = self.cleaned_data["number"]
        others = list_bikes_by_number(self.event, number).exclude(pk=self.instance.pk)
        if others.exists() and number != self.initial.get("number"):
            raise ValidationError(self.get_number_taken_message(number))
        return number

    def clean_rider(self) -> str:
        """Return the name with single spaces."""
        return " ".join(self.cleaned_data["rider"].split())

    def clean_passengers(self) -> tuple[str, ...]:
        """Return the names of the passengers."""
        names = split_names(self.cleaned_data["passengers"])
        if any(len(name) > MAX_NAME_LENGTH for name in names):
            raise ValidationError(_("A name can have at most %(most)s characters."), params={"most": MAX_NAME_LENGTH})
        return names

    @staticmethod
    def get_number_taken_message(number: BikeNumber) -> str:
        """Return the error message for a number that is taken."""
        return _("Another bike has the number %(number)s. Choose another number, or change that bike first.") % {
            "number": number
        }


class PlayerForm(forms.ModelForm[Player]):
    """A person, with or without a bike.

    Args:
        event: the event of the person.
    """

    edit_units = {"role": "bike"}

    class Meta:
        model = Player
        fields = ["name", "bike", "role"]
        error_messages = {"name": {"required": _("Enter the name.")}}
        help_texts = {"role": _("Choose this only for someone on a bike.")}

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bike = self.fields["bike"]
        assert isinstance(bike, forms.ModelChoiceField)
        bike.queryset = list_bikes(event)
        bike.empty_label = _("Not on a bike")
        self.has_classes = event.classes.exists()
        self.are_classes_fixed = self.has_classes and are_classes_fixed(event)
        if self.has_classes and not self.are_classes_fixed:
            self.fields["classes"] = ClassesField(event, self.instance)

    def clean(self) -> dict[str, Any]:
        """Require a role for a person on a bike."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("bike") and "role" in cleaned and not cleaned["role"]:
            self.add_error("role", _("Choose whether they are a rider or a passenger."))
        return cleaned


class SignUpForm(forms.ModelForm[SignUp]):
    """What a rider enters. The id is made with the page, so that a second tap is the same sign-up.

    Args:
        event: the event to sign up for. If it has no groups, the form does not ask for one.
    """

    sign_up = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    number = BikeNumberField(
        label=_("Number you would like"),
        required=False,
        help_text=_("If the number is taken, the organiser gives you another one."),
    )

    field_order = ["sign_up", "rider", "passenger", "make", "model", "number", "group", "contact"]

    class Meta:
        model = SignUp
        fields = ["rider", "passenger", "make", "model", "number", "group", "contact"]
        labels = {"rider": _("Your name"), "passenger": _("Passenger"), "contact": _("Email or phone")}
        help_texts = {
            "group": _("Choose who you would like to ride with. The organiser may put you in another group."),
            "contact": _(
                "The organiser uses this to tell you whether you have a place. Only the organisers see it. It is "
                "deleted once you have been told, at the latest 14 days after the ride."
            ),
        }
        error_messages = {
            "rider": {"required": _("Enter your name.")},
            "group": {"invalid_choice": _("The event no longer has this group. Choose another one, or none.")},
        }
        widgets = {"rider": forms.TextInput(attrs={"autocomplete": "name"})}

    def __init__(self, data: QueryDict | None = None, *, event: Event) -> None:
        super().__init__(data)
        groups = list_groups(event)
        group = self.fields["group"]
        assert isinstance(group, forms.ModelChoiceField)
        group.queryset = groups
        group.empty_label = _("Any group")
        if not groups:
            del self.fields["group"]

    def clean_rider(self) -> str:
        """Return the name with single spaces."""
        return " ".join(self.cleaned_data["rider"].split())

    def clean_passenger(self) -> str:
        """Return the name with single spaces."""
        return " ".join(self.cleaned_data["passenger"].split())

    def to_request(self) -> PlaceRequest:
        """Return what was entered."""
        data = self.cleaned_data
        values: dict[str, Any] = {name: data[name] for name in self.Meta.fields if name in data}
        return PlaceRequest(id=data["sign_up"], **values)


class SignUpDecisionForm(forms.Form):
    """Approves a sign-up with a number and a group, or declines it.

    Args:
        sign_up: the sign-up.
        number: the number to propose.
        groups: those of the event. If there are none, the form does not ask for one.
    """

    number = BikeNumberField(label=_("Number"), error_messages={"required": _("Enter a number for the bike.")})
    group = forms.ChoiceField(
        label=_("Group"),
        required=False,
        error_messages={"invalid_choice": _("This group no longer exists. Choose another one, or none yet.")},
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        sign_up: SignUp,
        groups: Sequence[Group],
        number: BikeNumber | None = None,
    ) -> None:
        initial = {"number": number, "group": sign_up.group_id}
        super().__init__(data, auto_id=f"id_%s_{sign_up.pk}", label_suffix="", initial=initial)
        self.sign_up = sign_up
        self.groups = {str(group.pk): group for group in groups}
        field = self.fields["group"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", _("No group yet")), *((key, group.name) for key, group in self.groups.items())]
        # The number does not matter then.
        self.is_declined = self.data.get("decision") == "decline"
        self.fields["number"].required = not self.is_declined
        if self.is_declined or not groups:
            del self.fields["group"]

    def clean_group(self) -> Group | None:
        """Return the group; None for none yet."""
        return self.groups.get(self.cleaned_data["group"])

    def propose(self, number: BikeNumber | None) -> None:
        """Say that the number is taken, and enter another one."""
        taken = self.cleaned_data["number"]
        self.data = {**dict(self.data.items()), "number": "" if number is None else str(number)}
        text = _("Number %(taken)s is taken. The next free one is entered: approve again, or change it.")
        self.add_error("number", text % {"taken": taken})
