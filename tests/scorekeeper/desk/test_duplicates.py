"""`/desk/events/<slug>/duplicates/`: bikes that share a number are merged or renumbered."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import Settings

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.services.bikes import WalkUp, register_bike
from scorekeeper.scorecards.services.turns import TurnNote, record_turn
from scorekeeper.tables.services.dealing import deal_tables
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import operation, text
from tests.scorekeeper.pages import assert_clause_is_linked, assert_refused, words_of
from tests.scorekeeper.scorecards.conftest import actor, paper, turns_of


@pytest.fixture
def second(ride: Ride) -> Bike:
    """A walk-up that claims number 2, and has rolled at Parks."""
    made = WalkUp(uuid4(), 2, ride.group_one.pk, rider="Ivy")
    rita = actor(ride.rita)
    register_bike(rita, uuid4(), made)
    record_turn(rita, uuid4(), TurnNote(ride.contest.pk, made.id, ride.slots[1].pk, paper("fives", 10)))
    return Bike.objects.get(pk=made.id)


def test_they_are_listed_with_their_riders(organiser: Client, url, second: Bike) -> None:
    page = text(organiser.get(url("duplicates")))
    assert '<span class="plate">2 (2)</span> Ivy' in page


def test_merging_moves_the_turns(ride: Ride, organiser: Client, url, second: Bike) -> None:
    page = organiser.get(url("merge", second.pk))
    assert page.context["form"].fields["into"].choices[0] == (str(ride.bikes[2].pk), "2 Ben, Zoe")

    sent = {"operation": operation(), "into": str(ride.bikes[2].pk), "reason": "one machine"}
    response = organiser.post(url("merge", second.pk), sent, follow=True)

    assert "2 (2) is now bike 2." in text(response)
    assert turns_of(ride, 2) == [(2, "fives", 10)]


def test_two_that_rolled_at_the_same_stop_are_not_merged(
    ride: Ride, organiser: Client, url, note, second: Bike
) -> None:
    note(2, 2, paper("chance", 20))

    sent = {"operation": operation(), "into": str(ride.bikes[2].pk), "reason": "one machine"}
    response = organiser.post(url("merge", second.pk), sent)

    assert response.status_code == 409
    assert text(response).count("Both have a turn at Parks.") == 2
    assert 'value="one machine"' in text(response)


def test_two_whose_turns_the_rules_forbid_on_one_card_are_not_merged(
    ride: Ride, organiser: Client, url, note, second: Bike
) -> None:
    """ROCK-16"""
    note(2, 1, paper("fives", 15))

    sent = {"operation": operation(), "into": str(ride.bikes[2].pk), "reason": "one machine"}
    response = organiser.post(url("merge", second.pk), sent)

    assert response.status_code == 409
    assert words_of(response).count("Fives is used already, with 15 points. Choose an open box. (ROCK-16)") == 2
    assert_clause_is_linked(response, "ROCK-16")


def test_renumbering_gives_a_number_of_its_own(organiser: Client, url, second: Bike) -> None:
    sent = {"operation": operation(), "number": "58", "reason": "read 58 for 2"}
    response = organiser.post(url("renumber", second.pk), sent, follow=True)

    assert "Bike 2 (2) is now 58." in text(response)


@pytest.mark.parametrize(
    ("number", "said"), [("", "Enter the new number."), ("2", "That is the number it has now."), ("x", "digits only")]
)
def test_a_number_that_will_not_do_is_explained(organiser: Client, url, second: Bike, number: str, said: str) -> None:
    response = organiser.post(url("renumber", second.pk), {"operation": operation(), "number": number, "reason": "r"})

    assert response.status_code == 422
    assert text(response).count(said) == 2


def test_a_merge_without_choice_or_reason_is_explained(organiser: Client, url, second: Bike) -> None:
    response = organiser.post(url("merge", second.pk), {"operation": operation()})

    assert response.status_code == 422
    assert text(response).count("Choose the other bike.") == 2
    assert text(response).count("Give a reason.") == 2


def test_two_that_both_sit_at_tables_are_not_merged(
    ride: Ride, organiser: Client, url, desk: Actor, second: Bike, settings: Settings
) -> None:
    settings.EXTRA_GAMES = ["tests.games.toy"]
    race = Contest.objects.create(
        event=ride.event, name="Pig race", slug="pig-race", game_key="pig-race", rules_version=1
    )
    deal_tables(desk, uuid4(), race.pk, [[ride.bikes[2].pk], [second.pk]])

    sent = {"operation": operation(), "into": str(ride.bikes[2].pk), "reason": "one machine"}
    response = organiser.post(url("merge", second.pk), sent)

    assert_refused(response, "id_into", "Both sit at a table of Pig race; withdraw one of the cards first.", status=409)
    assert turns_of(ride, 2) == []
