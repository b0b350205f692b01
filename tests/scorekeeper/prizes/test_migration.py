"""The migration that makes prizes of the numbers of prize places."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from scorekeeper.events.models import Contest
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.selectors.awards import preview_awards
from scorekeeper.prizes.selectors.prize_lists import count_prize_places, list_prizes
from tests.scorekeeper.conftest import Ride

pytestmark = pytest.mark.database

add_prizes = import_module("scorekeeper.prizes.migrations.0002_prizes_for_places").add_prizes


def test_a_number_of_prize_places_becomes_as_many_prizes(ride: Ride, rogue_contest: Contest) -> None:
    Contest.objects.filter(pk=ride.contest.pk).update(prizes=3)

    add_prizes(apps, None)

    prizes = list(list_prizes(ride.event))
    assert [(prize.contest, prize.place) for prize in prizes if prize.contest == ride.contest] == [
        (ride.contest, 3),
        (ride.contest, 2),
        (ride.contest, 1),
    ]
    assert [prize.position for prize in prizes] == [1, 2, 3, 4]
    assert count_prize_places(ride.contest) == 3
    assert {award.title for award in preview_awards(ride.event)} == {"1st place", "2nd place", "3rd place"}
    assert Prize.objects.filter(name="").count() == 4
