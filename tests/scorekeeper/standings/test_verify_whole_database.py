"""`manage.py verify` finds what belongs to no event, values that no program stored, and edits of what is shown."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from scorekeeper.audience.services import freeze_standings, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.dice.models import DiceAudit
from scorekeeper.dice.services import count_dice
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.standings.models import ChancesReport, LuckReport
from scorekeeper.standings.services.luck_computation import compute_luck
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Stop
from tests.guards import remove_event_guards
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.standings.raw_edits import execute, without_constraints

pytestmark = [pytest.mark.usefixtures("played", "without_guards"), pytest.mark.database]


@pytest.fixture
def played(ride: Ride, tied_bikes, close, cut, desk, add_turn) -> None:
    """Bikes 1 to 3 had to cut; a second entry of bike 4 is under review, since it differs from the first."""
    add_turn(4, 1, make_paper_turn("chance", 25))
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    publish_contest(desk, uuid4(), ride.contest.pk, "one waits")
    refresh_standings(ride.contest.pk)


def find_damage() -> str:
    out = StringIO()
    with pytest.raises(CommandError) as failed:
        call_command("verify", stdout=out)
    assert failed.value.returncode == 1
    return out.getvalue()


def expect_order() -> None:
    out = StringIO()
    call_command("verify", stdout=out)
    assert "all in order" in out.getvalue()
    assert "older" not in out.getvalue()


def test_the_chains_of_an_event_whose_row_was_deleted_are_named(ride: Ride) -> None:
    expect_order()
    with without_constraints():
        execute("DELETE FROM events_event")
        found = find_damage()
    assert "scorecards_chain" in found
    assert "column event_id" in found
    assert "it refers to a row of events_event that is missing" in found
    assert "Restore the newest backup that has no faults" in found


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events_event SET is_practice = NOT is_practice",
        "UPDATE events_event SET log_version = 1",
        "UPDATE events_event SET is_practice = NOT is_practice, log_version = 1",
    ],
)
def test_a_ride_that_was_made_a_practice_ride_is_named(event: Event, statement: str) -> None:
    expect_order()
    remove_event_guards()
    with without_constraints():
        execute(statement)
        found = find_damage()
    assert f"Event {event.pk}: it is" in found
    assert "column id, is_practice, log_version" in found


def test_a_row_that_refers_to_another_event_is_named(ride: Ride, other_event: Event) -> None:
    group = other_event.groups.create(name="Strangers", ordinal=1)
    expect_order()
    Bike.objects.filter(pk=ride.bikes[1].pk).update(group=group)
    found = find_damage()
    assert "it belongs to another event than its event" in found
    assert f"table bikes_bike, row {ride.bikes[1].pk}, column group_id" in found


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("statement", "column"),
    [
        ("UPDATE scorecards_reviewitem SET opened_at = 'yesterday'", "opened_at"),
        ("UPDATE scorecards_reviewitem SET opened_at = '2026-02-30 10:00:00'", "opened_at"),
        ("UPDATE scorecards_chain SET is_sealed = -1", "is_sealed"),
        ("UPDATE bikes_bike SET did_not_start = 'no'", "did_not_start"),
        ("UPDATE events_event SET date = 20260620", "date"),
        ("UPDATE events_event SET date = '2026-06-31'", "date"),
        ("UPDATE events_event SET id = upper(id)", "id"),
        ("UPDATE events_event SET name = x'00'", "name"),
        ("UPDATE stops_stop SET latitude = 'north'", "latitude"),
        ("UPDATE bikes_bike SET number = '12A' WHERE number = '00005'", "number"),
        ("UPDATE bikes_bike SET number = '00012a' WHERE number = '00005'", "number"),
        ("UPDATE stops_stop SET opens_at = '10:00'", "opens_at"),
        ("UPDATE stops_stop SET ordinal = 1.5 WHERE ordinal = 1", "ordinal"),
        ("UPDATE crew_crewmember SET role = 'king'", "role"),
        ("UPDATE scorecards_turn SET points = 'many'", "points"),
        ("UPDATE scorecards_entry SET body = CAST(body AS BLOB)", "body"),
        ("UPDATE scorecards_operation SET body = CAST(body AS BLOB)", "body"),
    ],
)
def test_values_that_sqlite_lets_in_are_named_and_end_in_no_traceback(ride: Ride, statement: str, column: str) -> None:
    expect_order()
    with without_constraints():
        execute(statement)
        found = find_damage()
    assert f"column {column}" in found
    assert "it is not a value that the program stores there" in found


def test_the_last_microseconds_of_a_day_are_a_time(ride: Ride) -> None:
    """SQLite reads a time in thousandths of a second, and would round this one to the next day."""
    Event.objects.update(created_at=dt.datetime(2026, 6, 20, 23, 59, 59, 999999, tzinfo=dt.UTC))
    Stop.objects.update(opens_at=dt.time(23, 59, 59, 999999))
    expect_order()


def test_words_and_numbers_that_no_form_accepts_are_named(ride: Ride) -> None:
    execute("UPDATE crew_crewmember SET role = 'king'")
    execute("UPDATE bikes_bike SET number = '00000' WHERE number = '00005'")
    found = find_damage()
    assert "table crew_crewmember" in found
    pk = ride.bikes[5].pk
    assert f"table bikes_bike, row {pk.hex if connection.vendor == 'sqlite' else pk}, column number" in found


def _forge_total(_ride: Ride) -> None:
    _edit_json("standings_frozenstandings", "board", lambda data: data["rows"][0].update(total=99))


def _forge_card(_ride: Ride) -> None:
    _edit_json("standings_frozenstandings", "cards", lambda data: data[0].update(total=99))


def _reveal_all(_ride: Ride) -> None:
    execute("UPDATE standings_frozenstandings SET revealed_from = 1")


def _unfreeze(_ride: Ride) -> None:
    execute("UPDATE events_freeze SET at = NULL")


def _delete_frozen(_ride: Ride) -> None:
    execute("DELETE FROM standings_frozenstandings")


def _edit_json(table: str, column: str, change: Callable[[Any], object]) -> None:
    """Change the JSON of the first row by SQL."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {table}")
        (stored,) = cursor.fetchall()[0]
        data = json.loads(stored) if isinstance(stored, str) else stored
        change(data)
        cursor.execute(f"UPDATE {table} SET {column} = %s", [json.dumps(data)])


@pytest.mark.parametrize("tamper", [_forge_total, _forge_card, _reveal_all, _unfreeze, _delete_frozen])
@pytest.mark.parametrize("has_checksums", [True, False])
def test_forged_frozen_standings_are_named(ride: Ride, tamper: Callable[[Ride], None], has_checksums: bool) -> None:
    freeze_standings(ride.event)
    start_reveal(ride.event, [ride.contest])
    reveal_to_step(ride.event, 1)
    if not has_checksums:  # as older versions stored them, or by someone who computed new ones
        execute("UPDATE standings_frozenstandings SET checksum = ''")
        execute("UPDATE events_freeze SET checksum = ''")
    expect_order()

    tamper(ride)

    found = find_damage()
    assert "Frozen standings of rock-yahtzee" in found or "events_freeze" in found
    assert "standings_frozenstandings" in found or "events_freeze" in found


def test_an_edited_luck_report_is_named_with_the_way_out(ride: Ride) -> None:
    assert compute_luck(ride.contest.pk)
    expect_order()
    _edit_json("standings_luckreport", "cards", lambda data: data.pop())
    found = find_damage()
    assert f"table standings_luckreport, row {ride.contest.pk}" in found
    assert "Delete this row; the program makes it again." in found
    LuckReport.objects.all().delete()
    assert compute_luck(ride.contest.pk)
    expect_order()


def test_an_edited_report_about_dice_is_named(ride: Ride) -> None:
    DiceAudit.objects.create(event=ride.event, requested_at=timezone.now())
    count_dice(ride.event.pk)
    expect_order()
    execute("UPDATE dice_diceaudit SET unsplit_turns = 99")
    assert "table dice_diceaudit" in find_damage()


def test_edited_chances_are_named(ride: Ride, desk) -> None:
    ChancesReport.objects.create(contest=ride.contest, chances={str(uuid4()): [0.25, 1e-7, -0.0]}, places=1)
    expect_order()
    execute("UPDATE standings_chancesreport SET places = places + 1")
    assert "table standings_chancesreport" in find_damage()


def test_every_finding_says_what_to_do(ride: Ride) -> None:
    execute("UPDATE standings_standingsrow SET total = total + 1")
    execute("UPDATE scorecards_turn SET points = points + 1")
    lines = find_damage().splitlines()
    described = [index for index, line in enumerate(lines) if line.startswith(ride.event.slug)]
    for index in described:
        assert "Restore the newest backup" in lines[index + 1] or "Delete this row" in lines[index + 1]


def test_the_first_entries_of_chains_say_what_the_event_is(ride: Ride) -> None:
    for chain in Chain.objects.filter(length__gt=0):
        first = json.loads(Entry.objects.get(chain=chain, seq=1).body)
        assert first["event"] == {"id": str(ride.event.pk), "practice": False}
        for later in Entry.objects.filter(chain=chain, seq__gt=1):
            assert "event" not in json.loads(later.body)
