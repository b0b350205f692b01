"""The form for a message to the crews, the big screen, or both."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.name_fields import NameFormField
from scorekeeper.common.names import fold_name
from scorekeeper.crew.models import CrewMember, CrewMessage, DiceSet, Group
from scorekeeper.crew.selectors import list_dice_sets, list_groups
from scorekeeper.events.models import Event
from scorekeeper.stops.selectors import list_stops


class GroupForm(forms.ModelForm[Group]):
    """The name of a group, unique within the event."""

    class Meta:
        model = Group
        fields = ["name"]
        error_messages = {"name": {"required": _("Enter the name of the group.")}}

    def clean_name(self) -> str:
        """Reject the name of another group of the event."""
        name: str = self.cleaned_data["name"]
        others = list_groups(self.instance.event).exclude(pk=self.instance.pk)
        if fold_name(name) in {fold_name(other) for other in others.values_list("name", flat=True)}:
            raise ValidationError(_("There is already a group called “%(name)s”."), params={"name": name})
        return name


class EditGroupForm(GroupForm):
    """The names of a group and of its dice sets."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dice_sets = list(list_dice_sets(self.instance))
        for number, dice_set in enumerate(self.dice_sets, 1):
            self.fields[self._get_field_name(dice_set)] = NameFormField(
                label=_("Dice set %(number)s") % {"number": number},
                max_length=40,
                initial=dice_set.name,
                error_messages={"required": _("Enter a name for the dice set, such as who carries it.")},
            )

    def clean(self) -> dict[str, Any]:
        """Reject two dice sets with the same name: entries refer to the dice by this name."""
        cleaned = super().clean() or self.cleaned_data
        seen: set[str] = set()
        for dice_set in self.dice_sets:
            name = cleaned.get(self._get_field_name(dice_set))
            if name in seen:
                text = _("Two dice sets cannot both be called “%(name)s”.")
                self.add_error(self._get_field_name(dice_set), ValidationError(text, params={"name": name}))
            if name:
                seen.add(name)
        return cleaned

    def get_dice_sets(self) -> dict[UUID, str]:
        """Return the new names of the dice sets, by id."""
        return {dice_set.pk: self.cleaned_data[self._get_field_name(dice_set)] for dice_set in self.dice_sets}

    @staticmethod
    def _get_field_name(dice_set: DiceSet) -> str:
        return f"dice_set_{dice_set.pk}"


class MemberForm(forms.ModelForm[CrewMember]):
    """The name, role and group of a crew member, and the stops where they record any bike.

    Args:
        event: the event whose groups and stops can be chosen.
    """

    class Meta:
        model = CrewMember
        fields = ["name", "role", "group", "any_bike_at"]
        widgets = {"role": forms.RadioSelect, "any_bike_at": forms.CheckboxSelectMultiple}
        error_messages = {
            "name": {"required": _("Enter the name.")},
            "role": {"required": _("Choose their role.")},
            "group": {"required": _("Choose a group.")},
        }

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        group = self.fields["group"]
        assert isinstance(group, forms.ModelChoiceField)
        group.queryset = list_groups(event)
        group.empty_label = None
        group.label = _("Group")
        role = self.fields["role"]
        assert isinstance(role, forms.TypedChoiceField)
        role.choices = CrewMember.Role.choices
        role.help_text = _(
            "A road captain can also record turns for bikes in other groups. The log shows when they do."
        )
        stops = list_stops(event)
        if not stops.exists():
            del self.fields["any_bike_at"]
            return
        any_bike_at = self.fields["any_bike_at"]
        assert isinstance(any_bike_at, forms.ModelMultipleChoiceField)
        any_bike_at.queryset = stops
        any_bike_at.label = _("Records for the bikes of every group at")
        any_bike_at.help_text = _(
            "Tick the stops where this person records for every bike. Elsewhere, a phone lists its own group only."
        )


class MessageForm(forms.ModelForm[CrewMessage]):
    """The text of a message, and who gets it. The instance names the event."""

    class Meta:
        model = CrewMessage
        fields = ["text", "is_for_crew", "group", "is_for_screen"]
        widgets = {"text": forms.Textarea(attrs={"rows": 3})}
        labels = {
            "text": _("Message"),
            "is_for_crew": _("Show it on the crew’s phones"),
            "is_for_screen": _("Show it on the big screen"),
        }
        help_texts = {
            "text": _("Write at most 300 characters."),
            "is_for_crew": _("Phones without signal get the message as soon as they have signal."),
            "is_for_screen": _(
                "Everyone sees the message above the standings for half an hour, or until you withdraw it."
            ),
        }
        error_messages = {
            "text": {
                "required": _("Enter the message."),
                "max_length": _("Shorten the message to 300 characters."),
            }
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        group = self.fields["group"]
        assert isinstance(group, forms.ModelChoiceField)
        group.queryset = list_groups(self.instance.event)
        group.empty_label = gettext("All groups")
        group.label = gettext("Group")

    def clean(self) -> dict[str, Any]:
        """Refuse a message that nobody would see."""
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("is_for_crew") and not cleaned.get("is_for_screen"):
            self.add_error("is_for_crew", gettext("Choose the phones, the big screen, or both."))
        if not cleaned.get("is_for_crew"):
            cleaned["group"] = None
        return cleaned
