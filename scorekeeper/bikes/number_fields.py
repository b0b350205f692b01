"""A bike's number in a form, and in a column of the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.numbers import (
    COLUMN_LENGTH,
    BikeNumber,
    is_bike_number,
    pad_number,
    parse_bike_number,
    unpad_number,
)


class BikeNumberField(forms.CharField):
    """The number of a bike, typed in digits, perhaps with letters behind them; what nobody sees is ignored.

    Args:
        has_digit_keys: whether a phone shows large keys for digits, with which letters cannot be typed everywhere.
    """

    def __init__(self, error_messages: Mapping[str, Any] | None = None, *, has_digit_keys: bool = False, **kwargs: Any):
        messages = {
            "invalid": _("Enter a number from 1 to 99999, such as 57 or 12A."),
            **(error_messages or {}),
        }
        keys = {"inputmode": "numeric"} if has_digit_keys else {"autocapitalize": "characters"}
        kwargs.setdefault("widget", forms.TextInput(attrs={"autocomplete": "off", **keys}))
        super().__init__(error_messages=messages, **{**kwargs, "max_length": None})

    def to_python(self, value: Any) -> BikeNumber | None:  # type: ignore[override]
        """Return the number; None for an empty field."""
        text = super().to_python(value)
        if text in self.empty_values:
            return None
        number = parse_bike_number(str(text))
        if number is None:
            raise ValidationError(self.error_messages["invalid"], "invalid")
        return number


def show_keys_for(form: forms.Form, numbers: Iterable[BikeNumber]) -> None:
    """Show keys with letters for the form's `number` if one of the ride's numbers has letters."""
    if any(isinstance(number, str) for number in numbers):
        form.fields["number"].widget.attrs.update(inputmode="text", autocapitalize="characters")


class BikeNumberColumn(models.Field):  # type: ignore[type-arg]
    """The number of a bike, stored as a text by which numbers sort; see `bikes.numbers`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"max_length": COLUMN_LENGTH, **kwargs})

    def get_internal_type(self) -> str:
        """Return the type of the database's column."""
        return "CharField"

    def from_db_value(self, value: str | None, _expression: object, _connection: object) -> BikeNumber | None:
        """Return the number that is stored."""
        return None if value is None else unpad_number(value)

    def get_prep_value(self, value: Any) -> str | None:
        """Return the text to store or to compare with."""
        value = super().get_prep_value(value)
        return None if value is None else pad_number(value)

    def to_python(self, value: Any) -> BikeNumber | None:
        """Return the number; raise `ValidationError` for what is none."""
        if value is None:
            return None
        number: BikeNumber | None = parse_bike_number(value) if isinstance(value, str) else value
        if number is None or not is_bike_number(number):
            raise ValidationError(_("Enter a number from 1 to 99999, such as 57 or 12A."), "invalid")
        return number

    def formfield(self, **kwargs: Any) -> forms.Field | None:
        """Return the field of a form."""
        return super().formfield(**{"form_class": BikeNumberField, **kwargs})
