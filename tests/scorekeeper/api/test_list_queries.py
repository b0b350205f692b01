"""The number of queries of an answer does not grow with its rows."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.events.models import AccessToken
from tests.scorekeeper.api.program import make_program
from tests.scorekeeper.large_ride import LargeRide, make_large_ride
from tests.scorekeeper.statements import record_statements

pytestmark = [pytest.mark.django_db, pytest.mark.database]
OF_EVENT = ("stops", "groups", "classes", "bikes", "players", "contests", "review_items")
OF_CONTEST = ("contest", "standings", "scorecards", "entries", "prizes", "revisions", "results")


def count_all(ride: LargeRide, caller: Client) -> dict[str, int]:
    urls = {route: reverse(f"api:{route}", args=[ride.event.slug]) for route in OF_EVENT}
    for contest in (ride.yahtzee, ride.rogue):
        args = [ride.event.slug, contest.slug]
        urls |= {f"{route} {contest.game_key}": reverse(f"api:{route}", args=args) for route in OF_CONTEST}
    counts = {}
    for name, url in urls.items():
        with record_statements() as statements:
            response = caller.get(url)
        if response.status_code == 200:
            counts[name] = len(statements)
    return counts


@pytest.mark.slow
def test_a_list_of_24_takes_as_many_queries_as_one_of_8(alice: User) -> None:
    small, large = (make_large_ride(alice, seats, turns=1) for seats in (8, 24))
    program = make_program(alice)
    AccessToken.objects.update(last_used_at=timezone.now())

    for caller in (Client(), program):
        few = count_all(small, caller)
        assert count_all(large, caller) == few
        assert max(few.values()) < 45
    assert len(few) == len(OF_EVENT) + 2 * len(OF_CONTEST)
