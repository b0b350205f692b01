"""Voiding a turn: the page names it and asks for a reason, and the turn stays in the log."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.urls import reverse

from scorekeeper.ledger.models import Entry, Operation
from scorekeeper.scorecards.models import Turn
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import assert_clause_is_linked
from tests.scorekeeper.scorecards.card_forms import crew_url, read_form
from tests.scorekeeper.scorecards.conftest import get_bike_card, list_bike_turns, make_final_turn

DICE = [3, 4, 5, 5, 2]


def test_the_page_names_the_turn_and_voids_it_with_the_reason(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 2, make_final_turn(DICE, "chance"))
    phone: Any = crew_client(ride.tom)
    url = crew_url(ride, 1, "void")
    page = phone.get(url, {"turn": Turn.objects.get().pk})
    assert "Void Parks: Chance, 19 points?" in page.content.decode()

    answer = phone.post(url, {**read_form(page), "reason": "rolled twice"})

    assert list_bike_turns(ride, 1) == []
    assert Operation.objects.get(kind="amend").reason.text == "rolled twice"
    assert "Voided: Parks: Chance, 19 points." in phone.get(answer.url).content.decode()


def test_a_reason_is_required(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 2, make_final_turn(DICE, "chance"))
    phone: Any = crew_client(ride.tom)
    url = crew_url(ride, 1, "void")

    answer = phone.post(url, read_form(phone.get(url, {"turn": Turn.objects.get().pk})))

    assert answer.status_code == 422
    assert answer.content.decode().count("Enter a reason.") == 2
    assert list_bike_turns(ride, 1) == [(2, "chance", 19)]


def test_a_void_that_makes_another_turn_invalid_is_refused_naming_it(
    ride: Ride, add_turn, crew_client: CrewClient
) -> None:
    """ROCK-29: a further Yahtzee on paper may only have the next points of its list."""
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 6], "yahtzee"))
    add_turn(1, 2, make_final_turn([6, 6, 6, 6, 6], "yahtzee"))
    add_turn(1, 3, [{"type": "paper", "box": "yahtzee", "points": 100}])
    phone: Any = crew_client(ride.tom)
    url = crew_url(ride, 1, "void")
    page = phone.get(url, {"turn": Turn.objects.get(slot__ordinal=1).pk})
    assert "Correct several turns at once" in page.content.decode(), "the way out is shown before anything is typed"

    answer = phone.post(url, {**read_form(page), "reason": "wrong"})

    assert answer.status_code == 422
    assert "BBQ: Yahtzee cannot give these points." in answer.content.decode()
    assert_clause_is_linked(answer, "ROCK-29")
    assert Entry.objects.count() == 3


def test_a_turn_that_has_changed_since_is_not_voided(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 2, make_final_turn(DICE, "chance"))
    phone: Any = crew_client(ride.tom)
    url = crew_url(ride, 1, "void")
    page = read_form(phone.get(url, {"turn": Turn.objects.get().pk}))

    assert phone.post(url, {**page, "seq": "7", "reason": "old"}).status_code == 409
    assert list_bike_turns(ride, 1) == [(2, "chance", 19)]


def test_a_turn_that_no_longer_counts_is_explained(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 2, make_final_turn(DICE, "chance"))

    answer = crew_client(ride.tom).get(crew_url(ride, 1, "void"), {"turn": str(uuid4())})

    assert answer.status_code == 409
    assert "no longer counts" in answer.content.decode()


def test_without_a_turn_there_is_no_page(ride: Ride, crew_client: CrewClient) -> None:
    assert crew_client(ride.tom).get(crew_url(ride, 1, "void")).status_code == 404


def test_the_organiser_voids_too(ride: Ride, add_turn, alice, sign_in: SignIn) -> None:
    add_turn(1, 2, make_final_turn(DICE, "chance"))
    desk: Any = sign_in(alice)
    url = reverse("scorecards:desk_void", args=[ride.event.slug, get_bike_card(ride, ride.bikes[1]).pk])
    page = desk.get(url, {"turn": Turn.objects.get().pk})

    desk.post(url, {**read_form(page, 1), "reason": "rolled twice"})

    assert list_bike_turns(ride, 1) == []
