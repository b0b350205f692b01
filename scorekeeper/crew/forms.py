"""Forms of the room."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.crew.models import CrewMember, DiceSet, Group
from scorekeeper.crew.selectors import list_dice_sets, list_groups
from scorekeeper.events.models import Event


class GroupForm(forms.ModelForm[Group]):
    """What a group is called; no two of an event alike."""

    class Meta:
        model = Group
        fields = ["name"]
        error_messages = {"name": {"required": _("Enter the name of the group.")}}

    def clean_name(self) -> str:
        """Refuse a name that another group of the event has."""
        name: str = self.cleaned_data["name"]
        others = list_groups(self.instance.event).exclude(pk=self.instance.pk)
        if others.filter(name=name).exists():
            raise ValidationError(_("There is already a group called “%(name)s”."), params={"name": name})
        return name


class EditGroupForm(GroupForm):
    """What a group and its dice sets are called."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dice_sets = list(list_dice_sets(self.instance))
        for number, dice_set in enumerate(self.dice_sets, 1):
            self.fields[self._get_field_name(dice_set)] = forms.CharField(
                label=_("Dice set %(number)s") % {"number": number},
                max_length=40,
                initial=dice_set.name,
                error_messages={"required": _("Enter a name for the dice set, such as who carries it.")},
            )

    def clean(self) -> dict[str, Any]:
        """Refuse two dice sets of the same name: an entry says by name which dice were rolled."""
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
        """Return the names typed, by the ids of the dice sets."""
        return {dice_set.pk: self.cleaned_data[self._get_field_name(dice_set)] for dice_set in self.dice_sets}

    @staticmethod
    def _get_field_name(dice_set: DiceSet) -> str:
        return f"dice_set_{dice_set.pk}"


class MemberForm(forms.ModelForm[CrewMember]):
    """Who it is and what they do; also which group, among those of the event.

    Args:
        event: whose groups there are to choose from.
    """

    class Meta:
        model = CrewMember
        fields = ["name", "role", "group"]
        widgets = {"role": forms.RadioSelect}
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
        role.help_text = _("A road captain can also record turns for bikes in other groups. The log shows each time.")
