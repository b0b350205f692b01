"""A bike's number in a form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import MAX_NUMBER
from scorekeeper.common.names import clean_name


class BikeNumberField(forms.IntegerField):
    """The number of a bike, typed in digits."""

    def __init__(self, error_messages: Mapping[str, Any] | None = None, **kwargs: Any):
        messages = {
            "invalid": _("Enter digits only, such as 57."),
            **dict.fromkeys(("min_value", "max_value"), _("Enter a number from 1 to 99999.")),
            **(error_messages or {}),
        }
        widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
        super().__init__(min_value=1, max_value=MAX_NUMBER, widget=widget, error_messages=messages, **kwargs)

    def to_python(self, value: Any) -> int | None:
        """Return the number; what nobody sees beside the digits is ignored."""
        return super().to_python(clean_name(value) if isinstance(value, str) else value)
