"""Dates in words, as the language of the page writes them: with Django's formats, but “1er décembre”, not “1 décembre”.

Pages have the filter `date` (`templatetags.dates`), which replaces Django's in all templates. Nothing else formats
dates; a test looks for it.
"""

from __future__ import annotations

import datetime as dt

from django.utils.dateformat import DateFormat
from django.utils.formats import get_format
from django.utils.translation import pgettext


class _WordedDate(DateFormat):
    def j(self) -> int | str:  # type: ignore[override]
        """Return the day of the month; in some languages the first one is an ordinal."""
        day = super().j()
        return pgettext("first day of the month, in a date", "1") if day == 1 else day


def format_date(value: dt.date, pattern: str = "DATE_FORMAT") -> str:
    """Return a date, or a date and a time, in the reader's language: "1 December 2026".

    Args:
        pattern: the name of one of Django's formats, or the letters of one: "j F Y, H:i".
    """
    return _WordedDate(value).format(get_format(pattern))
