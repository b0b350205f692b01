"""Times as people at an event read them, and the notice that says since when its standings are frozen."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.common.date_wording import format_date
from scorekeeper.events.models import Event


def format_time(moment: dt.datetime, event: Event) -> str:
    """Return a time in the event's time zone, "17:42", with as much of the date as differs from the event's date."""
    local = moment.astimezone(event.zone)
    if local.date() == event.date:
        return format_date(local, "H:i")
    return format_date(local, _("j M, H:i") if local.year == event.date.year else _("j M Y, H:i"))


def format_when(moment: dt.datetime, event: Event) -> str:
    """Return when something was, within a sentence: "at 17:42", or "at 3 May, 17:42" on another date than the event's.

    Most languages have other words before a date than before a time.
    """
    is_on_date = moment.astimezone(event.zone).date() == event.date
    text = pgettext("a time", "at %(time)s") if is_on_date else pgettext("a date and a time", "at %(time)s")
    return text % {"time": format_time(moment, event)}


def format_freeze_notice(frozen_at: dt.datetime, event: Event) -> str:
    """Return "Standings frozen at 15:20; the result is announced at the finale."."""
    text = _("Standings frozen %(when)s; the result is announced at the finale.")
    return text % {"when": format_when(frozen_at, event)}
