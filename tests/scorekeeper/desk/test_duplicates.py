"""`/desk/events/<slug>/duplicates/`: bikes that share a number are merged or renumbered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import WalkUp, merge_bikes, register_bike, withdraw_bike
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.tables.services import create_tables
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.desk.conftest import get_line_text, make_operation_id
from tests.scorekeeper.page_checks import assert_clause_is_linked, assert_refused, get_visible_text
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_paper_turn
from tests.scorekeeper.scorecards.test_concurrent_merging import run_in_sequence

pytestmark = pytest.mark.database


@pytest.fixture
def duplicate(ride: Ride) -> Bike:
    """A walk-up that claims number 2, and has rolled at Parks."""
    walk_up = WalkUp(uuid4(), 2, ride.group_one.pk, rider="Ivy")
    rita = make_actor(ride.rita)
    register_bike(rita, uuid4(), walk_up)
    record_turn(rita, uuid4(), TurnInput(ride.contest.pk, walk_up.id, ride.slots[1].pk, make_paper_turn("fives", 10)))
    return Bike.objects.get(pk=walk_up.id)


def test_bikes_with_the_same_number_are_listed_with_their_riders(organiser: Client, url, duplicate: Bike) -> None:
    page = get_line_text(organiser.get(url("duplicates")))
    assert '<span class="plate">2 (2)</span> Ivy' in page


def test_merging_moves_the_turns(ride: Ride, organiser: Client, url, duplicate: Bike) -> None:
    page = organiser.get(url("merge", duplicate.pk))
    assert page.context["form"].fields["into"].choices[0] == (str(ride.bikes[2].pk), "2 Ben, Zoe")

    sent = {"operation": make_operation_id(), "into": str(ride.bikes[2].pk), "reason": "one machine"}
    response = organiser.post(url("merge", duplicate.pk), sent, follow=True)

    assert "2 (2) has been merged into bike 2." in get_line_text(response)
    assert list_bike_turns(ride, 2) == [(2, "fives", 10)]


@pytest.mark.parametrize(("page", "field"), [("merge", "into"), ("renumber", "number")])
def test_the_page_says_that_a_walk_up_was_withdrawn_in_the_meantime(
    ride: Ride, organiser: Client, url, page: str, field: str
) -> None:
    rita, walk_up = make_actor(ride.rita), WalkUp(uuid4(), 2, ride.group_one.pk, rider="Ivy")
    register_bike(rita, uuid4(), walk_up)
    withdraw_bike(rita, uuid4(), walk_up.id)

    response = organiser.post(
        url(page, walk_up.id), {"operation": make_operation_id(), field: "7", "reason": "one machine"}
    )

    assert response.status_code == 409
    assert "This bike no longer exists." in get_line_text(response)


def test_a_merge_is_undone_and_entries_recorded_since_stay(
    ride: Ride, organiser: Client, url, add_turn, duplicate: Bike, desk: Actor
) -> None:
    record_turn(
        make_actor(ride.tom),
        uuid4(),
        TurnInput(ride.contest.pk, duplicate.pk, ride.slots[1].pk, make_paper_turn("fives", 5)),
    )
    merge_bikes(desk, uuid4(), duplicate.pk, ride.bikes[2].pk, "one machine")
    add_turn(2, 1, make_paper_turn("chance", 20))
    undo = url("unmerge", duplicate.pk)
    assert undo in get_line_text(organiser.get(url("duplicates")))
    assert "goes back to bike 2 (2)" in get_line_text(organiser.get(undo))
    assert organiser.post(undo, {"operation": make_operation_id(), "reason": " "}).status_code == 422

    response = organiser.post(undo, {"operation": make_operation_id(), "reason": "two after all"}, follow=True)

    assert "Bike 2 (2) is a separate bike again." in get_line_text(response)
    assert list_bike_turns(ride, 2) == [(1, "chance", 20)]
    turn = Turn.objects.get(card__seats__bike=duplicate)
    assert (turn.line, turn.points) == ("fives", 10)
    assert [player.name for player in duplicate.players.all()] == ["Ivy"]
    assert ReviewItem.objects.get().card_id == turn.card_id
    assert list(list_damage(ride.event)) == []
    again = record_turn(
        make_actor(ride.rita),
        uuid4(),
        TurnInput(ride.contest.pk, duplicate.pk, ride.slots[2].pk, make_paper_turn("sixes", 6)),
    )
    assert (again.outcome, len(list_bike_turns(ride, 2))) == ("recorded", 1)


def test_a_merge_cannot_be_undone_once_a_moved_turn_was_changed(
    ride: Ride, organiser: Client, url, duplicate: Bike, desk: Actor
) -> None:
    merge_bikes(desk, uuid4(), duplicate.pk, ride.bikes[2].pk, "one machine")
    turn = Turn.objects.get()
    target = CorrectionTarget(turn.pk, turn.seq, make_paper_turn("fives", 15))
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[2].pk, [target], "misread")

    response = organiser.post(
        url("unmerge", duplicate.pk), {"operation": make_operation_id(), "reason": "two after all"}
    )

    assert (response.status_code, "Move the turns to the right bike one by one" in get_line_text(response)) == (
        409,
        True,
    )
    assert list_bike_turns(ride, 2) == [(2, "fives", 15)]


def test_two_bikes_that_rolled_at_the_same_stop_are_not_merged(
    ride: Ride, organiser: Client, url, add_turn, duplicate: Bike
) -> None:
    add_turn(2, 2, make_paper_turn("chance", 20))

    sent = {"operation": make_operation_id(), "into": str(ride.bikes[2].pk), "reason": "one machine"}
    response = organiser.post(url("merge", duplicate.pk), sent)

    assert response.status_code == 409
    assert get_line_text(response).count("Both have a turn at Parks.") == 2
    assert 'value="one machine"' in get_line_text(response)


def test_two_bikes_whose_turns_break_the_rules_on_one_card_are_not_merged(
    ride: Ride, organiser: Client, url, add_turn, duplicate: Bike
) -> None:
    """ROCK-16"""
    add_turn(2, 1, make_paper_turn("fives", 15))

    sent = {"operation": make_operation_id(), "into": str(ride.bikes[2].pk), "reason": "one machine"}
    response = organiser.post(url("merge", duplicate.pk), sent)

    assert response.status_code == 409
    assert (
        get_visible_text(response).count("Fives has already been used, for 15 points. Choose an open box. (ROCK-16)")
        == 2
    )
    assert_clause_is_linked(response, "ROCK-16")


def test_renumbering_gives_a_bike_its_own_number(organiser: Client, url, duplicate: Bike) -> None:
    sent = {"operation": make_operation_id(), "number": "58", "reason": "read 58 for 2"}
    response = organiser.post(url("renumber", duplicate.pk), sent, follow=True)

    assert "Bike 2 (2) is now 58." in get_line_text(response)


@pytest.mark.parametrize(
    ("number", "message"),
    [("", "Enter the new number."), ("2", ("The bike already has this number.")), ("x", "from 1 to 99999")],
)
def test_an_invalid_number_is_explained(organiser: Client, url, duplicate: Bike, number: str, message: str) -> None:
    response = organiser.post(
        url("renumber", duplicate.pk), {"operation": make_operation_id(), "number": number, "reason": "r"}
    )

    assert response.status_code == 422
    assert get_line_text(response).count(message) == 2


def test_a_merge_without_a_choice_or_a_reason_is_explained(organiser: Client, url, duplicate: Bike) -> None:
    response = organiser.post(url("merge", duplicate.pk), {"operation": make_operation_id()})

    assert response.status_code == 422
    assert get_line_text(response).count("Choose the other bike.") == 2
    assert get_line_text(response).count("Enter a reason.") == 2


def test_two_bikes_that_both_have_a_table_are_not_merged(
    ride: Ride, organiser: Client, url, desk: Actor, duplicate: Bike, settings: Settings
) -> None:
    settings.EXTRA_GAMES = ["tests.games.toy"]
    race = Contest.objects.create(
        event=ride.event, name="Pig race", slug="pig-race", game_key="pig-race", rules_version=1
    )
    create_tables(desk, uuid4(), race.pk, [[ride.bikes[2].pk], [duplicate.pk]])

    sent = {"operation": make_operation_id(), "into": str(ride.bikes[2].pk), "reason": "one machine"}
    response = organiser.post(url("merge", duplicate.pk), sent)

    assert_refused(response, "id_into", "Both have a table in Pig race. Remove one of the tables first.", status=409)
    assert list_bike_turns(ride, 2) == []


@pytest.mark.parametrize("page", ["merge", "renumber"])
def test_the_page_says_that_another_organiser_has_just_merged_the_bike(
    ride: Ride, organiser: Client, url, desk: Actor, duplicate: Bike, page: str
) -> None:
    merge_bikes(desk, uuid4(), duplicate.pk, ride.bikes[2].pk, "one machine")

    sent = {"operation": make_operation_id(), "into": str(ride.bikes[3].pk), "number": "58", "reason": "one machine"}
    response = organiser.post(url(page, duplicate.pk), sent, follow=True)

    assert response.redirect_chain == [(url("duplicates"), 302)]
    assert "2 (2) has already been merged into bike 2." in get_line_text(response)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("into", ["same", "other", "itself"])
def test_two_organisers_who_merge_a_bike_at_once_both_get_a_response(
    ride: Ride, organiser: Client, bob: User, sign_in: SignIn, url, duplicate: Bike, into: str
) -> None:
    """Both have opened the bike's page; the second one sees the first merge only when it gets the lock."""
    target = ride.bikes[3] if into == "other" else ride.bikes[2]
    merged, first = (target, duplicate) if into == "itself" else (duplicate, duplicate)

    def merging(browser: Client, bike: Bike, other: Bike) -> Callable[[], Any]:
        sent = {"operation": make_operation_id(), "into": str(other.pk), "reason": "one machine"}
        return lambda: browser.post(url("merge", bike.pk), sent)

    calls = [
        merging(organiser, first, ride.bikes[2]),
        merging(sign_in(bob), merged, duplicate if into == "itself" else target),
    ]
    first_response, second_response = run_in_sequence(Chain.objects.filter(pk=ride.event.pk), calls)

    assert (first_response.status_code, second_response.status_code) == (302, 409)
    assert "Another organiser has just merged one of the two bikes." in get_line_text(second_response)
    assert Bike.objects.get(pk=duplicate.pk).merged_into_id == ride.bikes[2].pk


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_bike_that_is_merged_while_it_is_renumbered_keeps_its_number(
    ride: Ride, organiser: Client, desk: Actor, url, duplicate: Bike
) -> None:
    sent = {"operation": make_operation_id(), "number": "58", "reason": "read 58 for 2"}
    calls = [
        lambda: merge_bikes(desk, uuid4(), duplicate.pk, ride.bikes[2].pk, "one machine"),
        lambda: organiser.post(url("renumber", duplicate.pk), sent),
    ]

    _receipt, response = run_in_sequence(Chain.objects.filter(pk=ride.event.pk), calls)

    assert response.status_code == 409
    assert "Another organiser has just merged this bike into another one." in get_line_text(response)
