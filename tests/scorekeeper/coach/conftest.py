"""A ride whose contest is set to coach, and a worker that answers what was asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorekeeper.coach.models import OddsAnswer
from scorekeeper.coach.services import compute_answers
from scorekeeper.events.models import Contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import add_turn, desk
from tests.scorekeeper.standings.conftest import close, update_standings
from tests.scorekeeper.table_fixtures import (
    add_action,
    add_game_table,
    add_table,
    fetch_table,
    organiser,
    people,
    phone,
    pig_contest,
)

__all__ = [
    "add_action",
    "add_game_table",
    "add_table",
    "add_turn",
    "close",
    "desk",
    "fetch_table",
    "organiser",
    "people",
    "phone",
    "pig_contest",
    "update_standings",
]

Work = Callable[[], int]


@pytest.fixture
def coached(ride: Ride) -> Ride:
    """The ride, whose contest shows what each choice is worth."""
    Contest.objects.filter(pk=ride.contest.pk).update(odds_shown=Contest.OddsShown.COACH)
    ride.contest.refresh_from_db()
    return ride


@pytest.fixture
def work() -> Work:
    """Answer everything that was asked, as the worker does; return how many answers were computed."""

    def work_through() -> int:
        return compute_answers(list(OddsAnswer.objects.order_by("asked_at").values_list("digest", flat=True)))

    return work_through
