"""Links that open a place on a map. Following one is up to the person who taps it; no page fetches anything.

`geo:` (RFC 5870) opens the phone's own map. A browser without a map app ignores it, so every page also has the link to
openstreetmap.org.
"""

from __future__ import annotations

from urllib.parse import quote, urlencode

from scorekeeper.stops.coordinates import Coordinates

OPENSTREETMAP = "https://www.openstreetmap.org"
ZOOM = 16  # a few streets


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
