"""Dates as an invitation writes them."""

from __future__ import annotations

import datetime as dt

from django import template
from django.utils.translation import gettext as _

from scorekeeper.common.date_wording import format_date
from scorekeeper.event_page.selectors import format_weekday

register = template.Library()


@register.filter
def long_date(date: dt.date) -> str:
    """Return a date with its day of the week: "Saturday, 20 June 2026"."""
    parts = {"weekday": format_date(date, "l"), "date": format_date(date, "DATE_FORMAT")}
    return _("%(weekday)s, %(date)s") % parts


register.filter("weekday_date", format_weekday)
