"""A bundle of which any byte was altered: both commands say so, and where."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User

from games.__main__ import main
from games.core.bundle.layout import HEADER, MANIFEST, SECTIONS, BundleWriter
from games.core.bundle.reading import UnreadableBundle
from games.core.bundle.report import BundleReport, check_bundle
from games.core.canonical import canonical_json, sha256
from games.core.registry import find_games
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.contest_rules import derive_card_id
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.bundles.conftest import export, remove_event
from tests.scorekeeper.conftest import Ride

ALTERED = scaled(1_000, 50)  # bytes, each given to both commands

pytestmark = pytest.mark.django_db


_made: list[bytes] = []  # bundles are bytes, so one does for all tests


@pytest.fixture
def bundle(db: None, request: pytest.FixtureRequest) -> bytes:
    """The bundle of an event that is not in this installation."""
    if not _made:
        ride: Ride = request.getfixturevalue("official_ride")
        _made.append(export(ride.event))
        remove_event(ride.event)
        User.objects.all().delete()
    return _made[0]


def check(content: bytes, head: str | None = None) -> BundleReport:
    return check_bundle(io.BytesIO(content), find_games(), head)


def list_alterations(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield positions, and the bytes that are put there: at random, with the first and the last byte."""
    chance = random.Random(16)
    inner = chance.sample(range(1, len(content) - 1), ALTERED - 2)
    for position in (0, *inner, len(content) - 1):
        yield position, chance.choice([byte for byte in range(256) if byte != content[position]])


def alter(content: bytes, position: int, byte: int) -> bytes:
    return content[:position] + bytes([byte]) + content[position + 1 :]


@pytest.mark.timeout(0)
@pytest.mark.slow
def test_an_altered_byte_is_noticed_by_both_commands_and_its_line_is_named(
    bundle: bytes, import_file, figures: Figures
) -> None:
    assert check(bundle).findings == []
    lines = set()
    for position, byte in list_alterations(bundle):
        line = bundle.count(b"\n", 0, position) + 1
        place = re.compile(rf"\bline {line}\b", re.IGNORECASE)
        altered = alter(bundle, position, byte)
        try:
            found = [str(finding) for finding in check(altered).findings]
        except UnreadableBundle as error:
            found = [str(error)]
        assert any(place.search(text) for text in found), (position, byte, found)
        status, printed = import_file(altered)
        assert status in (1, 2)
        assert place.search(printed), printed
        assert "Nothing was imported" in printed
        lines.add(line)
    assert not Event.objects.exists()

    figures.add(
        "35 · one byte of a bundle altered",
        f"{ALTERED:,} bytes at random in a bundle of {len(bundle):,}, in {len(lines):,} of its lines: each found by "
        "`python -m games verify` and by `import_event`, both with its line; 0 imported",
    )


def find_line(lines: list[bytes], section: str, **values: object) -> int:
    """The index of the first line of a section with these values."""
    for index, line in enumerate(lines):
        parsed = json.loads(line)
        if parsed["section"] == section and values.items() <= parsed["data"].items():
            return index
    raise AssertionError(values)


def test_a_byte_of_an_entry_names_the_bike_and_the_contest(bundle: bytes) -> None:
    assert not Entry.objects.exists(), "the names come from the file alone"
    lines = bundle.splitlines(keepends=True)
    bike = json.loads(lines[find_line(lines, "bikes", number=4)])["data"]["id"]
    contest = json.loads(lines[find_line(lines, "contests")])["data"]["id"]
    number = find_line(lines, "entries", chain=str(derive_card_id(UUID(contest), UUID(bike))))
    lines[number] = lines[number].replace(b"fives", b"sixes", 1)

    (finding,) = check(b"".join(lines)).findings

    assert str(finding).startswith(
        f"Line {number + 1}, section entries, entry 1 of the scorecard of bike 4 in “R.O.C.K. Yahtzee”: this line was"
    )


def test_removed_added_and_swapped_lines_are_named(bundle: bytes) -> None:
    lines = bundle.splitlines(keepends=True)
    removed = check(b"".join([*lines[:40], *lines[41:]])).findings
    assert [finding.line for finding in removed][:1] == [41]
    added = check(b"".join([*lines[:40], lines[39], *lines[40:]])).findings
    assert [finding.line for finding in added][:1] == [41]
    swapped = check(b"".join([*lines[:40], lines[41], lines[40], *lines[42:]])).findings
    assert [finding.line for finding in swapped][:1] == [41]


# What somebody can do who writes all checksums anew.


def rewrite(content: bytes, change: Callable[[str, dict[str, object]], dict[str, object] | None]) -> bytes:
    """Write a bundle anew, with right checksums and a right manifest. `change` returns a line's data, or None."""
    writer, out, head = BundleWriter(), [], ""
    for line in content.splitlines():
        parsed = json.loads(line)
        if parsed["section"] == MANIFEST:
            head = parsed["data"]["event_head"]
            continue
        data = change(parsed["section"], parsed["data"])
        if data is not None:
            out.append(writer.write(parsed["section"], data))
    return b"".join([*out, writer.write_manifest(head)])


def change_where(section: str, match: Callable[[dict[str, object]], bool], **values: object):
    """Change the first line of a section that matches."""
    done: list[int] = []

    def change(name: str, data: dict[str, object]) -> dict[str, object]:
        if name != section or done or not match(data):
            return data
        done.append(1)
        return {**data, **values}

    return change


def anything(_data: object) -> bool:
    return True


@pytest.mark.parametrize(
    ("section", "values", "expected"),
    [
        ("standings", {"row": {}}, "the standings"),
        ("chains", {"length": 99}, "it should have 99 entries"),
        ("chains", {"head": "0" * 64}, "its head is not the hash of its last entry"),
        ("contests", {"status": "open"}, "but its log says official"),
        ("contests", {"seats_are": "players"}, "its rules differ"),
        ("operations", {"actor": "0" * 8 + "-0000-4000-8000-" + "0" * 12}, "who sent it"),
        ("operations", {"received_at": "2026-01-01T00:00:00.000000+00:00"}, "the time"),
        ("reasons", {"text": "another"}, "it is not the reason that was given"),
        ("witnesses", {"name": "another"}, "it is not the witness that was named"),
        ("revisions", {"event_head": "0" * 64}, "its head is not that of the chains"),
        ("revisions", {"awards": None}, "the winners of its prizes"),
        ("revisions", {"chains": [[5, 1, ""]]}, "the chains that it lists cannot be read"),
        ("revision_cards", {"card": {"card": 5, "holder": 5, "lines": [], "total": 0}}, "the log has no such"),
        ("revision_cards", {"index": 7}, ""),
        ("bikes", {"group": "0" * 8 + "-0000-4000-8000-" + "0" * 12}, "is not in section groups"),
        ("bikes", {"number": "1"}, "number has a value that it cannot have"),
        ("bikes", {"colour": "red"}, "fields are missing or unknown: colour"),
        ("cards", {"id": {}}, "id has a value that it cannot have"),
        ("entries", {"chain": []}, "chain has a value that it cannot have"),
        ("entries", {"operation": {}}, "operation has a value that it cannot have"),
        ("revision_rows", {"revision": []}, "revision has a value that it cannot have"),
        ("revision_cards", {"revision": {}}, "revision has a value that it cannot have"),
        ("standings", {"contest": []}, "contest has a value that it cannot have"),
        ("event", {"id": "../../etc/passwd"}, "id has a value that it cannot have"),
        (HEADER, {"roster": "some"}, "neither “public” nor “full”"),
    ],
)
def test_changes_with_new_checksums_are_found_by_what_they_contradict(
    bundle: bytes, import_file, section: str, values: dict[str, object], expected: str
) -> None:
    changed = rewrite(bundle, change_where(section, lambda data: not values.items() <= data.items(), **values))

    found = [str(finding) for finding in check(changed).findings]

    assert any(expected in text for text in found) or not expected
    status, printed = import_file(changed)
    assert status == 1
    assert "Nothing was imported" in printed
    assert expected in printed
    assert not Event.objects.exists()


# What no entry of the log says, as the report tells everyone (`NOT_IN_THE_LOG`). Contests are open, closed and official
# in this bundle, so what their logs have only while they are closed is found in some line.
OF_THE_EVENTS_PAGE = ("event_page", "posters", "programme", "page_sponsors", "route_track", "stop_distances")
UNSIGNED = {
    **{section: {*SECTIONS[section]} for section in OF_THE_EVENTS_PAGE},
    "event": {*SECTIONS["event"]} - {"id", "is_practice"},
    "stops": {*SECTIONS["stops"]} - {"id"},
    "groups": {"name", "ordinal"},
    "dice_sets": {*SECTIONS["dice_sets"]},
    "crew": {*SECTIONS["crew"]},
    "contests": {"asks_agreement", "frozen_at", "name", "ordinal", "slug"},
    "bikes": {"group", "make", "model"},
    "players": {"bike", "id", "name", "role"},
    "check_items": {"name", "ordinal", "id"},
    "logos": {"content", "media_type"},
    "prizes": {"position"},
    "certificates": {*SECTIONS["certificates"]},
    "unchecked_people": {*SECTIONS["unchecked_people"]},
    "freeze": {*SECTIONS["freeze"]},
    "frozen_standings": {*SECTIONS["frozen_standings"]},
}


def list_other_values(kind: str, value: Any, ids: Mapping[str, list[str]]) -> Iterator[object]:
    """Yield other values that a field of this kind can have."""
    match kind.rstrip("?").partition(":"):
        case ("text", _, _):
            yield "2019-01-01" if re.fullmatch(r"\d{4}-\d\d-\d\d", value or "") else f"{value or ''}x"
        case ("number", _, _):
            yield (value or 0) + 1
        case ("bike number", _, _):
            yield f"{value}B"
        case ("flag", _, _):
            yield not value
        case ("id", "", _):
            yield str(UUID(int=7))
        case ("id", _, section):
            yield from [id_ for id_ in ids.get(section, ()) if id_ != value][:1]


def list_changed_bundles(bundle: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yield bundles in which one field is another, in the first or the last line of its section, and which it is."""
    sections: dict[str, list[dict[str, Any]]] = {}
    for line in map(json.loads, bundle.splitlines()):
        sections.setdefault(line["section"], []).append(line["data"])
    ids = {section: [data.get("id", "") for data in lines] for section, lines in sections.items()}
    for section, lines in sections.items():
        for name, kind in SECTIONS[section].items() if section not in (HEADER, MANIFEST) else ():
            for data in lines[:: max(1, len(lines) - 1)]:
                for other in list_other_values(kind, data[name], ids):
                    yield section, name, rewrite(bundle, change_where(section, data.__eq__, **{name: other}))


def is_accepted(content: bytes) -> bool:
    try:
        return check(content).is_in_order
    except UnreadableBundle:
        return False


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_every_field_that_the_log_speaks_of_is_compared_with_it(bundle: bytes) -> None:
    changed = list(list_changed_bundles(bundle))
    accepted = {(section, name) for section, name, content in changed if is_accepted(content)}

    assert {f"{section}.{name}" for section, name in accepted if name not in UNSIGNED.get(section, ())} == set()
    assert len(changed) > 200


@pytest.mark.parametrize(
    ("section", "change"),
    [
        ("cards", {"index": 1}),
        ("cards", {"is_only": False}),
        ("reasons", None),
        ("witnesses", None),
        ("review_items", None),
    ],
)
def test_seats_and_missing_lines_are_found(bundle: bytes, section: str, change: dict[str, object] | None) -> None:
    done: list[int] = []

    def alter_first(name: str, data: dict[str, Any]) -> dict[str, Any] | None:
        if name != section or done or (change and not data["seats"]):
            return data
        done.append(1)
        return None if change is None else {**data, "seats": [{**data["seats"][0], **change}, *data["seats"][1:]]}

    assert not check(rewrite(bundle, alter_first)).is_in_order
    assert done


def test_lines_in_another_order_are_found(bundle: bytes) -> None:
    lines = [json.loads(line) for line in bundle.splitlines()]
    for section in ("stops", "contests", "bikes", "players", "cards", "operations", "review_items", "standings"):
        first = next(index for index, line in enumerate(lines) if line["section"] == section)
        if lines[first + 1]["section"] != section:
            continue
        writer = BundleWriter()
        swapped = [*lines[:first], lines[first + 1], lines[first], *lines[first + 2 :]]
        content = b"".join(writer.write(line["section"], line["data"]) for line in swapped[:-1])
        report = check(content + writer.write_manifest(lines[-1]["data"]["event_head"]))
        assert not report.is_in_order, section


# Of the lines of a section, the first that does not have these values already: ids, and so the order, are random.
@pytest.mark.parametrize(
    ("section", "values"),
    [
        ("slots", {"ordinal": 9}),
        ("cards", {"seats": []}),
        ("bikes", {"is_walk_up": True}),
        ("bikes", {"did_not_start": True}),
        ("chains", {"is_sealed": False, "is_alias": True}),
        ("review_items", {"decision": "apply"}),
        ("stops", {"latitude": "47.50"}),
        ("stops", {"opens_at": "9:30"}),
        ("event", {"time_zone": "Mars/Olympus"}),
        ("event", {"date": "2026-06-31"}),
        ("logos", {"content": "PHN2Zz4="}),
        ("contests", {"prizes": 7}),
        ("revision_rows", {"index": 3}),
        ("players", {"role": "pillion"}),
    ],
)
def test_what_only_the_server_knows_is_refused_by_the_import(
    bundle: bytes, import_file, section: str, values: dict[str, object]
) -> None:
    """Not all of it is in the log's hashes, so python -m games verify need not find it."""
    status, printed = import_file(
        rewrite(bundle, change_where(section, lambda data: not values.items() <= data.items(), **values))
    )
    assert status == 1, printed
    assert "Nothing was imported" in printed
    assert not Event.objects.exists()


def forge(content: bytes) -> bytes:
    """Replace the dice of a turn and hash the rest of its chain anew: what a club's own administrator could do."""
    lines = [json.loads(line) for line in content.splitlines()]
    entries = [line["data"] for line in lines if line["section"] == "entries"]
    chain = next(data["chain"] for data in entries if '"box":"sixes"' in data["body"])
    forged, prev = {}, ""
    for data in entries:
        if data["chain"] == chain:
            body = {**json.loads(data["body"]), "prev": prev}
            if body["actions"] and body["actions"][-1].get("box") == "sixes":
                body["actions"] = [{"type": "result", "dice": [6, 6, 6, 6, 6]}, body["actions"][-1]]
            text = canonical_json(body)
            prev = sha256(text)
            forged[data["seq"]] = {**data, "body": text, "hash": prev}

    def change(section: str, data: dict[str, object]) -> dict[str, object]:
        if section == "entries" and data["chain"] == chain:
            return dict(forged[data["seq"]])
        if section == "chains" and data["id"] == chain:
            return {**data, "head": prev}
        return data

    return rewrite(content, change)


def test_a_forged_entry_contradicts_receipts_revisions_and_standings(bundle: bytes) -> None:
    found = " ".join(str(finding) for finding in check(forge(bundle)).findings)
    for expected in (
        "the receipt",
        "no longer has entry",
        "by the log and the rules",
        "its head of the",
    ):
        assert expected in found, expected


def test_a_published_head_tells_a_bundle_from_another_log(bundle: bytes) -> None:
    report = check(bundle)
    for head in (report.digest, report.event_head, *report.heads):
        confirmed = check(bundle, head.upper())
        assert confirmed.is_in_order
        assert "The hash that you gave is that of the" in confirmed.list_sentences()[-1]
    other = check(bundle, "ab" * 32)
    assert [finding.where for finding in other.findings] == ["--head"]
    assert "Somebody who can replace the whole log" in report.list_sentences()[-1]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["verify", *arguments])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_the_exit_status_and_the_json_of_the_command(
    bundle: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(bundle)
    status, out, _err = run(capsys, str(path))
    assert status == 0
    assert f"SHA-256 of the file: {sha256(bundle)}" in out
    assert "All in order: " in out
    status, out, _err = run(capsys, str(path), "--json")
    assert (status, json.loads(out)["ok"], json.loads(out)["sha256"]) == (0, True, sha256(bundle))

    path.write_bytes(alter(bundle, 5000, 0))
    status, out, _err = run(capsys, str(path))
    assert status == 1
    assert "1 difference found." in out
    status, out, _err = run(capsys, str(path), "--json")
    assert status == 1
    assert json.loads(out)["findings"][0]["line"] == bundle.count(b"\n", 0, 5000) + 1

    path.write_bytes(b"")
    status, out, err = run(capsys, str(path))
    assert (status, out, err) == (2, "", f"{path} cannot be checked: it is empty.\n")
    status, out, _err = run(capsys, str(path), "--json")
    assert (status, json.loads(out)) == (2, {"ok": False, "unreadable": "it is empty"})
    assert run(capsys, str(tmp_path / "none"))[0] == 2


def test_names_cannot_move_the_cursor_of_a_terminal(
    bundle: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(rewrite(bundle, change_where("event", anything, name="Rock\x1b[2J\u202e the Roll")))
    _status, out, _err = run(capsys, str(path))
    assert "Rock?[2J? the Roll" in out


def test_the_layout_names_every_section_once_and_in_order() -> None:
    assert next(iter(SECTIONS)) == HEADER
    assert list(SECTIONS)[-1] == MANIFEST
    for fields in SECTIONS.values():
        for kind in fields.values():
            target = kind.removesuffix("?").partition(":")[2]
            assert not target or "id" in SECTIONS[target]
    assert canonical_json({"b": "é", "a": [1, None]}) == '{"a":[1,null],"b":"é"}'
