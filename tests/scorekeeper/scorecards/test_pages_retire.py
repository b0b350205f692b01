"""A bike leaves the ride: the organiser says so, with the reason (TABLE-3)."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from scorekeeper.scorecards.models import Entry, Operation
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.scorecards.conftest import card_of, final, turns_of


@pytest.fixture
def url(ride: Ride, note) -> str:
    """The page for bike 1, which has rolled once."""
    note(1, 1, final([3, 4, 5, 5, 2], "chance"))
    return reverse("scorecards:desk_retire", args=[ride.event.slug, card_of(ride, ride.bikes[1]).pk])


def test_the_bike_is_retired_and_its_points_stand(ride: Ride, url: str, alice, sign_in: SignIn) -> None:
    desk: Any = sign_in(alice)

    answer = desk.post(url, {"operation": ride.event.pk, "reason": "broke down"})

    assert "Retired: Bike 1, Ann." in desk.get(answer.url).content.decode()
    assert turns_of(ride, 1) == [(1, "chance", 19)]
    assert Entry.objects.order_by("-seq")[0].kind == "retire"
    assert Operation.objects.get(kind="retire").note.text == "broke down"


def test_a_reason_is_asked_for(ride: Ride, url: str, alice, sign_in: SignIn) -> None:
    answer = sign_in(alice).post(url, {"operation": ride.event.pk, "reason": ""})

    assert answer.status_code == 422
    assert answer.content.decode().count("Say why.") == 2
    assert not Operation.objects.filter(kind="retire").exists()


def test_a_retired_bike_is_not_retired_again(ride: Ride, url: str, alice, sign_in: SignIn) -> None:
    desk: Any = sign_in(alice)
    desk.post(url, {"operation": ride.event.pk, "reason": "broke down"})

    answer = desk.post(url, {"operation": ride.contest.pk, "reason": "once more"})

    assert "retired already" in answer.content.decode()
    assert Operation.objects.filter(kind="retire").count() == 1
