"""Dates as an invitation writes them."""

from __future__ import annotations

import datetime as dt

from django import template
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scorekeeper.event_page.selectors import format_weekday

register = template.Library()


@register.filter
def long_date(date: dt.date) -> str:
    """Return a date with its day of the week: "Saturday, 20 June 2026"."""
    parts = {"weekday": date_format(date, "l"), "date": date_format(date, "DATE_FORMAT")}
    return _("%(weekday)s, %(date)s") % parts


register.filter("weekday_date", format_weekday)
