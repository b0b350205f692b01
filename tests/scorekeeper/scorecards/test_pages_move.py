"""Wrong bike: a turn moves to the right bike's card in one step."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, Operation
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import assert_clause_is_linked
from tests.scorekeeper.scorecards.card_forms import crew_url, list_buttons, read_form
from tests.scorekeeper.scorecards.conftest import get_bike_card, list_bike_turns, make_final_turn, make_paper_turn

DICE = [3, 4, 5, 5, 2]


@pytest.fixture
def page(ride: Ride, add_turn, crew_client: CrewClient):
    """Tom's page for a turn that was recorded for bike 1 at Parks."""
    add_turn(1, 2, make_final_turn(DICE, "chance"))
    return crew_client(ride.tom).get(crew_url(ride, 1, "move"), {"turn": str(Turn.objects.get().pk)})


def test_a_tap_on_the_right_bike_moves_the_turn(ride: Ride, page, crew_client: CrewClient) -> None:
    assert list_buttons(page, "to_bike") == [str(ride.bikes[number].pk) for number in (2, 3, 4)]
    phone: Any = crew_client(ride.tom)

    answer = phone.post(crew_url(ride, 1, "move"), {**read_form(page), "to_bike": ride.bikes[3].pk})

    assert (list_bike_turns(ride, 1), list_bike_turns(ride, 3)) == ([], [(2, "chance", 19)])
    assert Operation.objects.get(kind="move").reason.text == "Recorded for the wrong bike"
    assert "Moved to Bike 3, Cleo: Parks: Chance, 19 points." in phone.get(answer.url).content.decode()


def test_the_bike_can_be_entered_by_number(ride: Ride, page, crew_client: CrewClient) -> None:
    data = {**read_form(page, 1), "number": "4", "reason": "misheard"}

    crew_client(ride.tom).post(crew_url(ride, 1, "move"), data)

    assert list_bike_turns(ride, 4) == [(2, "chance", 19)]
    assert Operation.objects.get(kind="move").reason.text == "misheard"


def test_a_bike_that_has_rolled_there_is_not_offered_and_is_refused(
    ride: Ride, page, add_turn, crew_client: CrewClient
) -> None:
    add_turn(3, 2, make_paper_turn("aces", 3))
    phone: Any = crew_client(ride.tom)
    fresh = phone.get(crew_url(ride, 1, "move"), {"turn": Turn.objects.get(line="chance").pk})
    assert str(ride.bikes[3].pk) not in list_buttons(fresh, "to_bike")

    answer = phone.post(crew_url(ride, 1, "move"), {**read_form(page), "to_bike": ride.bikes[3].pk})

    assert answer.status_code == 422
    assert "Bike 3, Cleo already has a turn at Parks" in answer.content.decode()
    assert list_bike_turns(ride, 1) == [(2, "chance", 19)]


def test_a_box_the_right_bike_has_used_is_refused_naming_it(
    ride: Ride, page, add_turn, crew_client: CrewClient
) -> None:
    """ROCK-16."""
    add_turn(3, 1, make_paper_turn("chance", 20))

    answer = crew_client(ride.tom).post(crew_url(ride, 1, "move"), {**read_form(page), "to_bike": ride.bikes[3].pk})

    assert answer.status_code == 422
    assert "Bike 3, Cleo" in answer.content.decode()
    assert_clause_is_linked(answer, "ROCK-16")
    assert not Operation.objects.filter(kind="move").exists()


@pytest.mark.parametrize("number", ["0", "-3", "100000", "9" * 40])
def test_an_impossible_number_is_refused_with_our_message(
    ride: Ride, page, crew_client: CrewClient, number: str
) -> None:
    answer = crew_client(ride.tom).post(crew_url(ride, 1, "move"), {**read_form(page, 1), "number": number})

    assert answer.status_code == 422
    assert "Enter a number from 1 to 99999, such as 57 or 12A." in answer.content.decode()


@pytest.mark.parametrize("number", ["", "99", "many"])
def test_a_number_that_is_not_another_bike_is_refused(ride: Ride, page, crew_client: CrewClient, number: str) -> None:
    data = {**read_form(page, 1), "number": number}

    answer = crew_client(ride.tom).post(crew_url(ride, 1, "move"), data)

    assert answer.status_code == 422
    assert "Choose the right bike" in answer.content.decode()


@pytest.mark.parametrize("by_number", [True, False])
def test_the_bike_that_has_the_turn_is_refused_and_named(
    ride: Ride, page, crew_client: CrewClient, by_number: bool
) -> None:
    choice = {"number": "1"} if by_number else {"to_bike": ride.bikes[1].pk}

    answer = crew_client(ride.tom).post(crew_url(ride, 1, "move"), {**read_form(page, 1), **choice})

    assert answer.status_code == 422
    assert "The turn is on Bike 1, Ann already. Choose another bike." in answer.content.decode()
    assert not Operation.objects.filter(kind="move").exists()


@pytest.mark.parametrize("by_number", [True, False])
def test_a_number_that_was_merged_into_the_bike_is_refused_and_explained(
    ride: Ride, page, desk: Actor, crew_client: CrewClient, by_number: bool
) -> None:
    merge_bikes(desk, uuid4(), ride.bikes[3].pk, ride.bikes[1].pk, "one machine")
    choice = {"number": "3"} if by_number else {"to_bike": ride.bikes[3].pk}

    answer = crew_client(ride.tom).post(crew_url(ride, 1, "move"), {**read_form(page, 1), **choice})

    assert answer.status_code == 422
    assert (
        "Bikes 3 and 1 are one bike now, and it has the turn already. Choose another bike." in answer.content.decode()
    )
    assert not Operation.objects.filter(kind="move").exists()


def test_a_tail_gunner_cannot_move_it_to_another_group(ride: Ride, page, crew_client: CrewClient) -> None:
    answer = crew_client(ride.tom).post(crew_url(ride, 1, "move"), {**read_form(page, 1), "number": "7"})

    assert answer.status_code == 403
    assert "rides with another group" in answer.content.decode()
    assert list_bike_turns(ride, 1) == [(2, "chance", 19)]


def test_a_road_captain_can(ride: Ride, page, crew_client: CrewClient) -> None:
    answer = crew_client(ride.rita).post(crew_url(ride, 1, "move"), {**read_form(page, 1), "number": "7"})

    assert answer.status_code == 302
    assert list_bike_turns(ride, 7) == [(2, "chance", 19)]


def test_a_double_tap_moves_once(ride: Ride, page, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.tom)
    data = {**read_form(page), "to_bike": ride.bikes[3].pk}

    phone.post(crew_url(ride, 1, "move"), data)
    again = phone.post(crew_url(ride, 1, "move"), data)

    assert again.status_code == 409
    assert Entry.objects.filter(kind="moved_in").count() == 1


def test_the_organiser_moves_it_to_any_bike(ride: Ride, page, alice, sign_in: SignIn) -> None:
    desk: Any = sign_in(alice)
    url = reverse("scorecards:desk_move", args=[ride.event.slug, get_bike_card(ride, ride.bikes[1]).pk])
    data = {**read_form(desk.get(url, {"turn": Turn.objects.get().pk}), 2), "number": "7"}

    desk.post(url, data)

    assert list_bike_turns(ride, 7) == [(2, "chance", 19)]


def test_a_bike_that_was_just_merged_is_explained(ride: Ride, page, crew_client: CrewClient) -> None:
    Bike.objects.filter(pk=ride.bikes[3].pk).update(merged_into=ride.bikes[4])

    answer = crew_client(ride.tom).post(crew_url(ride, 1, "move"), {**read_form(page), "to_bike": ride.bikes[3].pk})

    assert answer.status_code == 422
    assert list_bike_turns(ride, 1) == [(2, "chance", 19)]


def test_without_a_reason_the_default_is_stored(ride: Ride, page, crew_client: CrewClient) -> None:
    data = {**read_form(page, 1), "number": "4", "reason": " "}

    crew_client(ride.tom).post(crew_url(ride, 1, "move"), data)

    assert Operation.objects.get(kind="move").reason.text == "Recorded for the wrong bike"
