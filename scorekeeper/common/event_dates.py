"""The date of an event: a day that a club may ride on, and near enough to today that no calculation with it overflows.

A field for dates turns a year that was typed with two digits into the year 26, and a placeholder may be the year 9999.

In the database it is an ordinary date, so a migration sees a `DateField`.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

FIRST_DATE, LAST_DATE = dt.date(2000, 1, 1), dt.date(2099, 12, 31)
OUT_OF_RANGE = _("Enter a date from 2000 to 2099, such as 2026-06-20.")


def check_event_date(date: dt.date) -> None:
    """Check that an event can have this date.

    Raises:
        ValidationError: it cannot.
    """
    if not FIRST_DATE <= date <= LAST_DATE:
        raise ValidationError(OUT_OF_RANGE, "out_of_range")


def get_nearest_event_date(date: dt.date) -> dt.date:
    """Return the date, or the nearest that an event can have: events from before dates were limited may have others."""
    return min(max(date, FIRST_DATE), LAST_DATE)


def get_day_next_year(date: dt.date) -> dt.date:
    """Return the same day of the week, a year later, or the nearest that an event can have."""
    return get_nearest_event_date(min(date, LAST_DATE) + dt.timedelta(weeks=52))


def move_year_in_name(name: str, date: dt.date, new_date: dt.date) -> str:
    """Return the name of an event for another date: "Summer Ride 2027" for "Summer Ride 2026"; any other as it is."""
    return re.sub(rf"(?<!\d){date.year}(?!\d)", str(new_date.year), name)


class EventDateFormField(forms.DateField):
    """The date of an event in a form."""

    default_validators = [check_event_date]

    def __init__(self, **kwargs: Any) -> None:
        limits = {"type": "date", "min": FIRST_DATE.isoformat(), "max": LAST_DATE.isoformat()}
        super().__init__(**{"widget": forms.DateInput(format="%Y-%m-%d", attrs=limits), **kwargs})


class EventDateField(models.DateField):  # type: ignore[type-arg]
    """The date of an event in a model."""

    default_validators = [check_event_date]

    def formfield(self, **kwargs: Any) -> Any:
        """Return the field of a form for it."""
        return super().formfield(**{"form_class": EventDateFormField, **kwargs})

    def deconstruct(self) -> Any:
        """Return it as the date that it is in the database."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.DateField", args, kwargs
