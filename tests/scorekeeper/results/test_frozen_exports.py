"""The public files while the standings are frozen and while the result is revealed, and what organisers see."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings, reveal_to_step, start_reveal
from scorekeeper.events.models import Freeze
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn

__all__ = ["add_turn", "desk"]


@pytest.fixture
def frozen_ride(ride: Ride, add_turn: Callable[..., Any]) -> Ride:
    """Bike 2 leads with 20 points when the standings are frozen; then bike 1 gets 24 more."""
    for number in (1, 2):
        add_turn(number, 1, make_paper_turn("chance", 10 * number))
    freeze_standings(ride.event)
    add_turn(1, 2, make_paper_turn("sixes", 24))
    return ride


def read_json(client: Client, ride: Ride, route: str = "results:export") -> dict[str, Any]:
    response = client.get(reverse(route, args=[ride.event.slug, ride.contest.slug, "export.json"]))
    data: dict[str, Any] = json.loads(response.getvalue())
    return data


def read_csv(client: Client, ride: Ride) -> list[str]:
    response = client.get(reverse("results:export", args=[ride.event.slug, ride.contest.slug, "export.csv"]))
    return response.getvalue().decode().splitlines()


def test_every_row_of_a_public_file_says_that_it_is_frozen(frozen_ride: Ride, client: Client) -> None:
    _heading, first, second, *_rest = read_csv(client, frozen_ride)
    assert first.startswith("1,2,")
    assert "frozen at" in first
    assert second.startswith("2,1,")

    data = read_json(client, frozen_ride)
    at = Freeze.objects.get().at
    assert at is not None
    assert data["frozen_at"] == at.isoformat()
    assert [row["total"] for row in data["standings"][:2]] == [20, 10]
    assert [card["total"] for card in data["cards"]] == [20, 10]


def test_during_the_reveal_a_file_says_which_rows_are_announced(frozen_ride: Ride, client: Client) -> None:
    start_reveal(frozen_ride.event, [frozen_ride.contest])
    reveal_to_step(frozen_ride.event, 1)

    rows = read_json(client, frozen_ride)["standings"]
    assert [(row["number"], row["total"], row["announced"]) for row in rows[:2]] == [("1", 10, False), ("2", 20, True)]
    csv = read_csv(client, frozen_ride)
    assert ("frozen at" in csv[1], "Announced" in csv[2]) == (True, True)

    reveal_to_step(frozen_ride.event, 2)
    data = read_json(client, frozen_ride)
    assert [(row["number"], row["total"]) for row in data["standings"][:2]] == [("1", 34), ("2", 20)]
    assert "frozen_at" not in data


def test_the_organisers_files_are_current(frozen_ride: Ride, sign_in: SignIn, alice: User) -> None:
    data = read_json(sign_in(alice), frozen_ride, "results:desk_export")

    assert [(row["number"], row["total"]) for row in data["standings"][:2]] == [("1", 34), ("2", 20)]
    assert "frozen_at" not in data


def test_the_organisers_list_of_scorecards_has_both(frozen_ride: Ride, sign_in: SignIn, alice: User) -> None:
    start_reveal(frozen_ride.event, [frozen_ride.contest])  # refreshes the standings
    page = " ".join(sign_in(alice).get(reverse("desk:cards", args=[frozen_ride.event.slug])).content.decode().split())

    assert "The audience sees the standings frozen at" in page
    assert ">34<" in page
    assert "Place 2 with 10" in page
    for route, arguments in (("desk:event", []), ("desk:finish", [frozen_ride.contest.slug])):
        shown = sign_in(alice).get(reverse(route, args=[frozen_ride.event.slug, *arguments]))
        assert "The audience sees the standings frozen at" in shown.content.decode()
