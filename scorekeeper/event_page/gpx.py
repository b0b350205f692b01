"""GPX files: reads what a navigation device or a map wrote, and writes the route for one (GPX 1.1).

Invariants:
- A file with a document type is refused at that word, so no entity is ever declared, expanded or fetched.
- It is read as a stream of elements, and only positions and names are taken from it. Times, heights, heartbeats and
  names of people are left where they are.
- The file has at most `MAX_BYTES`, and reading ends at the first point too many. So time and memory are bounded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET  # it only writes
from xml.parsers import expat

from django.utils.translation import gettext as _

from scorekeeper.event_page.track import Point

MAX_BYTES = 10 * 2**20
MAX_POINTS = 200_000  # a day and a half, with one each second
MAX_WAYPOINTS = 100
MAX_DEPTH = 60  # elements within each other
MAX_NAME = 80  # characters, as of a stop
MAX_DIGITS = 40  # of a coordinate
NAMESPACE = "http://www.topografix.com/GPX/1/1"
CREATOR = "Tailgunner"
# What XML 1.0 cannot contain, however it is written.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class InvalidGpx(Exception):
    """The file cannot be used; the message says why, and what to do."""


@dataclass(frozen=True)
class Waypoint:
    """A place of a file. `name` may be ""."""

    name: str
    point: Point


@dataclass
class GpxFile:
    """What was read.

    Attributes:
        waypoints: the places, or without any the named points of its route.
        points: of the track, or without one of the route, in order.
        has_more_waypoints: whether there were more than `MAX_WAYPOINTS`.
    """

    waypoints: list[Waypoint] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    has_more_waypoints: bool = False


def read_gpx(content: bytes) -> GpxFile:
    """Read a GPX file.

    Raises:
        InvalidGpx: it is none, it is damaged, or it has too much.
    """
    if len(content) > MAX_BYTES:
        raise InvalidGpx(_("The file is larger than %(most)s MB.") % {"most": MAX_BYTES // 2**20})
    reader = _Reader()
    try:
        reader.parser.Parse(content, True)
    except expat.ExpatError as error:
        if not reader.has_root:
            raise InvalidGpx(_("This is not a GPX file. Export the route as GPX from your map or device.")) from error
        text = _("The GPX file is damaged in line %(line)s. Export it again.")
        raise InvalidGpx(text % {"line": error.lineno}) from error
    except (LookupError, ValueError) as error:  # an encoding that nobody knows, or that has several bytes for a letter
        raise InvalidGpx(_("This is not a GPX file. Export the route as GPX from your map or device.")) from error
    return reader.get_file()


class _Reader:
    """Takes positions and names from the elements as they come."""

    def __init__(self) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.EntityDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._read_text
        self.parser = parser
        self.has_root = False
        self._open: list[str] = []
        self._name: list[str] | None = None
        self._place: Point | None = None
        self._place_name = ""
        self._waypoints: list[Waypoint] = []
        self._has_more = False
        self._track: list[Point] = []
        self._route: list[Point] = []
        self._named_route: list[Waypoint] = []

    def get_file(self) -> GpxFile:
        """Return what was read."""
        named = [one for one in self._named_route if one.name]
        waypoints = self._waypoints or named
        points = self._track if len(self._track) > 1 else self._route
        return GpxFile(waypoints[:MAX_WAYPOINTS], points, self._has_more or len(waypoints) > MAX_WAYPOINTS)

    def _refuse_doctype(self, *_declaration: object) -> None:
        raise InvalidGpx(
            _("This file declares a document type, which no map or device writes into a GPX file. Export it again.")
        )

    def _start(self, element: str, attributes: Mapping[str, str]) -> None:
        name = element.rpartition(" ")[2]
        if not self._open:
            if name != "gpx":
                raise InvalidGpx(_("This is not a GPX file. Export the route as GPX from your map or device."))
            self.has_root = True
        if len(self._open) >= MAX_DEPTH:
            raise InvalidGpx(_("The GPX file is damaged in line %(line)s. Export it again.") % {"line": self._line})
        if name in ("wpt", "trkpt", "rtept"):
            self._start_point(name, attributes)
        elif name == "name" and self._place is not None and self._open[-1] in ("wpt", "rtept"):
            self._name = []
        self._open.append(name)

    def _start_point(self, name: str, attributes: Mapping[str, str]) -> None:
        point = (self._read_degrees(attributes.get("lat"), 90), self._read_degrees(attributes.get("lon"), 180))
        if name == "trkpt":
            self._add(self._track, point)
            return
        if name == "rtept":
            self._add(self._route, point)
        self._place, self._place_name = point, ""

    def _add(self, points: list[Point], point: Point) -> None:
        if len(points) >= MAX_POINTS:
            text = _("The file has more than %(most)s points. Export the route with fewer.")
            raise InvalidGpx(text % {"most": f"{MAX_POINTS:,}"})
        points.append(point)

    def _read_degrees(self, text: str | None, most: int) -> float:
        try:
            value = float(text) if text is not None and len(text) <= MAX_DIGITS else math.nan
        except ValueError:
            value = math.nan
        if not abs(value) <= most:  # also where it is not a number
            raise InvalidGpx(
                _("A point in line %(line)s has no position. Export the file again.") % {"line": self._line}
            )
        return value

    @property
    def _line(self) -> int:
        return self.parser.CurrentLineNumber

    def _read_text(self, text: str) -> None:
        if self._name is not None and len(self._name) < MAX_NAME:
            self._name.append(text[:MAX_NAME])

    def _end(self, element: str) -> None:
        name = self._open.pop()
        if name == "name" and self._name is not None:
            self._place_name = " ".join("".join(self._name).split())[:MAX_NAME]
            self._name = None
        elif name in ("wpt", "rtept") and self._place is not None:
            found = self._waypoints if name == "wpt" else self._named_route
            if len(found) <= MAX_WAYPOINTS:
                found.append(Waypoint(self._place_name, self._place))
            else:
                self._has_more = True
            self._place = None


@dataclass(frozen=True)
class RoutePlace:
    """A stop as it is written into a file."""

    name: str
    point: Point
    description: str = ""


def write_gpx(name: str, description: str, link: str, places: Sequence[RoutePlace], points: Sequence[Point]) -> bytes:
    """Return a route as a GPX 1.1 file: its stops as waypoints and as a route, and its road as a track.

    Args:
        link: the address of the event's page.
        places: the stops whose coordinates are known, in order.
        points: of the road; empty if it is not known.
    """
    ET.register_namespace("", NAMESPACE)
    root = ET.Element(_tag("gpx"), {"version": "1.1", "creator": CREATOR})
    metadata = ET.SubElement(root, _tag("metadata"))
    _add_text(metadata, "name", name)
    _add_text(metadata, "desc", description)
    ET.SubElement(metadata, _tag("link"), {"href": link})
    for place in places:
        _add_place(root, "wpt", place)
    if len(places) > 1:
        route = ET.SubElement(root, _tag("rte"))
        _add_text(route, "name", name)
        for place in places:
            _add_place(route, "rtept", place)
    if points:
        track = ET.SubElement(root, _tag("trk"))
        _add_text(track, "name", name)
        segment = ET.SubElement(track, _tag("trkseg"))
        for point in points:
            ET.SubElement(segment, _tag("trkpt"), _write_position(point, 5))
    ET.indent(root, " ")
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _add_place(parent: ET.Element, kind: str, place: RoutePlace) -> None:
    element = ET.SubElement(parent, _tag(kind), _write_position(place.point, 6))
    _add_text(element, "name", place.name)
    _add_text(element, "desc", place.description)


def _add_text(parent: ET.Element, kind: str, text: str) -> None:
    if clean := _NOT_XML.sub("", text).strip():
        ET.SubElement(parent, _tag(kind)).text = clean


def _write_position(point: Point, digits: int) -> dict[str, str]:
    return {name: f"{value:.{digits}f}" for name, value in zip(("lat", "lon"), point, strict=True)}
