"""Files that are no bundles, or that are meant to do harm: both commands refuse them with one clear sentence."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from games.core.bundle import layout, reading
from games.core.bundle.layout import BundleWriter
from games.core.bundle.reading import UnreadableBundle
from games.core.bundle.report import check_bundle
from games.core.canonical import sha256
from games.core.registry import find_games
from scorekeeper.events.models import DeletedEvent, Event
from tests.scorekeeper.bundles.conftest import export, remove_event
from tests.scorekeeper.bundles.test_altered_bundles import anything, change_where, rewrite
from tests.scorekeeper.conftest import Ride

pytestmark = pytest.mark.django_db


def refuse(content: bytes) -> str:
    with pytest.raises(UnreadableBundle) as caught:
        check_bundle(io.BytesIO(content), find_games())
    return str(caught.value)


def make_zip(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is empty"),
        (b"\n", "line 1 is not the header of a bundle"),
        (b"bike,points\n57,20\n", "line 1 is not the header of a bundle"),
        (b"\x00" * 1000, "line 1 is not the header of a bundle"),
        (b'{"format":"tailgunner-witness","version":1}\n', "line 1 is not the header of a bundle"),
        (b"\xef\xbb\xbf{}\n", "line 1 is not the header of a bundle"),
        (b"[" * 100_000, "line 1 is not the header of a bundle"),
        (make_zip("../../evil.py", "/etc/passwd"), "it is a ZIP archive"),
        (make_zip(), "it is an empty ZIP archive"),
        (gzip.compress(bytes(10_000_000)), "it is compressed with gzip"),
        (b"%PDF-1.7\n", "it is a PDF"),
    ],
    ids=["empty", "newline", "csv", "zeros", "witness", "mark", "deep", "zip", "empty zip", "bomb", "pdf"],
)
def test_a_file_that_is_no_bundle_is_refused(content: bytes, why: str, import_file) -> None:
    assert why in refuse(content)
    status, printed = import_file(content)
    assert status == 2
    assert why in printed
    assert "Nothing was imported" in printed


def test_a_bundle_that_is_cut_short_anywhere_says_so(ride: Ride, import_file) -> None:
    content = export(ride.event)
    remove_event(ride.event)
    for size in (*range(700, len(content) - 1, 997), len(content) - 1):
        cut = content[:size]
        line = cut.count(b"\n") + (not cut.endswith(b"\n"))
        try:
            found = [str(finding) for finding in check_bundle(io.BytesIO(cut), find_games()).findings]
        except UnreadableBundle as error:
            found = [str(error)]
        assert any("cut short" in text and f"line {line}" in text.lower() for text in found), (size, found)
    assert import_file(content[:2000])[0] == 2


def test_a_newer_version_is_refused_and_says_what_to_do(ride: Ride, import_file) -> None:
    newer = rewrite(export(ride.event), change_where("bundle", anything, version=layout.VERSION + 1))
    read = f"it is a bundle of version {layout.VERSION + 1}, and this program reads versions 1 to {layout.VERSION}."
    assert refuse(newer).startswith(read)
    assert "or with a newer one" in import_file(newer)[1]


def test_sections_that_are_twice_there_unknown_or_out_of_order_are_refused(ride: Ride) -> None:
    writer = BundleWriter()
    lines = [writer.write_header(str(ride.event.pk), "full")]
    lines += [writer.write("../../etc/passwd", {}), writer.write("bikes", {}), writer.write("stops", {})]
    lines += [writer.write_manifest(""), writer.write_manifest("")]

    found = [str(finding) for finding in check_bundle(io.BytesIO(b"".join(lines)), find_games()).findings]

    assert any(text.startswith("Line 2,") for text in found), "a name that is no section"
    assert "Line 4, section stops: it comes after section bikes" in found
    assert "Line 6, section manifest: it comes after section manifest" in found


def test_the_same_id_twice_is_refused(ride: Ride, import_file) -> None:
    first = json.loads(next(line for line in export(ride.event).splitlines() if b'"section":"bikes"' in line))["data"]
    content = rewrite(
        export(ride.event), lambda section, data: {**data, "id": first["id"]} if section == "bikes" else data
    )
    remove_event(ride.event)
    status, printed = import_file(content)
    assert status == 1
    assert "has the same id" in printed


def test_a_line_or_a_file_that_is_too_large_is_refused_before_it_is_read(
    ride: Ride, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = export(ride.event)
    monkeypatch.setattr(reading, "MAX_SIZE", 4000)
    assert "it is too large" in refuse(content)
    monkeypatch.undo()
    monkeypatch.setattr(reading, "MAX_LINE", 100)
    assert "it is too large: line 1" in refuse(content)


@pytest.mark.parametrize("data", ['{"a":1,"a":1}', '{"a": 1}', '{"a":"\\u0041"}', '{"a":1e999}', "[" * 5000, "NaN"])
def test_json_that_is_not_written_as_a_bundle_writes_it_is_refused(ride: Ride, data: str) -> None:
    writer = BundleWriter()
    header = writer.write_header(str(ride.event.pk), "full")
    start = f'{{"data":{data},"line":2,"section":"event"'.encode()
    line = start + b',"sha256":"' + sha256(start).encode() + b'"}\n'
    report = check_bundle(io.BytesIO(header + line + writer.write_manifest("")), find_games())
    assert report.findings[0].line == 2
    assert "its data cannot be read" in report.findings[0].what


def test_an_event_that_is_here_already_is_left_as_it_is(official_ride: Ride, import_file) -> None:
    content = export(official_ride.event)
    status, printed = import_file(content)
    assert status == 1
    assert f"This event is here already: “Rock the Roll”, at the address {official_ride.event.slug}." in printed
    assert export(official_ride.event) == content


def test_an_address_that_another_event_has_can_be_replaced(ride: Ride, other_event: Event, import_file) -> None:
    Event.objects.filter(pk=ride.event.pk).update(slug="taken")
    content = export(Event.objects.get(pk=ride.event.pk))
    remove_event(ride.event)
    Event.objects.filter(pk=other_event.pk).update(slug="taken")

    status, printed = import_file(content)
    assert (status, "--address" in printed) == (1, True)
    assert import_file(content, "--address", "not an address")[0] == 1
    assert import_file(content, "--address", "another")[0] == 0
    assert Event.objects.get(pk=ride.event.pk).slug == "another"


def test_a_deleted_event_stays_deleted(ride: Ride, import_file) -> None:
    content = export(ride.event)
    remove_event(ride.event)
    DeletedEvent.objects.create(
        id=ride.event.pk, name="Rock the Roll", slug=ride.event.slug, deleted_at="2026-07-01T00:00:00Z"
    )
    status, printed = import_file(content)
    assert status == 1
    assert "was deleted here on 2026-07-01" in printed


def test_rows_of_another_event_are_never_touched(ride: Ride, other_event: Event, import_file) -> None:
    before = export(other_event)
    stolen = rewrite(
        export(ride.event), lambda section, data: {**data, "id": str(other_event.pk)} if section == "event" else data
    )
    remove_event(ride.event)
    assert import_file(stolen)[0] == 1
    assert export(other_event) == before


def test_an_unknown_organiser_or_file_is_named(ride: Ride, import_file, tmp_path: Path) -> None:
    content = export(ride.event)
    assert "There is no account “nobody”" in import_file(content, "--organiser", "nobody")[1]
