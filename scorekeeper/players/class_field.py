"""The field of a form with the classes of a bike or a person. Phones have it too, unlike the forms of the roster."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.players.class_members import list_classes
from scorekeeper.players.models import ClassMember, Player


class ClassesField(forms.MultipleChoiceField):
    """The classes of a bike or a person, as ids.

    Args:
        event: whose classes can be chosen.
        subject: the bike or the person, which may be new.
    """

    widget = forms.CheckboxSelectMultiple

    def __init__(self, event: Event, subject: Bike | Player) -> None:
        column = "bike" if isinstance(subject, Bike) else "player"
        own = ClassMember.objects.filter(**{column: subject.pk}).values_list("event_class_id", flat=True)
        super().__init__(
            label=_("Classes"),
            required=False,
            choices=[(str(one.pk), one.name) for one in list_classes(event)],
            initial=sorted(map(str, own)),
            help_text=_("For the bike and whoever rides it.") if column == "bike" else _("For this person alone."),
            error_messages={"invalid_choice": _("This class has just been deleted. Choose again.")},
        )

    def clean(self, value: Any) -> list[UUID]:
        """Return the ids."""
        return [UUID(one) for one in super().clean(value)]
