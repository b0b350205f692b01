"""/crew/walk-up/: a walk-up bike is registered and can roll at once."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Operation
from scorekeeper.players.models import Player
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.card_forms import HTMX, press, read_form, tap_dice

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
    assert "Registered. To undo it, tap ⋮ at the top." in card.content.decode()
    press(phone, tap_dice(phone, card, "34552"), choose="score:chance")
    assert bike.seats.count() == 1


def test_where_numbers_have_letters_the_keys_have_them_too(ride: Ride, phone) -> None:
    assert 'inputmode="numeric"' in get_page_text(phone.get(URL))

    press(phone, phone.get(URL), number="57b", rider="Ida")

    page = get_page_text(phone.get(URL))
    assert 'inputmode="text"' in page
    assert 'inputmode="numeric"' not in page


def test_the_current_stop_is_kept(ride: Ride, phone) -> None:
    page = phone.get(URL, {"stop": ride.stops[2].pk, "contest": ride.contest.pk})
    data = {**read_form(page), "number": "57", "rider": "Ida"}

    answer = phone.post(f"{URL}?stop={ride.stops[2].pk}", data)

    assert read_form(phone.get(answer.url))["slot"] == [str(ride.slots[2].pk)]


def test_a_taken_number_is_the_same_bike_or_gets_a_suffix(ride: Ride, phone) -> None:
    question = press(phone, phone.get(f"{URL}?stop={ride.stops[2].pk}"), number="7", rider="Ida")

    assert question.status_code == 409
    page = get_page_text(question)
    assert "Bike 7 is Gail, Group two: the same bike?" in page
    assert re.search(rf'href="/crew/bikes/{ride.bikes[7].pk}/\?[^"]*">Yes, open bike 7<', page)
    assert "No, another bike with the same number" in page
    assert read_form(question)["rider"] == ["Ida"]
    assert press(phone, question, number="6").status_code == 409, "the page asks about each number"
    assert press(phone, question, number="6", another="7").status_code == 409
    assert not Operation.objects.exists()

    answer = press(phone, question, another="7")
    card = phone.get(answer.url).content.decode()
    assert "7 was taken, so this is 7 (2). To undo it, tap ⋮ at the top." in card
    assert Bike.objects.filter(number=7).count() == 2
    assert press(phone, question, another="7").url == answer.url, "a second tap neither asks nor registers again"


def test_a_registration_is_undone_while_nothing_is_recorded(ride: Ride, phone, crew_client: CrewClient) -> None:
    form = phone.get(URL)
    answer = press(phone, form, number="57", rider="Ida", passenger="Jo")
    bike = Bike.objects.get(number=57)
    undo = reverse("scorecards:withdraw", args=[bike.pk])
    assert f'action="{undo}"' in get_page_text(phone.get(answer.url))
    assert "Undo the registration" not in get_page_text(phone.get(reverse("scorecards:card", args=[ride.bikes[1].pk])))
    assert "Ask the organiser" in get_page_text(crew_client(ride.rita).post(undo, follow=True))

    operation = {"operation": str(uuid4())}
    assert "bike 57 is no longer registered" in get_page_text(phone.post(undo, operation, follow=True))
    assert not Bike.objects.filter(number=57).exists()
    assert not Player.objects.filter(name__in=("Ida", "Jo")).exists()
    assert phone.post(undo, operation).status_code == 404
    assert list(list_damage(ride.event)) == []
    again = press(phone, form, number="57", rider="Ida")
    assert again.status_code == 409, "the old page does not register the bike again by itself"
    press(phone, again)
    assert Bike.objects.get(number=57).pk != bike.pk


def test_a_walk_up_with_an_entry_is_kept(ride: Ride, phone) -> None:
    card = phone.get(press(phone, phone.get(URL), number="57", rider="Ida").url)
    bike = Bike.objects.get(number=57)
    undo = reverse("scorecards:withdraw", args=[bike.pk])
    press(phone, tap_dice(phone, card, "34552"), choose="score:chance")

    assert "Something has been recorded on this bike, so its registration cannot be undone." in get_page_text(
        phone.post(undo, follow=True)
    )
    assert bike.seats.count() == 1
    assert list(list_damage(ride.event)) == []


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
    assert "already submitted" in answer.content.decode()
    assert press(phone, answer).status_code == 302
    assert Bike.objects.filter(number=58).exists()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("", "Enter the number on the bike."),
        ("many", "Enter a number from 1 to 99999, such as 57 or 12A."),
        ("0", "Enter a number from 1 to 99999, such as 57 or 12A."),
        ("100000", "Enter a number from 1 to 99999, such as 57 or 12A."),
        ("5.5", "Enter a number from 1 to 99999, such as 57 or 12A."),
    ],
)
def test_a_wrong_number_is_refused_at_its_field_and_in_the_summary(phone, number: str, words: str) -> None:
    answer = press(phone, phone.get(URL), number=number, rider="Ida")

    assert answer.status_code == 422
    assert answer.content.decode().count(words) == 2
    assert read_form(answer)["rider"] == ["Ida"]
    assert not Operation.objects.exists()


def test_nobody_is_registered_while_the_ride_is_not_open(ride: Ride, phone) -> None:
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)

    assert press(phone, phone.get(URL), number="57", rider="Ida").status_code == 422
    assert not Bike.objects.filter(number=57).exists()


def test_the_fragment_is_part_of_the_page(phone) -> None:
    page = press(phone, phone.get(URL), number="x", rider="Ida").content.decode()
    fragment = phone.post(URL, {**read_form(phone.get(URL)), "number": "x", "rider": "Ida"}, headers=HTMX)

    assert "<html" not in fragment.content.decode()
    assert "Enter a number from 1 to 99999, such as 57 or 12A." in fragment.content.decode()
    assert "Enter a number from 1 to 99999, such as 57 or 12A." in page
