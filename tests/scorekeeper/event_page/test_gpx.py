"""GPX files: what is read of them, what is refused, and what is written for navigation devices."""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from scorekeeper.event_page.gpx import (
    MAX_BYTES,
    MAX_POINTS,
    MAX_WAYPOINTS,
    NAMESPACE,
    InvalidGpx,
    RoutePlace,
    Waypoint,
    read_gpx,
    write_gpx,
)
from scorekeeper.event_page.track import (
    MAX_POINTS as MAX_STORED,
)
from scorekeeper.event_page.track import (
    Point,
    Track,
    decode_points,
    encode_points,
    find_positions,
    load_track,
    make_track,
    measure,
)

HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
GPX = f'{HEAD}<gpx version="1.1" creator="test" xmlns="{NAMESPACE}">%s</gpx>'


def make_gpx(inside: str) -> bytes:
    return (GPX % inside).encode()


def make_trk(points: Sequence[Point]) -> str:
    rows = "".join(
        f'<trkpt lat="{a:.6f}" lon="{b:.6f}"><ele>1</ele><time>2026-06-20T09:00:00Z</time></trkpt>' for a, b in points
    )
    return f"<trk><name>Ann’s ride</name><trkseg>{rows}</trkseg></trk>"


def test_places_and_the_track_are_read_and_nothing_else() -> None:
    waypoint = '<wpt lat="51.5" lon="-114.25"><ele>3</ele><name> Old\n Mill &amp; Bar </name><desc>no</desc></wpt>'
    file = read_gpx(make_gpx(f"<metadata><name>no</name></metadata>{waypoint}{make_trk([(51, -114), (51.1, -114)])}"))

    assert file.waypoints == [Waypoint("Old Mill & Bar", (51.5, -114.25))]
    assert file.points == [(51.0, -114.0), (51.1, -114.0)]


def test_a_file_of_version_1_0_or_without_a_namespace_is_read_too() -> None:
    for start in ('<gpx version="1.0" xmlns="http://www.topografix.com/GPX/1/0">', "<gpx>"):
        file = read_gpx(f'{start}<wpt lat="1" lon="2"><name>A</name></wpt></gpx>'.encode())
        assert file.waypoints == [Waypoint("A", (1.0, 2.0))]


def test_a_route_stands_for_a_track_and_its_named_points_for_places() -> None:
    names = {1.0: "<name>A</name>", 1.1: "", 1.2: "<name>B</name>"}
    rows = "".join(f'<rtept lat="{latitude}" lon="2">{name}</rtept>' for latitude, name in names.items())
    file = read_gpx(make_gpx(f"<rte><name>no</name>{rows}</rte>"))

    assert [one.name for one in file.waypoints] == ["A", "B"]
    assert file.points == [(1.0, 2.0), (1.1, 2.0), (1.2, 2.0)]


LAUGHS = '<!DOCTYPE gpx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
REFUSED = {
    "no XML": (b"hello", "This is not a GPX file"),
    "nothing": (b" ", "This is not a GPX file"),
    "another document": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "This is not a GPX file"),
    "an unknown encoding": (b"<?xml version='1.0' encoding='klingon'?><gpx/>", "This is not a GPX file"),
    "several bytes for a letter": (b"<?xml version='1.0' encoding='gb2312'?><gpx/>", "This is not a GPX file"),
    "an entity": (f"{HEAD}{LAUGHS}<gpx><wpt lat='1' lon='1'><name>&b;</name></wpt></gpx>".encode(), "document type"),
    "a file of the server": (
        b"<!DOCTYPE gpx [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><gpx><wpt lat='1' lon='1'><name>&x;</name></wpt>",
        "document type",
    ),
    "a document type on the web": (b"<!DOCTYPE gpx SYSTEM 'http://evil.example/x.dtd'><gpx/>", "document type"),
    "a parameter entity": (b"<!DOCTYPE gpx [<!ENTITY % x SYSTEM 'http://evil.example/'> %x;]><gpx/>", "document type"),
    "an entity that nobody declared": (b"<gpx><wpt lat='1' lon='1'><name>&b;</name></wpt></gpx>", "damaged in line 1"),
    "cut short": (b"<gpx>\n<wpt lat='1' lon='1'>", "damaged in line 2"),
    "no position": (b"<gpx>\n<wpt lat='1'/></gpx>", "A point in line 2 has no position"),
    "a position in words": (b"<gpx><wpt lat='north' lon='1'/></gpx>", "has no position"),
    "not a number": (b"<gpx><trkpt lat='nan' lon='1'/></gpx>", "has no position"),
    "without end": (b"<gpx><trkpt lat='1e999' lon='1'/></gpx>", "has no position"),
    "nowhere on Earth": (b"<gpx><trkpt lat='91' lon='1'/></gpx>", "has no position"),
    "a number of a megabyte": (b"<gpx><trkpt lat='" + b"1" * 2**20 + b"' lon='1'/></gpx>", "has no position"),
    "elements within elements": (b"<gpx>" + b"<a>" * 100_000, "damaged in line 1"),
    "11 MB": (b"<gpx>" + b" " * MAX_BYTES, "larger than 10 MB"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_usable_file_is_refused_with_the_reason(name: str) -> None:
    content, reason = REFUSED[name]
    with pytest.raises(InvalidGpx, match=reason):
        read_gpx(content)


def test_a_million_points_are_refused_in_bounded_time_and_memory() -> None:
    content = b"<gpx><trk><trkseg>" + b'<trkpt lat="1" lon="1"/>' * 1_000_000
    with pytest.raises(InvalidGpx, match="larger than 10 MB"):
        read_gpx(content)
    content = b"<gpx><trk><trkseg>" + b'<trkpt lat="1" lon="1"/>' * (MAX_BYTES // 24 - 10)

    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(InvalidGpx, match=f"more than {MAX_POINTS:,} points"):
        read_gpx(content)
    seconds, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert seconds < 20
    assert peak < 100 * 2**20


def test_a_name_without_end_is_cut_and_waypoints_beyond_the_most_are_left_out() -> None:
    file = read_gpx(make_gpx('<wpt lat="1" lon="1"><name>' + "x" * 10_000 + "</name></wpt>"))
    assert file.waypoints[0].name == "x" * 80

    file = read_gpx(make_gpx('<wpt lat="1" lon="1"/>' * (MAX_WAYPOINTS + 5)))
    assert (len(file.waypoints), file.has_more_waypoints) == (MAX_WAYPOINTS, True)


def test_as_many_points_as_there_may_be_become_a_small_track_of_the_same_length() -> None:
    chance, points = random.Random(1), [(50.0, -114.0)]
    for _number in range(60_000):
        north, east = points[-1]
        points.append((north + chance.uniform(4e-5, 8e-5), east + chance.uniform(-4e-5, 4e-5)))
    length = sum(measure(*pair) for pair in pairwise(points))

    start = time.process_time()
    track = make_track(points)
    assert track is not None
    assert time.process_time() - start < 10
    assert len(track.points) <= MAX_STORED
    assert track.length == pytest.approx(length, rel=0.05)
    away = max(min(measure(point, other) for other in track.points) for point in points[::3_000])
    assert away < 500


def test_a_halt_adds_no_distance() -> None:
    track = make_track([(51.0, -114.0), *([(51.00001, -114.0), (51.0, -114.00001)] * 500), (51.01, -114.0)])
    assert track is not None
    assert track.length == pytest.approx(1112, abs=5)
    assert make_track([(51.0, -114.0)] * 5) is None
    assert make_track([]) is None


def test_a_track_is_stored_to_a_metre_and_loaded_again() -> None:
    points = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
    assert encode_points(points) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@", "the example of the format’s documentation"
    assert decode_points(encode_points(points)) == points
    track = load_track(encode_points(points), 900_000)
    assert track.length == pytest.approx(900_000)


@pytest.mark.parametrize("text", ["", "_", "~~~~~~~~~~~~~~", "_p~iF", "\x00\x01", "é", "_p~iF~ps|U" * 20])
def test_what_is_no_track_is_not_loaded(text: str) -> None:
    with pytest.raises(ValueError, match=r"poly|point"):
        load_track(text, 1000)


def list_found(track: Track, places: Sequence[Point]) -> list[float]:
    return [position for position in find_positions(track, places) if position is not None]


def test_places_are_found_along_a_loop_and_along_a_road_that_is_ridden_twice() -> None:
    start, far, side = (51.0, -114.0), (51.1, -114.0), (51.05, -113.9)
    loop = make_track([start, far, side, start])
    assert loop is not None
    first, middle, last = list_found(loop, [start, side, start])
    assert [first, last] == pytest.approx([0, loop.length], abs=1)
    assert first < middle < last

    there_and_back = make_track([start, far, start])
    assert there_and_back is not None
    found = list_found(there_and_back, [(51.02, -114.0), far, (51.02, -114.0)])
    assert found == pytest.approx([2224, 11_120, 20_015], abs=30)


def test_a_place_that_is_far_from_the_road_has_no_position_and_disturbs_no_other() -> None:
    road = make_track([(51.0, -114.0), (51.1, -114.0)])
    assert road is not None
    assert find_positions(road, [(51.0, -114.0), (48.0, -100.0), (51.1, -114.0)]) == [
        pytest.approx(0, abs=1),
        None,
        pytest.approx(11_120, abs=20),
    ]
    assert find_positions(road, []) == []


def test_what_is_written_is_gpx_1_1_in_the_order_of_its_schema_and_is_read_again() -> None:
    places = [RoutePlace("Mill & <Bar>", (51.0, -114.0), "12 Main St\x07"), RoutePlace("Parks\x00", (51.1, -114.1))]
    content = write_gpx(
        "Ride\x1b 2026", "2026-06-20", "https://rides.example/events/ride/", places, [(51, -114), (51.1, -114.1)]
    )

    root = ElementTree.fromstring(content)
    assert content.startswith(b"<?xml version='1.0' encoding='utf-8'?>")
    assert (root.tag, root.get("version"), root.get("creator")) == (f"{{{NAMESPACE}}}gpx", "1.1", "Tailgunner")
    names = [child.tag.removeprefix(f"{{{NAMESPACE}}}") for child in root]
    assert names == ["metadata", "wpt", "wpt", "rte", "trk"]
    assert [child.tag.rpartition("}")[2] for child in root[0]] == ["name", "desc", "link"]
    assert [child.tag.rpartition("}")[2] for child in root[1]] == ["name", "desc"]
    assert b"time" not in content
    file = read_gpx(content)
    assert [one.name for one in file.waypoints] == ["Mill & <Bar>", "Parks"]
    assert file.points == [(51.0, -114.0), (51.1, -114.1)]


def test_one_stop_is_no_route() -> None:
    root = ElementTree.fromstring(write_gpx("Ride", "", "https://a.example/", [RoutePlace("A", (1.0, 2.0))], []))
    assert [child.tag.rpartition("}")[2] for child in root] == ["metadata", "wpt"]
