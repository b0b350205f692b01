"""Asking the database what changed."""

from __future__ import annotations

from uuid import UUID

import pytest

from scorekeeper.live.feeds import DatabaseFeed
from scorekeeper.live.worker import Worker
from tests.loops import run
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import note, paper
from tests.scorekeeper.standings.conftest import follow

__all__ = ["follow", "note"]


@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("writes", range(4))
def test_a_change_is_heard_of_by_a_new_connection_whatever_the_one_before_it_had_seen(
    ride: Ride, note, follow, writes: int
) -> None:
    watched = frozenset([ride.contest.pk])
    worker = Worker()
    feed = DatabaseFeed(worker)

    def ask(subjects: frozenset[UUID]) -> list[UUID]:
        changed: list[UUID] = []
        run(feed.ask(subjects, changed.append))
        return changed

    # SQLite counts the changes of the file separately for each connection.
    ask(frozenset())
    for number in range(writes):
        note(1 + number, 1, paper("chance", 20))
        ask(frozenset())
    worker.rest()
    ask(watched)

    note(4, 1, paper("chance", 24))
    follow()

    assert ask(watched) == [ride.contest.pk]
    worker.stop()
