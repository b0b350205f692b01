"""The form that deletes an event."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.name_fields import NameFormField
from scorekeeper.common.names import fold_name
from scorekeeper.events.models import Event


def is_name_of(event: Event, typed: str) -> bool:
    """Return whether someone typed the event's name; spaces and capital letters do not matter."""
    return fold_name(typed) == fold_name(event.name)


class DeleteEventForm(forms.Form):
    """Requires the name of the event, so that nobody deletes the wrong one.

    Args:
        event: the event to delete.
    """

    name = NameFormField(
        label=_("Name of the event"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": _("Enter the name of the event to delete it.")},
    )

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.event = event

    def clean_name(self) -> str:
        """Reject any other name."""
        name: str = self.cleaned_data["name"]
        if not is_name_of(self.event, name):
            text = _("This is not the name of the event. Enter “%(name)s” to delete it.")
            raise ValidationError(text, params={"name": self.event.name})
        return name
