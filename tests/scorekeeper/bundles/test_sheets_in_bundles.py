"""Bundles in which somebody has changed the further sheets of bikes, and written the log and all hashes anew."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from games.core.bundle.layout import MANIFEST, BundleWriter
from games.core.bundle.reading import UnreadableBundle
from games.core.bundle.report import check_bundle
from games.core.canonical import canonical_json, sha256
from games.core.registry import find_games
from scorekeeper.bikes.models import FurtherSheet
from scorekeeper.events.models import Event
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.bundles.conftest import export, remove_event
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.sheet_rides import make_dice_run, sell

pytestmark = pytest.mark.database

Data = dict[str, Any]
SECOND, THIRD = 0, 1  # which of the sheets of bike 2


@pytest.fixture
def content(ride: Ride) -> bytes:
    """The bundle of an event that is not in this installation. Sheets 2/2 and 2/3 were sold, and nobody has rolled."""
    make_dice_run(ride)
    rita = make_actor(ride.rita)
    for sheet in (2, 3):
        sell(ride, rita, 2, sheet)
    refresh_standings(ride.contest.pk)
    exported = export(ride.event)
    remove_event(ride.event)
    return exported


def rewrite_log(content: bytes, change: Callable[[str, Data], Data | None]) -> bytes:
    """Write a bundle anew, with right hashes everywhere.

    Args:
        change: returns the data of a line, or None to leave it out. The bodies of entries are given as of section "".
    """
    lines = [(line["section"], line["data"]) for line in map(json.loads, content.splitlines())]
    hashes: dict[str, str] = {}
    changed: list[tuple[str, Data]] = []
    for section, data in lines:
        if section == "entries":
            body = json.loads(data["body"])
            text = canonical_json(change("", {**body, "prev": hashes.get(body["prev"], body["prev"])}))
            hashes[data["hash"]] = sha256(text)
            changed.append((section, {**data, "body": text, "hash": hashes[data["hash"]]}))
        elif (kept := change(section, data)) is not None:
            text = json.dumps(kept)
            for old, new in hashes.items():
                text = text.replace(old, new)
            changed.append((section, json.loads(text)))
    chains = sorted([data["id"], data["length"], data["head"]] for section, data in changed if section == "chains")
    writer = BundleWriter()
    written = [writer.write(section, data) for section, data in changed if section != MANIFEST]
    return b"".join([*written, writer.write_manifest(sha256(canonical_json(chains)))])


def renumber(content: bytes, number: Any, which: int = SECOND) -> bytes:
    """Give a sheet another number, in its line, in the log and in the receipt of its sale."""
    sheets = [json.loads(line)["data"] for line in content.splitlines() if json.loads(line)["section"] == "sheets"]
    sheet = sorted(sheets, key=lambda data: int(data["number"]))[which]["id"]

    def change(section: str, data: Data) -> Data:
        if section == "sheets" and data["id"] == sheet:
            return {**data, "number": number}
        if section == "" and data["kind"] == "sell_sheet" and data["data"]["sheet"] == sheet:
            return {**data, "data": {**data["data"], "number": number}}
        if section == "operations" and data["kind"] == "sell_sheet" and data["receipt"]["data"]["sheet"] == sheet:
            receipt = data["receipt"]
            return {**data, "receipt": {**receipt, "data": {**receipt["data"], "number": number}}}
        return data

    return rewrite_log(content, change)


def change_lines(content: bytes, changed: str, **values: Any) -> bytes:
    return rewrite_log(content, lambda section, data: {**data, **values} if section == changed else data)


def list_findings(content: bytes) -> list[str]:
    try:
        return [str(finding) for finding in check_bundle(io.BytesIO(content), find_games()).findings]
    except UnreadableBundle as error:
        return [str(error)]


def refuse(import_file: Callable[..., tuple[int, str]], content: bytes) -> str:
    status, printed = import_file(content)
    assert status == 1, printed
    assert "Nothing was imported" in printed
    assert not Event.objects.exists()
    return printed


def test_a_log_that_was_written_anew_without_changes_is_in_order(content: bytes, import_file) -> None:
    same = rewrite_log(content, lambda _section, data: data)

    assert same == content
    assert list_findings(same) == []
    assert import_file(same)[0] == 0
    assert {sheet.label for sheet in FurtherSheet.objects.all()} == {"2/2", "2/3"}
    assert export(Event.objects.get()) == content


@pytest.mark.parametrize("number", [3, 1, 0, -1, -(10**30)])
def test_a_number_that_no_further_sheet_can_have_is_found_by_both_commands(
    content: bytes, import_file, number: int
) -> None:
    changed = renumber(content, number)

    assert [text for text in list_findings(changed) if "another sheet of the bike has this number" in text]
    assert "another sheet of the bike has this number" in refuse(import_file, changed)


@pytest.mark.parametrize("number", [40_000, 10**9, 10**30])
def test_a_number_that_is_too_large_is_refused_in_a_sentence(content: bytes, import_file, number: int) -> None:
    refuse(import_file, renumber(content, number, THIRD))


@pytest.mark.parametrize(
    "values",
    [{"most": 0}, {"most": -1}, {"most": 1}, {"most": 10}, {"most": 10**30}, {"most": "3"}, {"each": "nobody"}],
    ids=str,
)
def test_rules_of_sheets_that_no_form_accepts_are_refused(content: bytes, import_file, values: Data) -> None:
    refuse(import_file, change_lines(content, "sheet_rules", **values))


def test_sheets_of_a_contest_that_sells_none_are_found(content: bytes, import_file) -> None:
    without = rewrite_log(content, lambda section, data: None if section == "sheet_rules" else data)

    assert len([text for text in list_findings(without) if "one scorecard per bike" in text]) == 2
    refuse(import_file, without)


def test_a_game_with_one_scorecard_per_bike_is_refused_with_its_clause(content: bytes, import_file) -> None:
    assert "ROCK-1" in refuse(import_file, change_lines(content, "contests", game="rock-yahtzee", options={}))


@pytest.mark.parametrize("version", [0, 1, 2, 3, 5, -1, None, "4", True, 4.5])
def test_a_version_that_does_not_fit_its_sheets_is_refused(content: bytes, import_file, version: Any) -> None:
    changed = change_lines(content, "bundle", version=version)

    assert list_findings(changed)
    status, printed = import_file(changed)
    assert status in (1, 2)
    assert "Nothing was imported" in printed
