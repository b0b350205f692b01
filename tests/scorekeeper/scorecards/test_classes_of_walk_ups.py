"""A bike that comes on the day gets its classes where it is added: on a phone, at the desk, or through the API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.services.operation_context import parse_entry_body
from scorekeeper.ledger.services.recording import NotAllowed
from scorekeeper.players.class_members import read_own_classes
from scorekeeper.players.class_settings import add_class, delete_class
from scorekeeper.players.models import EventClass
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike, withdraw_bike
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.class_history import list_class_corrections
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.card_forms import press, read_form
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

URL = reverse("scorecards:walk_up")


@pytest.fixture
def ladies(ride: Ride) -> EventClass:
    return add_class(ride.event, "Ladies")


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient) -> Client:
    """Tom's phone."""
    return crew_client(ride.tom)


@pytest.fixture
def begun(add_turn: Callable[..., Any]) -> None:
    """Something is recorded."""
    add_turn(1, 1, make_paper_turn("chance", 24))


def get_classes(bike: Bike) -> frozenset[UUID]:
    return read_own_classes(bike.event_id).get(bike.pk, frozenset())


def list_set_classes(chain: UUID) -> list[dict[str, Any]]:
    entries = Entry.objects.filter(chain_id=chain, kind="set_classes").order_by("seq")
    return [dict(parse_entry_body(entry)["data"]) for entry in entries]


def test_before_anything_is_recorded_the_class_of_a_walk_up_is_a_setting(
    ride: Ride, phone: Client, ladies: EventClass
) -> None:
    press(phone, phone.get(URL), number="57", rider="Ida", classes=str(ladies.pk))

    bike = Bike.objects.get(number=57)
    assert get_classes(bike) == {ladies.pk}
    assert list_set_classes(ride.event.pk) == []
    assert list(list_damage(ride.event)) == []


@pytest.mark.usefixtures("begun")
def test_once_anything_is_recorded_the_log_has_the_class_of_a_walk_up(
    ride: Ride, phone: Client, ladies: EventClass
) -> None:
    press(phone, phone.get(URL), number="57", rider="Ida", classes=str(ladies.pk))

    bike = Bike.objects.get(number=57)
    assert get_classes(bike) == {ladies.pk}
    change = {"bike": str(bike.pk), "from": [], "to": [str(ladies.pk)]}
    assert list_set_classes(ride.event.pk) == [{"changes": [change]}]
    assert [(one.before, one.after, one.actor) for one in list_class_corrections(ride.event)] == [
        ([], ["Ladies"], "Tom")
    ]
    assert list(list_damage(ride.event)) == []


def test_an_event_without_classes_asks_for_none_and_sends_none(ride: Ride, phone: Client) -> None:
    assert "classes" not in phone.get(URL).context["form"].fields
    assert "classes" not in WalkUp(uuid4(), 57, None).to_body()


def test_what_was_ticked_is_kept_when_the_page_asks_about_the_number(
    ride: Ride, phone: Client, ladies: EventClass
) -> None:
    question = press(phone, phone.get(URL), number="7", rider="Ida", classes=str(ladies.pk))
    assert question.status_code == 409
    assert read_form(question)["classes"] == [str(ladies.pk)]

    press(phone, question, another="7")
    assert get_classes(Bike.objects.get(number=7, suffix=2)) == {ladies.pk}


def test_a_page_whose_ids_are_used_keeps_several_classes(ride: Ride, phone: Client, ladies: EventClass) -> None:
    novices = add_class(ride.event, "Novices")
    page = phone.get(URL)
    press(phone, page, number="57", rider="Ida")

    again = press(phone, page, number="58", rider="Jo", classes=[str(ladies.pk), str(novices.pk)])

    assert again.status_code == 409
    assert sorted(read_form(again)["classes"]) == sorted([str(ladies.pk), str(novices.pk)])


def test_a_page_that_was_made_for_another_event_asks_again_and_keeps_the_classes(
    ride: Ride, phone: Client, ladies: EventClass
) -> None:
    page = phone.get(URL)

    asked = press(phone, page, number="57", rider="Ida", classes=str(ladies.pk), event=str(uuid4()))

    assert "This phone has switched between the event and the practice" in get_visible_text(asked)
    assert not Bike.objects.filter(number=57).exists()
    assert read_form(asked)["classes"] == [str(ladies.pk)]
    assert read_form(asked)["event"] == [str(ride.event.pk)]


@pytest.mark.usefixtures("begun")
def test_a_closed_contest_has_the_classes_of_a_bike_that_is_registered_at_the_desk(
    ride: Ride, sign_in: SignIn, alice: User, ladies: EventClass, desk: Actor
) -> None:
    close_contest(desk, uuid4(), ride.contest.pk, "the ride is over")
    organiser = sign_in(alice)
    page = organiser.get(f"/desk/events/{ride.event.slug}/bikes/new/", follow=True)
    ids = {name: str(page.context["form"][name].value()) for name in ("operation", "bike")}

    sent = {**ids, "number": "57", "rider": "Ida", "classes": [str(ladies.pk)]}
    organiser.post(page.redirect_chain[-1][0], sent)

    bike = Bike.objects.get(number=57)
    assert get_classes(bike) == {ladies.pk}
    assert list_set_classes(ride.contest.pk) == [{"entrants": {str(bike.pk): [str(ladies.pk)]}}]
    publish_contest(desk, uuid4(), ride.contest.pk, "turns are missing")
    assert Revision.objects.count() == 1
    assert list(list_damage(ride.event)) == []


@pytest.mark.usefixtures("begun")
def test_the_page_for_adding_a_bike_leads_to_the_one_with_its_classes(
    ride: Ride, sign_in: SignIn, alice: User, ladies: EventClass
) -> None:
    organiser = sign_in(alice)
    page = organiser.get(reverse("players:add_bike", args=[ride.event.slug]))
    url = reverse("desk:register_bike", args=[ride.event.slug])
    assert f'href="{url}?next=' in page.content.decode()

    page = organiser.get(url)
    assert "The log says that you added this bike, and with which classes." in get_visible_text(page)
    assert "A contest is closed" not in get_visible_text(page)
    assert "classes" in page.context["form"].fields


@pytest.mark.usefixtures("begun")
def test_a_registration_with_a_class_can_be_undone(ride: Ride, ladies: EventClass, desk: Actor) -> None:
    tom = make_actor(ride.tom)
    walk_up = WalkUp(uuid4(), 57, None, class_ids=frozenset([ladies.pk]))
    register_bike(tom, uuid4(), walk_up)

    assert withdraw_bike(tom, uuid4(), walk_up.id).outcome == "recorded"

    assert read_own_classes(ride.event.pk) == {}
    assert list(list_damage(ride.event)) == []


@pytest.mark.usefixtures("begun")
def test_the_same_registration_twice_gives_the_class_once(ride: Ride, ladies: EventClass) -> None:
    tom, operation = make_actor(ride.tom), uuid4()
    walk_up = WalkUp(uuid4(), 57, None, class_ids=frozenset([ladies.pk]))
    for operation_id in (operation, operation, uuid4()):
        register_bike(tom, operation_id, walk_up)

    assert len(list_set_classes(ride.event.pk)) == 1
    assert get_classes(Bike.objects.get(number=57)) == {ladies.pk}


def test_a_class_of_another_event_is_refused_and_a_deleted_one_left_out(
    ride: Ride, ladies: EventClass, other_event: Event
) -> None:
    theirs = add_class(other_event, "Ladies")
    with pytest.raises(NotAllowed):
        register_bike(make_actor(ride.tom), uuid4(), WalkUp(uuid4(), 57, None, class_ids=frozenset([theirs.pk])))
    assert not Bike.objects.filter(number=57).exists()

    wanted = frozenset([ladies.pk])
    delete_class(ladies)
    register_bike(make_actor(ride.tom), uuid4(), WalkUp(uuid4(), 57, None, class_ids=wanted))
    assert get_classes(Bike.objects.get(number=57)) == frozenset()


@pytest.mark.usefixtures("begun")
def test_a_phone_without_access_gives_no_class_and_the_organiser_sees_which_was_chosen(
    ride: Ride, sign_in: SignIn, alice: User, ladies: EventClass
) -> None:
    revoked = replace(make_actor(ride.rita), needs_review=True)
    walk_up = WalkUp(uuid4(), 57, ride.group_one.pk, rider="Ivy", class_ids=frozenset([ladies.pk]))
    register_bike(revoked, uuid4(), walk_up)

    bike = Bike.objects.get(number=57)
    assert get_classes(bike) == frozenset()
    page = sign_in(alice).get(f"/desk/events/{ride.event.slug}/review/")
    assert "Classes: Ladies" in get_visible_text(page)
    assert reverse("desk:bike_classes", args=[ride.event.slug, bike.pk]) in page.content.decode()
    assert list(list_damage(ride.event)) == []
