"""Writes calendars as RFC 5545 has them.

Terms: a *content line* is a property with its value; one that is longer than 75 octets is *folded* into several.

Invariants:
- The same rides make the same bytes: nothing comes from the clock.
- Times are in UTC, so no definitions of time zones are needed. A ride without times is all day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from uuid import UUID

PRODUCT = "-//Tailgunner//Rides//EN"
MAX_OCTETS = 75  # of a line without its end
END = "\r\n"
ESCAPES = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
# They may be in no value; a line break is written as \n.
CONTROLS = {code: None for code in (*range(0x20), 0x7F) if chr(code) != "\n"}


@dataclass(frozen=True, slots=True)
class CalendarRide:
    """A ride in a calendar.

    Attributes:
        starts_at, ends_at: None for a ride without times, which is all day.
        location: "" if it is not known.
        url: "" if there is no page any more.
        sequence: how often its details have changed.
        changed_at: when they last did.
    """

    id: UUID
    name: str
    date: dt.date
    sequence: int
    changed_at: dt.datetime
    starts_at: dt.datetime | None = None
    ends_at: dt.datetime | None = None
    location: str = ""
    description: str = ""
    url: str = ""
    is_cancelled: bool = False


def write_calendar(name: str, rides: Iterable[CalendarRide]) -> bytes:
    """Return a calendar.

    Args:
        name: what calendars call it.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "CALSCALE:GREGORIAN",
        f"NAME:{escape_text(name)}",  # RFC 7986
        f"X-WR-CALNAME:{escape_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT6H",
        "X-PUBLISHED-TTL:PT6H",
        *(line for ride in rides for line in _list_lines(ride)),
        "END:VCALENDAR",
    ]
    return "".join(f"{fold_line(line)}{END}" for line in lines).encode()


def escape_text(text: str) -> str:
    """Return a text as the value of a property (RFC 5545, 3.3.11)."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(CONTROLS).translate(ESCAPES)


def fold_line(line: str) -> str:
    """Return a content line in parts of at most 75 octets; no character is split."""
    parts, part, size = [], "", 0
    for character in line:
        octets = len(character.encode())
        if size + octets > MAX_OCTETS:
            parts.append(part)
            part, size = " ", 1
        part, size = part + character, size + octets
    return END.join([*parts, part])


def _list_lines(ride: CalendarRide) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{ride.id}"
    yield f"DTSTAMP:{_format_moment(ride.changed_at)}"
    yield f"LAST-MODIFIED:{_format_moment(ride.changed_at)}"
    yield f"SEQUENCE:{ride.sequence}"
    if ride.starts_at is None or ride.ends_at is None:
        yield f"DTSTART;VALUE=DATE:{ride.date:%Y%m%d}"
        yield f"DTEND;VALUE=DATE:{ride.date + dt.timedelta(days=1):%Y%m%d}"
        yield "TRANSP:TRANSPARENT"  # nobody is busy all day because a ride is announced
    else:
        yield f"DTSTART:{_format_moment(ride.starts_at)}"
        yield f"DTEND:{_format_moment(ride.ends_at)}"
    yield f"SUMMARY:{escape_text(ride.name)}"
    if ride.location:
        yield f"LOCATION:{escape_text(ride.location)}"
    if ride.description:
        yield f"DESCRIPTION:{escape_text(ride.description)}"
    if ride.url:
        yield f"URL:{ride.url}"
    yield f"STATUS:{'CANCELLED' if ride.is_cancelled else 'CONFIRMED'}"
    yield "END:VEVENT"


def _format_moment(moment: dt.datetime) -> str:
    return f"{moment.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"
