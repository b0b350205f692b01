"""Query plans of a refresh after a single change: no statement reads the rest of the contest."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.standings.models import StandingsRow
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.standings.services.sweeper import refresh_stale_contests
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.standings.test_cutting import correct

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

BARE_CARDS = 3000
MAX_ROWS = 100  # the most rows of a table that a statement may read


def add_bare_cards(ride: Ride) -> None:
    """Add many cards without entries to those of the ride, all tied with bike 4."""
    bikes = Bike.objects.bulk_create(Bike(event=ride.event, number=number) for number in range(1000, 1000 + BARE_CARDS))
    ids = [derive_card_id(ride.contest.pk, bike.pk) for bike in bikes]
    tied_row = StandingsRow.objects.get(pk=derive_card_id(ride.contest.pk, ride.bikes[4].pk))
    Chain.objects.bulk_create(Chain(id=pk, event=ride.event, kind="card") for pk in ids)
    Scorecard.objects.bulk_create(Scorecard(id=pk, chain_id=pk, contest=ride.contest) for pk in ids)
    Seat.objects.bulk_create(
        Seat(card_id=pk, contest=ride.contest, bike=bike) for pk, bike in zip(ids, bikes, strict=True)
    )
    StandingsRow.objects.bulk_create(
        StandingsRow(
            id=pk,
            contest=ride.contest,
            bike=bike,
            total=tied_row.total,
            order_key=tied_row.order_key,
            status="playing",
            turns_done=1,
            log_length=0,
        )
        for pk, bike in zip(ids, bikes, strict=True)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def count_rows_read(statement: str) -> int:
    """Run a statement, and return the most rows that any part of its plan read."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}")
        (value,) = cursor.fetchone() or ("[]",)
    (explained,) = json.loads(value) if isinstance(value, str) else value
    return _count_plan_rows(explained["Plan"])


def _count_plan_rows(node: dict[str, Any]) -> int:
    removed = sum(count for name, count in node.items() if name.startswith("Rows Removed"))
    own = node["Actual Loops"] * (node["Actual Rows"] + removed)
    return max(own, *(_count_plan_rows(part) for part in node.get("Plans", ())), 0)


def assert_flat(ride: Ride) -> None:
    """Refresh once, roll back, and repeat it statement by statement: each may read only a few rows."""
    with CaptureQueriesContext(connection) as captured, transaction.atomic():
        refresh_standings(ride.contest.pk)
        transaction.set_rollback(True)
    statements = [
        query["sql"] for query in captured if not query["sql"].startswith(("SAVEPOINT", "RELEASE", "ROLLBACK"))
    ]
    assert len(statements) > 5
    assert {statement: count for statement in statements if (count := count_rows_read(statement)) > MAX_ROWS} == {}


def test_a_changed_card_is_refreshed_without_reading_the_others(
    ride: Ride, add_turn, update_standings, tied_bikes
) -> None:
    update_standings()
    add_bare_cards(ride)
    add_turn(4, 2, make_paper_turn("fives", 10))

    assert_flat(ride)


def test_a_changed_card_is_refreshed_without_reading_the_others_after_a_cut(
    ride: Ride, add_turn, update_standings, tied_bikes, close, cut, desk: Actor
) -> None:
    """ROCK-27: a cut is checked with the bikes it names, even where thousands are tied with one of them."""
    close()
    cut({1: "QS", 2: "KH", 3: "KD"})
    update_standings()
    add_bare_cards(ride)
    correct(ride, desk, 3, 20)

    assert_flat(ride)


def test_a_cut_no_longer_counts_when_another_bike_joins_the_tied_group(
    ride: Ride, add_turn, update_standings, tied_bikes, close, cut, places, desk: Actor
) -> None:
    """ROCK-27"""
    close()
    cut({1: "QS", 2: "KH", 3: "KD"})
    update_standings()
    correct(ride, desk, 4, 24)
    update_standings()

    assert places() == [("1=", number, 24) for number in (1, 2, 3, 4)]
    assert set(StandingsRow.objects.values_list("tie_key", flat=True)) == {0}


def test_the_sweep_does_not_read_cards(ride: Ride, add_turn, update_standings, tied_bikes) -> None:
    update_standings()
    add_bare_cards(ride)

    with CaptureQueriesContext(connection) as captured:
        assert refresh_stale_contests() == []

    assert [count_rows_read(query["sql"]) for query in captured] == [0]
