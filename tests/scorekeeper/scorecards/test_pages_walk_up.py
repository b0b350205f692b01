"""/crew/walk-up/: a bike that turns up is registered and rolls at once."""

from __future__ import annotations

import pytest
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.scorecards.models import Operation
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.scorecards.pages import HTMX, press, read_form, tap_dice

URL = reverse("scorecards:walk_up")


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient):
    """Tom's phone."""
    return crew_client(ride.tom)


def test_a_walk_up_joins_the_group_and_leads_to_its_card(ride: Ride, phone) -> None:
    answer = press(phone, phone.get(URL), number="57", rider="Ida", passenger="Jo", make="BSA")

    bike = Bike.objects.get(number=57)
    assert (bike.group, bike.is_walk_up, bike.make) == (ride.group_one, True, "BSA")
    card = phone.get(answer.url)
    assert "Ida and Jo" in card.content.decode()
    assert "Bike 57 is registered." in card.content.decode()
    press(phone, tap_dice(phone, card, "34552"), choose="score:chance")
    assert bike.seats.count() == 1


def test_the_stop_in_hand_is_kept(ride: Ride, phone) -> None:
    page = phone.get(URL, {"stop": ride.stops[2].pk, "contest": ride.contest.pk})
    data = {**read_form(page), "number": "57", "rider": "Ida"}

    answer = phone.post(f"{URL}?stop={ride.stops[2].pk}", data)

    assert read_form(phone.get(answer.url))["slot"] == [str(ride.slots[2].pk)]


def test_a_number_that_is_taken_is_given_again_with_a_suffix(ride: Ride, phone) -> None:
    answer = press(phone, phone.get(URL), number="7", rider="Ida")

    card = phone.get(answer.url).content.decode()
    assert "7 is taken; yours is noted as 7 (2), and the organiser sorts it out." in card
    assert Bike.objects.filter(number=7).count() == 2


def test_a_double_tap_registers_one_bike(phone) -> None:
    page = phone.get(URL)

    first = press(phone, page, number="57", rider="Ida")
    again = press(phone, page, number="57", rider="Ida")

    assert first.url == again.url
    assert Bike.objects.filter(number=57).count() == 1


def test_the_same_page_sent_with_other_details_is_explained_and_gets_new_ids(phone) -> None:
    page = phone.get(URL)
    press(phone, page, number="57", rider="Ida")

    answer = press(phone, page, number="58", rider="Ida")

    assert answer.status_code == 409
    assert "already been sent" in answer.content.decode()
    assert press(phone, answer).status_code == 302
    assert Bike.objects.filter(number=58).exists()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("", "Enter the number on the bike."),
        ("many", "The number is made of digits only"),
        ("0", "Enter a number from 1 to 99999."),
        ("100000", "Enter a number from 1 to 99999."),
        ("5.5", "The number is made of digits only"),
    ],
)
def test_a_wrong_number_is_refused_at_its_field_and_in_the_summary(phone, number: str, words: str) -> None:
    answer = press(phone, phone.get(URL), number=number, rider="Ida")

    assert answer.status_code == 422
    assert answer.content.decode().count(words) == 2
    assert read_form(answer)["rider"] == ["Ida"]
    assert not Operation.objects.exists()


def test_an_event_that_is_not_open_registers_nobody(ride: Ride, phone) -> None:
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)

    assert press(phone, phone.get(URL), number="57", rider="Ida").status_code == 422
    assert not Bike.objects.filter(number=57).exists()


def test_the_fragment_is_part_of_the_page(phone) -> None:
    page = press(phone, phone.get(URL), number="x", rider="Ida").content.decode()
    fragment = phone.post(URL, {**read_form(phone.get(URL)), "number": "x", "rider": "Ida"}, headers=HTMX)

    assert "<html" not in fragment.content.decode()
    assert "The number is made of digits only" in fragment.content.decode()
    assert "The number is made of digits only" in page
