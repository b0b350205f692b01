"""Fixtures for a ride near its end: turns recorded for some of the bikes, ready to be closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import StaleCard
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.standings.models import StandingsRow, StandingsState
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.services.card_cuts import record_cut
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn
from tests.scorekeeper.standings.played_event import play_event

__all__ = ["add_turn", "desk"]

AddTurn = Callable[..., Receipt]
Place = tuple[str, int, int]
WITNESS = "Wim Watcher"
StandingsDump = tuple[list[Any], list[int]]


@pytest.fixture
def update_standings(ride: Ride) -> Callable[[], bool]:
    """Refresh the standings, as the worker does after each commit."""
    return lambda: refresh_standings(ride.contest.pk)


@pytest.fixture
def places(ride: Ride) -> Callable[[], list[Place]]:
    """The leaderboard in short: rank label, bike, total; without bikes that have not rolled."""

    def list_places() -> list[Place]:
        ride.contest.refresh_from_db()
        board = get_live_leaderboard(ride.contest)
        return [(row.rank_label, int(row.number), row.total) for row in board.rows if row.is_ranked]

    return list_places


@pytest.fixture
def close(ride: Ride, desk: Actor) -> Callable[[], Receipt]:
    """Close the contest for the usual reason."""
    return lambda: close_contest(desk, uuid4(), ride.contest.pk, "the ride is over")


@pytest.fixture
def cut(ride: Ride, desk: Actor) -> Callable[[dict[int, str | None]], Receipt]:
    """Cut cards: `cut({1: "QS", 2: None})`, by bike number."""

    def make(cards: dict[int, str | None]) -> Receipt:
        cards_by_id: dict[UUID, str | None] = {ride.bikes[number].pk: card for number, card in cards.items()}
        return record_cut(desk, uuid4(), ride.contest.pk, cards_by_id, WITNESS)

    return make


@pytest.fixture
def tied_bikes(add_turn: AddTurn) -> None:
    """Bikes 1, 2 and 3 are tied with 24 points, bike 4 has 20."""
    for number in (1, 2, 3):
        add_turn(number, 1, make_paper_turn("chance", 24))
    add_turn(4, 1, make_paper_turn("chance", 20))


def dump_current(contest: Contest) -> StandingsDump:
    """Every stored column of every row, and the cuts that no longer count."""
    stale = StandingsState.objects.values_list("stale_cuts", flat=True).get(pk=contest.pk)
    return list(StandingsRow.objects.filter(contest=contest).order_by("pk").values()), stale


def dump_recomputed(contest: Contest) -> StandingsDump:
    """The same after everything was deleted and the whole contest folded again."""
    StandingsRow.objects.filter(contest=contest).delete()
    StandingsState.objects.filter(pk=contest.pk).delete()
    StaleCard.objects.create(contest=contest)
    refresh_standings(contest.pk)
    return dump_current(contest)


def get_status(contest: Contest) -> str:
    """The contest's stored status."""
    return Contest.objects.values_list("status", flat=True).get(pk=contest.pk)


@pytest.fixture
def played_event(ride: Ride, other_event: Event) -> Event:
    """The demo ride with everything it lacks by default, beside two other events."""
    return play_event()
