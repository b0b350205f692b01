"""Distances in the unit of an event. They are stored in metres."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from scorekeeper.event_page.models import EventPage

Unit = EventPage.DistanceUnit
METRES: Mapping[str, Decimal] = {Unit.KILOMETRES: Decimal(1000), Unit.MILES: Decimal("1609.344")}
TENTH = Decimal("0.1")
# Where signs have miles: the time zones of the United States, the United Kingdom, Liberia and Myanmar.
_MILES_ZONES = """
    America/Adak America/Anchorage America/Boise America/Chicago America/Denver America/Detroit America/Juneau
    America/Los_Angeles America/Menominee America/Metlakatla America/New_York America/Nome America/Phoenix
    America/Sitka America/Yakutat America/Puerto_Rico America/St_Thomas Pacific/Honolulu Pacific/Guam
    Europe/London Europe/Jersey Europe/Guernsey Europe/Isle_of_Man Europe/Belfast GB GB-Eire Navajo
    Africa/Monrovia Asia/Yangon Asia/Rangoon
"""
_MILES = frozenset(_MILES_ZONES.split())
_MILES_AREAS = ("US/", "America/Indiana/", "America/Kentucky/", "America/North_Dakota/")


def get_usual_unit(time_zone: str) -> str:
    """Return the unit that signs have in a time zone."""
    return Unit.MILES if time_zone in _MILES or time_zone.startswith(_MILES_AREAS) else Unit.KILOMETRES


def to_unit(metres: int, unit: str) -> Decimal:
    """Return a distance in a unit, to a tenth."""
    value = (metres / METRES[unit]).quantize(TENTH)
    return value.to_integral_value() if value == value.to_integral_value() else value


def to_metres(value: Decimal, unit: str) -> int:
    """Return a distance in a unit as metres."""
    return round(value * METRES[unit])


def format_distance(metres: int, unit: str) -> str:
    """Return a distance for people: "12.4 km"."""
    value = to_unit(metres, unit)
    number = number_format(value, decimal_pos=0 if value == value.to_integral_value() else 1)
    text = _("%(number)s mi") if unit == Unit.MILES else _("%(number)s km")
    return text % {"number": number}
