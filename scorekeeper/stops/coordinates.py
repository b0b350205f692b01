"""Coordinates as people type them, and links that open a place on a map.

Following a link is up to the person who taps it; no page fetches anything. `geo:` (RFC 5870) opens the phone's own map.
A browser without a map app ignores it, so every page also has the link to openstreetmap.org.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import quote, urlencode

from django.utils.translation import gettext as _

MAX_LATITUDE, MAX_LONGITUDE = 90, 180
STORED_DIGITS = Decimal("0.000001")  # about 10 centimetres
MAX_LENGTH = 60  # characters
_NUMBER = r"([+-]?\d{1,4}(?:\.\d{1,20})?)\s*°?\s*"
_DECIMAL_COMMA = re.compile(r"(\d),(\d+)")
_WITH_POINTS = re.compile(rf"{_NUMBER}([NS]?)([\s,;]+){_NUMBER}([EW]?)", re.IGNORECASE)
# Numbers with decimal commas are told apart only if something else than a comma without a space is between them.
_WITH_COMMAS = re.compile(r"[+-]?\d{1,4},\d{1,20}\s*°?\s*[NS]?(?:[\s;]+|,\s+)[+-]?\d{1,4},\d{1,20}.*", re.IGNORECASE)
OPENSTREETMAP = "https://www.openstreetmap.org"
ZOOM = 16  # a few streets


class InvalidCoordinates(Exception):
    """The text is not a pair of coordinates; the message says what to enter."""


class Coordinates(NamedTuple):
    """A place on the map, in degrees: north and east are positive."""

    latitude: Decimal
    longitude: Decimal

    def __str__(self) -> str:
        return ", ".join(_format_number(number) for number in self)


def parse_coordinates(text: str) -> Coordinates:
    """Return the coordinates in a text such as "51.05, -114.07" or "51.05° N 114.07° W".

    Raises:
        InvalidCoordinates: these are not two numbers, or one is out of range.
    """
    text = text.strip().removeprefix("geo:").partition("?")[0].replace("\N{MINUS SIGN}", "-")
    if _WITH_COMMAS.fullmatch(text):
        text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    match = _WITH_POINTS.fullmatch(text.strip())
    if match is None or not _are_two_numbers(match):
        raise InvalidCoordinates(
            _("Enter two numbers with a comma between them, latitude first, such as 51.05, -114.07.")
        )
    north, south, _separator, east, west = match.groups()
    latitude, longitude = _read_degrees(north, south, "S"), _read_degrees(east, west, "W")
    if abs(latitude) > MAX_LATITUDE:
        raise InvalidCoordinates(_("The latitude, the first number, must be from -90 to 90."))
    if abs(longitude) > MAX_LONGITUDE:
        raise InvalidCoordinates(_("The longitude, the second number, must be from -180 to 180."))
    return Coordinates(latitude.quantize(STORED_DIGITS), longitude.quantize(STORED_DIGITS))


def are_coordinates(text: str) -> bool:
    """Return whether a text is nothing but coordinates."""
    try:
        parse_coordinates(text)
    except InvalidCoordinates:
        return False
    return True


def _are_two_numbers(match: re.Match[str]) -> bool:
    """Return False for a text that may be one number with a decimal comma, such as "51,05"."""
    return match[3] != "," or "." in match[0]


def _read_degrees(number: str, compass: str, negative: str) -> Decimal:
    degrees = Decimal(number)
    return -abs(degrees) if compass.upper() == negative else degrees


def _format_number(number: Decimal) -> str:
    return f"{number.normalize():f}" if number else "0"


def make_geo_uri(coordinates: Coordinates | None, address: str, name: str) -> str:
    """Return the `geo:` URI of a place; "" if it has neither coordinates nor an address."""
    if coordinates is not None:
        point = str(coordinates).replace(" ", "")
        return f"geo:{point}?q={point}({quote(name, safe='')})"
    return f"geo:0,0?q={quote(address, safe='')}" if address else ""


def make_map_url(coordinates: Coordinates | None, address: str) -> str:
    """Return the URL of a place on openstreetmap.org; "" if it has neither coordinates nor an address."""
    if coordinates is not None:
        latitude, longitude = str(coordinates).split(", ")
        marker = urlencode({"mlat": latitude, "mlon": longitude})
        return f"{OPENSTREETMAP}/?{marker}#map={ZOOM}/{latitude}/{longitude}"
    return f"{OPENSTREETMAP}/search?{urlencode({'query': address})}" if address else ""
