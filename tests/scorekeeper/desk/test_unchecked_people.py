"""`/desk/events/<slug>/review/`: the names of walk-ups that a phone sent after its access had ended."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, Operation, ReviewItem, UncheckedPeople
from scorekeeper.offline.request_handler import build_body
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.bike_operations import WalkUp, merge_bikes, register_bike, withdraw_bike
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

WALK_UP = WalkUp(
    UUID("5b0b3c7e-7d30-4a44-9f2c-1a9d7c0f6a57"), 57, None, rider="Ivy", passenger="Jo", make="Honda", model="Monkey"
)


@pytest.fixture
def revoked(ride: Ride) -> Actor:
    """Rita with a phone that was revoked."""
    return replace(make_actor(ride.rita), needs_review=True)


@pytest.fixture
def unchecked(ride: Ride, revoked: Actor) -> UncheckedPeople:
    """Bike 57, registered with that phone."""
    register_bike(revoked, uuid4(), replace(WALK_UP, group_id=ride.group_one.pk))
    return UncheckedPeople.objects.get()


def list_people(number: int) -> list[str]:
    """The people on a bike."""
    return list(Player.objects.filter(bike__number=number).values_list("name", flat=True))


def test_the_bike_counts_at_once_and_only_the_organiser_sees_the_names(
    ride: Ride, organiser: Client, url, unchecked: UncheckedPeople, crew_client: CrewClient, client: Client
) -> None:
    bike = Bike.objects.get(number=57)
    assert (bike.make, bike.model, list_people(57)) == ("", "", [])
    assert not any("Ivy" in entry.body for entry in Entry.objects.all())

    page = get_page_text(organiser.get(url("review")))

    assert "Rider: Ivy" in page
    assert "Passenger: Jo" in page
    assert "Honda Monkey" in page
    assert "Nothing to review" not in page
    assert "1 entry needs your decision" in get_page_text(organiser.get(url("event")))
    pages = [
        crew_client(ride.rita).get(reverse("scorecards:group")),
        client.get(reverse("results:bike", args=[ride.event.slug, ride.contest.slug, bike.pk])),
    ]
    for response in pages:
        assert response.status_code == 200
        assert "Ivy" not in get_page_text(response)
        assert "Honda" not in get_page_text(response)


def test_the_names_are_added_to_the_bike_once(ride: Ride, organiser: Client, url, unchecked: UncheckedPeople) -> None:
    address = url("walk_up_names", unchecked.bike_id)

    page = organiser.post(address, {"decision": "use"}, follow=True)
    again = organiser.post(address, {"decision": "use"}, follow=True)

    assert "Bike 57: names added." in get_page_text(page)
    assert "These names have already been added or erased." in get_page_text(again)
    assert sorted(list_people(57)) == ["Ivy", "Jo"]
    bike = Bike.objects.get(number=57)
    assert (bike.make, bike.model) == ("Honda", "Monkey")
    assert not UncheckedPeople.objects.exists()
    assert list(list_damage(ride.event)) == []


def test_names_that_were_left_out_can_still_be_added(
    ride: Ride, organiser: Client, url, unchecked: UncheckedPeople
) -> None:
    address = url("walk_up_names", unchecked.bike_id)
    page = get_page_text(organiser.post(address, {"decision": "leave_out"}, follow=True))

    assert "Bike 57: names left out." in page
    assert "Names left out" in page
    assert list_people(57) == []
    assert "needs your decision" not in get_page_text(organiser.get(url("event")))

    organiser.post(address, {"decision": "use"})
    assert sorted(list_people(57)) == ["Ivy", "Jo"]


def test_the_names_go_to_the_bike_that_theirs_was_merged_into_and_nobody_is_added_twice(
    ride: Ride, organiser: Client, url, desk: Actor, unchecked: UncheckedPeople
) -> None:
    bike = Bike.objects.get(number=2)
    Player.objects.filter(bike=bike).delete()
    Player.objects.create(event=ride.event, bike=bike, name="Ivy", role=Player.Role.RIDER)
    merge_bikes(desk, uuid4(), unchecked.bike_id, bike.pk, "one machine")
    assert "Bike 2" in get_page_text(organiser.get(url("review")))

    organiser.post(url("walk_up_names", unchecked.bike_id), {"decision": "use"})

    assert sorted(list_people(2)) == ["Ivy", "Jo"]


def test_turns_of_the_bike_go_to_review_beside_the_names(
    ride: Ride, organiser: Client, url, revoked: Actor, unchecked: UncheckedPeople
) -> None:
    turn = TurnInput(ride.contest.pk, unchecked.bike_id, ride.slots[0].pk, make_paper_turn("chance", 20))
    record_turn(revoked, uuid4(), turn)
    assert ReviewItem.objects.count() == 1

    page = get_page_text(organiser.get(url("review")))

    assert "Chance, 20 points" in page
    assert "Rider: Ivy" in page


def test_a_registration_sent_twice_keeps_the_names_once_and_undoing_it_removes_them(
    ride: Ride, revoked: Actor, unchecked: UncheckedPeople
) -> None:
    register_bike(revoked, uuid4(), replace(WALK_UP, group_id=ride.group_one.pk))
    assert UncheckedPeople.objects.count() == 1

    withdraw_bike(revoked, uuid4(), unchecked.bike_id)

    assert not UncheckedPeople.objects.exists()


def test_a_walk_up_without_any_text_has_nothing_to_check(ride: Ride, revoked: Actor) -> None:
    register_bike(revoked, uuid4(), WalkUp(uuid4(), 57, ride.group_one.pk))

    assert not UncheckedPeople.objects.exists()


def test_a_bike_of_a_phone_with_access_has_its_names_at_once(ride: Ride) -> None:
    register_bike(make_actor(ride.rita), uuid4(), replace(WALK_UP, group_id=ride.group_one.pk))

    assert sorted(list_people(57)) == ["Ivy", "Jo"]
    assert not UncheckedPeople.objects.exists()


def test_a_phone_sends_the_names_that_it_has_stored(unchecked: UncheckedPeople) -> None:
    body = build_body(Operation.objects.get(pk=unchecked.pk))

    assert (body["rider"], body["passenger"]) == ("Ivy", "Jo")


def test_an_organiser_of_another_event_finds_no_such_names(
    ride: Ride, organiser: Client, unchecked: UncheckedPeople, other_event
) -> None:
    mine = reverse("desk:walk_up_names", args=[other_event.slug, unchecked.bike_id])

    assert organiser.post(mine, {"decision": "use"}).status_code in (403, 404)
    assert list_people(57) == []
