"""Finds a time zone by what people type: "Berlin" or "europe/berlin" for Europe/Berlin."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime, timedelta

from scorekeeper.common.spreadsheets.sheets import simplify_name

_MONTHS = [datetime(2026, month, 1, tzinfo=UTC) for month in range(1, 13)]


def find_time_zone(text: str) -> str:
    """Return the name of the time zone whose city, or whole name, a text is; the text itself without one.

    A place may be filed more than once, such as America/Louisville and America/Kentucky/Louisville; places of the same
    name with different clocks are not told apart.

    Args:
        text: as it was typed; case, accents and signs do not matter.
    """
    known = zoneinfo.available_timezones()
    if text in known:
        return text
    wanted = simplify_name(text)
    found = [name for name in known if wanted in (simplify_name(name), simplify_name(name.rpartition("/")[2]))]
    if len({_list_offsets(name) for name in found}) != 1:
        return text
    return min(found, key=lambda name: (name.count("/") != 1, name))


def _list_offsets(name: str) -> tuple[timedelta | None, ...]:
    return tuple(moment.astimezone(zoneinfo.ZoneInfo(name)).utcoffset() for moment in _MONTHS)
