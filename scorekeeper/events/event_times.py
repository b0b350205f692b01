"""Times as people at an event read them, and the notice that says since when its standings are frozen."""

from __future__ import annotations

import datetime as dt

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scorekeeper.events.models import Event


def format_time(moment: dt.datetime, event: Event) -> str:
    """Return a time in the event's time zone, "17:42", with as much of the date as differs from the event's date."""
    local = moment.astimezone(event.zone)
    if local.date() == event.date:
        return date_format(local, "H:i")
    return date_format(local, _("j M, H:i") if local.year == event.date.year else _("j M Y, H:i"))


def format_freeze_notice(frozen_at: dt.datetime, event: Event) -> str:
    """Return "Standings frozen at 15:20; the result is announced at the finale."."""
    return _("Standings frozen at %(time)s; the result is announced at the finale.") % {
        "time": format_time(frozen_at, event)
    }
