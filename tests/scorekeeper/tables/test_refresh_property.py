"""For table games too, refreshing step by step stores the same as a full recompute, to the last column.

The game is the duel: bikes play at any number of tables, in pairs, so that what happens at one table affects others.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import RecordingError
from scorekeeper.scorecards.open_table import TableWithEntrants
from scorekeeper.scorecards.selectors.tables import get_table, number_tables
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, correct_actions
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.reports import fold_report
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.tables.services import create_tables, withdraw_table
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.standings.conftest import dump_current, dump_recomputed
from tests.scorekeeper.table_fixtures import make_throw

pytestmark = pytest.mark.database

BIKES = st.integers(1, 5)
TABLES = st.integers(0, 3)
ACTIONS = st.sampled_from([make_throw(6, 6), make_throw(5, 5), make_throw(1, 2), {"type": "bank"}, {"type": "retire"}])
STEPS = st.one_of(
    st.tuples(st.just("deal"), BIKES, BIKES),
    st.tuples(st.just("act"), TABLES, st.integers(0, 1), ACTIONS),
    st.tuples(st.just("act"), TABLES, st.integers(0, 1), ACTIONS),
    st.tuples(st.just("act"), TABLES, st.integers(0, 1), ACTIONS),
    st.tuples(st.just("correct"), TABLES, st.integers(0, 1), st.none() | ACTIONS),
    st.tuples(st.just("withdraw"), TABLES),
    st.tuples(st.just("merge"), BIKES, BIKES),
    st.tuples(st.sampled_from(["close", "reopen", "follow", "follow"])),
)
# A chain of tables with recorded actions: whatever happens at the first table must not change the last.
OPENING = [
    *[("deal", number, number + 1) for number in (1, 2, 3)],
    *[("act", number, 0, make_throw(5, 5)) for number in (0, 1, 2)],
    ("follow",),
]


@dataclass(frozen=True)
class Evening:
    """Performs the steps in order, as an organiser who gives a reason for everything."""

    ride: Ride
    duel: Contest
    desk: Actor

    def do(self, word: str, *args: Any) -> None:
        # A step that is not possible in the current state is rejected, and that is a step too.
        with suppress(RecordingError, LookupError):
            getattr(self, f"_{word}")(*args)

    def _deal(self, one: int, other: int) -> None:
        create_tables(self.desk, uuid4(), self.duel.pk, [[self._bike(one), self._bike(other)]])

    def _act(self, number: int, seat: int, action: dict[str, Any]) -> None:
        table = self._table(number)
        new_action = NewAction(table.id, table.length, [{"seat": seat, **action}], reason="r")
        record_action(self.desk, uuid4(), new_action)

    def _correct(self, number: int, seat: int, action: dict[str, Any] | None) -> None:
        table = self._table(number)
        last = list(table.turns.values())[-1]
        target = CorrectionTarget(last.id, last.seq, None if action is None else [{"seat": seat, **action}])
        correct_actions(self.desk, uuid4(), table.id, [target], "r")

    def _withdraw(self, number: int) -> None:
        withdraw_table(self.desk, uuid4(), self._table(number).id, "r")

    def _merge(self, bike: int, into: int) -> None:
        if bike != into:
            merge_bikes(self.desk, uuid4(), self._bike(bike), self._bike(into), "r")

    def _close(self) -> None:
        close_contest(self.desk, uuid4(), self.duel.pk, "r")

    def _reopen(self) -> None:
        reopen_contest(self.desk, uuid4(), self.duel.pk, "r")

    def _follow(self) -> None:
        refresh_standings(self.duel.pk)

    def _bike(self, number: int) -> UUID:
        return self.ride.bikes[number].pk

    def _table(self, number: int) -> TableWithEntrants:
        table = get_table(self.ride.event, list(number_tables(self.duel.pk))[number])
        if table is None:
            raise LookupError(number)  # it was withdrawn
        return table


@pytest.fixture
def bike_duel(duel_contest: Contest) -> Contest:
    """Return the duel contest with bikes as players."""
    duel_contest.seats_are = Contest.SeatsAre.BIKES
    duel_contest.save()
    return duel_contest


@pytest.mark.django_db
@settings(max_examples=scaled(30, 8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=1, max_size=20))
@pytest.mark.slow
def test_refreshing_stores_the_same_as_a_full_recompute(
    ride: Ride, bike_duel: Contest, desk: Actor, steps: list[Any]
) -> None:
    before = transaction.savepoint()
    evening = Evening(ride, bike_duel, desk)
    for step in [*OPENING, *steps]:
        evening.do(*step)
    # Without the sweep that compares lengths: it would repair the mistakes of refreshing.
    refresh_standings(bike_duel.pk)
    bike_duel.refresh_from_db()

    refreshed = [row.to_data() for row in get_live_leaderboard(bike_duel).rows if row.is_ranked]
    recomputed = [row.to_data() for row in fold_report(bike_duel).rows]
    stored_rows = dump_current(bike_duel)
    recomputed_rows = dump_recomputed(bike_duel)
    transaction.savepoint_rollback(before)

    assert refreshed == recomputed
    assert stored_rows == recomputed_rows
