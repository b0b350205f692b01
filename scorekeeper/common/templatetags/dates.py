"""The template filter for dates, `{{ event.date|date:"DATE_FORMAT" }}`, which the settings put in place of Django's."""

from __future__ import annotations

import datetime as dt

from django import template
from django.utils.formats import time_format

from scorekeeper.common.date_wording import format_date

register = template.Library()


@register.filter(expects_localtime=True, is_safe=False)
def date(value: dt.date | dt.time | str | None, pattern: str = "DATE_FORMAT") -> str:
    """Return a date as `format_date` writes it, or a time of day, which Django's filter also takes; "" for none."""
    if isinstance(value, dt.time):
        return time_format(value, pattern)
    return format_date(value, pattern) if isinstance(value, dt.date) else ""
