"""The feed that polls the database."""

from __future__ import annotations

from uuid import UUID

import pytest

from scorekeeper.live.database_thread import DatabaseThread
from scorekeeper.live.feeds import DatabaseFeed
from tests.loops import run_in_thread
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import add_turn, make_paper_turn
from tests.scorekeeper.standings.conftest import update_standings

pytestmark = pytest.mark.database

__all__ = ["add_turn", "update_standings"]


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("writes", range(4))
def test_a_new_connection_sees_a_change_that_an_earlier_connection_had_not_seen(
    ride: Ride, add_turn, update_standings, writes: int
) -> None:
    watched = frozenset([ride.contest.pk])
    worker = DatabaseThread()
    feed = DatabaseFeed(worker)

    def poll(subjects: frozenset[UUID]) -> list[UUID]:
        changed: list[UUID] = []
        run_in_thread(feed.poll(subjects, changed.append))
        return changed

    # SQLite counts changes of the file separately for each connection.
    poll(frozenset())
    for number in range(writes):
        add_turn(1 + number, 1, make_paper_turn("chance", 20))
        poll(frozenset())
    worker.release_connection()
    poll(watched)

    add_turn(4, 1, make_paper_turn("chance", 24))
    update_standings()

    assert poll(watched) == [ride.contest.pk]
    worker.stop()
