"""Property test: refreshing step by step gives the same standings as ranking a full recompute, in any order of steps.

The steps are refreshed in chunks of any size: the worker runs now and then, and some of its messages are lost.
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

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem, StaleCard
from scorekeeper.ledger.services.recording import RecordingError
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.reports import fold_report
from scorekeeper.standings.services.card_cuts import record_cut
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.standings.services.sweeper import mark_outgrown_cards, refresh_stale_contests
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.standings.conftest import dump_current, dump_recomputed

pytestmark = pytest.mark.database

BIKES = st.integers(1, 4)
# Few boxes and few points, so that there are many ties and many conflicts.
LINES = st.sampled_from([("chance", 5), ("chance", 6), ("fives", 5), ("sixes", 6), ("aces", 0)])
RIDE_STEPS = st.one_of(
    st.tuples(st.just("record"), BIKES, st.integers(0, 4), LINES),
    st.tuples(st.just("record"), BIKES, st.integers(0, 4), LINES),
    st.tuples(st.just("amend"), BIKES, st.integers(0, 4), LINES),
    st.tuples(st.just("void"), BIKES, st.integers(0, 4)),
    st.tuples(st.just("move"), BIKES, BIKES, st.integers(0, 4)),
    st.tuples(st.just("retire"), BIKES),
    st.tuples(st.just("merge"), BIKES, BIKES),
    st.tuples(st.just("settle"), st.sampled_from(["keep", "apply"])),
    st.tuples(st.sampled_from(["refresh", "lose"])),
)
CUT_STEP = st.tuples(st.just("cut"), st.permutations(["2S", "KH", "KD", "AC", None]))
FINISH_STEPS = st.one_of(
    CUT_STEP, CUT_STEP, RIDE_STEPS, st.tuples(st.sampled_from(["close", "reopen", "publish", "refresh"]))
)
DAYS = st.builds(
    lambda ride, evening: [*ride, ("close",), *evening],
    st.lists(RIDE_STEPS, min_size=2, max_size=15),
    st.lists(FINISH_STEPS, min_size=2, max_size=12),
)


@dataclass(frozen=True)
class Day:
    """Executes the steps one after another, as an organiser who gives a reason for everything."""

    ride: Ride
    desk: Actor

    def do(self, word: str, *args: Any) -> None:
        # A step that is not possible in the current state is refused, and that is tested too.
        with suppress(RecordingError, KeyError):
            getattr(self, f"_{word}")(*args)

    def _record(self, bike: int, slot: int, line: tuple[str, int]) -> None:
        turn = TurnInput(
            self.ride.contest.pk, self._bike(bike), self.ride.slots[slot].pk, make_paper_turn(*line), reason="r"
        )
        record_turn(self.desk, uuid4(), turn)

    def _amend(self, bike: int, slot: int, line: tuple[str, int] | None) -> None:
        turn = self._turn(bike, slot)
        target = CorrectionTarget(turn.pk, turn.seq, None if line is None else make_paper_turn(*line))
        amend_turns(self.desk, uuid4(), self.ride.contest.pk, self._bike(bike), [target], "r")

    def _void(self, bike: int, slot: int) -> None:
        self._amend(bike, slot, None)

    def _move(self, bike: int, to: int, slot: int) -> None:
        turn = self._turn(bike, slot)
        move_turn(self.desk, uuid4(), self.ride.contest.pk, self._bike(bike), self._bike(to), turn.pk, turn.seq, "r")

    def _retire(self, bike: int) -> None:
        retire_bike(self.desk, uuid4(), self.ride.contest.pk, self._bike(bike), "r")

    def _merge(self, bike: int, into: int) -> None:
        if bike != into:
            merge_bikes(self.desk, uuid4(), self._bike(bike), self._bike(into), "r")

    def _settle(self, decision: str) -> None:
        item = ReviewItem.objects.filter(settled_at=None).first()
        if item is not None:
            decide_review(self.desk, uuid4(), item.pk, decision, "r")

    def _cut(self, cards: list[str | None]) -> None:
        self.ride.contest.refresh_from_db()
        rows = fold_report(self.ride.contest).rows
        tied_rank = next((row.rank for row in rows if row.is_tied), None)
        tied = [row.entrant_id for row in rows if row.rank == tied_rank]
        record_cut(self.desk, uuid4(), self.ride.contest.pk, dict(zip(tied, cards, strict=False)), "W")

    def _close(self) -> None:
        close_contest(self.desk, uuid4(), self.ride.contest.pk, "r")

    def _reopen(self) -> None:
        reopen_contest(self.desk, uuid4(), self.ride.contest.pk, "r")

    def _publish(self) -> None:
        publish_contest(self.desk, uuid4(), self.ride.contest.pk, "r")

    def _refresh(self) -> None:
        refresh_standings(self.ride.contest.pk)

    def _lose(self) -> None:
        # A lost card is found by the length of its chain. A whole contest has no such sign, so its row is not lost.
        StaleCard.objects.exclude(card=None).delete()

    def _bike(self, number: int) -> UUID:
        return self.ride.bikes[number].pk

    def _turn(self, bike: int, slot: int) -> Turn:
        card = derive_card_id(self.ride.contest.pk, self._bike(bike))
        turn = Turn.objects.filter(card_id=card, slot=self.ride.slots[slot]).first()
        if turn is None:
            raise KeyError(slot)
        return turn


@pytest.mark.django_db
@settings(max_examples=scaled(30, 8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=DAYS)
@pytest.mark.slow
def test_refreshing_step_by_step_equals_a_full_recompute(ride: Ride, desk: Actor, steps: list[Any]) -> None:
    """ROCK-18, ROCK-19, ROCK-27, TABLE-3"""
    before = transaction.savepoint()
    day = Day(ride, desk)
    for step in steps:
        day.do(*step)
    mark_outgrown_cards()
    refresh_stale_contests()
    ride.contest.refresh_from_db()

    refreshed = [row.to_data() for row in get_live_leaderboard(ride.contest).rows if row.is_ranked]
    recomputed = [row.to_data() for row in fold_report(ride.contest).rows]
    dump = dump_current(ride.contest)
    recomputed_dump = dump_recomputed(ride.contest)
    transaction.savepoint_rollback(before)

    assert refreshed == recomputed
    assert dump == recomputed_dump
