"""Searching an event for a person."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.name_fields import NameFormField
from scorekeeper.events.models import Event
from scorekeeper.personal_data.selectors import find_records

MAX_NAME_LENGTH = 150


class PersonSearchForm(forms.Form):
    """A name. Valid only if somebody of the event has it; then `records` are theirs."""

    name = NameFormField(
        label=gettext_lazy("Name of the person"),
        help_text=gettext_lazy("Type the name as it was entered. Capital letters do not matter."),
        max_length=MAX_NAME_LENGTH,
        error_messages={"required": gettext_lazy("Enter the name.")},
    )

    def __init__(self, data: Any = None, *, event: Event) -> None:
        super().__init__(data)
        self.label_suffix = ""
        self._event = event

    def clean_name(self) -> str:
        """Find who has the name.

        Raises:
            ValidationError: nobody does.
        """
        name: str = self.cleaned_data["name"]
        self.records = find_records(self._event, name)
        if not self.records:
            text = _("Nobody at this event has the name “%(name)s”. Check how it is spelled on the roster.")
            raise ValidationError(text % {"name": name})
        return name
