"""/desk/events/<slug>/stops/…"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import ContestFrozen
from scorekeeper.stops.models import Slot, Stop
from scorekeeper.stops.selectors import list_stops
from scorekeeper.stops.services import StopInUse, add_stop, delete_stop, move_stop
from tests.scorekeeper.conftest import STOPS, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import save

pytestmark = pytest.mark.database


def list_names(event: Event) -> list[str]:
    return [stop.name for stop in list_stops(event)]


def test_stops_are_added_in_the_order_of_the_ride(event: Event, alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)

    for name in STOPS:
        assert client.post(f"/desk/events/{event.slug}/stops/", {"name": name}).status_code == 302

    assert list_names(event) == list(STOPS)
    page = get_page_text(client.get(f"/desk/events/{event.slug}/stops/"))
    assert [page.index(f">{name}</a>") for name in STOPS] == sorted(page.index(f">{name}</a>") for name in STOPS)


def test_a_stop_needs_a_name(event: Event, alice: User, sign_in: SignIn) -> None:
    response = sign_in(alice).post(f"/desk/events/{event.slug}/stops/", {"name": " "})

    assert_refused(response, "id_name", "Enter the name of the stop.")
    assert list_names(event) == []


def test_a_name_that_is_too_long_is_shown_again(event: Event, alice: User, sign_in: SignIn) -> None:
    response = sign_in(alice).post(f"/desk/events/{event.slug}/stops/", {"name": "x" * 81})

    assert_refused(response, "id_name", "Ensure this value has at most 80 characters (it has 81).")
    assert f'value="{"x" * 81}"' in get_page_text(response)


def test_a_stop_is_renamed(stops: list[Stop], event: Event, alice: User, sign_in: SignIn) -> None:
    client, address = sign_in(alice), f"/desk/events/{event.slug}/stops/{stops[1].pk}/"
    assert 'value="Parks"' in get_page_text(client.get(address))

    assert save(client, address, {"name": "Parks Café"}).status_code == 302
    assert list_names(event) == ["Ozweld's", "Parks Café", "BBQ", "Finale"]

    assert_refused(save(client, address, {"name": ""}), "id_name", "Enter the name of the stop.")


@pytest.mark.parametrize(
    ("name", "direction", "order"),
    [
        ("Parks", "up", ["Parks", "Ozweld's", "BBQ", "Finale"]),
        ("Parks", "down", ["Ozweld's", "BBQ", "Parks", "Finale"]),
        ("Ozweld's", "up", list(STOPS)),
        ("Finale", "down", list(STOPS)),
    ],
)
def test_a_stop_swaps_with_its_neighbour(
    stops: list[Stop], event: Event, alice: User, sign_in: SignIn, name: str, direction: str, order: list[str]
) -> None:
    stop = next(stop for stop in stops if stop.name == name)

    response = sign_in(alice).post(f"/desk/events/{event.slug}/stops/{stop.pk}/move/", {"direction": direction})

    assert response.status_code == 302
    assert list_names(event) == order


def test_a_move_without_a_direction_is_rejected(stops: list[Stop], event: Event, alice: User, sign_in: SignIn) -> None:
    address = f"/desk/events/{event.slug}/stops/{stops[0].pk}/move/"

    assert sign_in(alice).post(address, {"direction": "sideways"}).status_code == 400
    assert sign_in(alice).get(address).status_code == 405


def test_turns_move_with_their_stop(slots: list[Slot], stops: list[Stop], contest: Contest) -> None:
    move_stop(stops[3], upwards=True)

    assert [slot.stop.name for slot in contest.slots.all()] == ["Ozweld's", "Parks", "Finale", "Finale", "BBQ"]
    assert [slot.ordinal for slot in contest.slots.all()] == [1, 2, 3, 4, 5]


def test_stops_with_recorded_turns_cannot_be_moved(
    slots: list[Slot], stops: list[Stop], event: Event, alice: User, sign_in: SignIn
) -> None:
    Contest.objects.update(frozen_at=timezone.now())

    with pytest.raises(ContestFrozen):
        move_stop(stops[1], upwards=True)
    response = sign_in(alice).post(
        f"/desk/events/{event.slug}/stops/{stops[1].pk}/move/", {"direction": "up"}, follow=True
    )

    assert "so their order cannot change" in get_page_text(response)
    assert list_names(event) == list(STOPS)


def test_a_stop_without_turns_can_move_past_one_with_recorded_turns(slots: list[Slot], event: Event) -> None:
    Contest.objects.update(frozen_at=timezone.now())
    photo = add_stop(event, "Photo stop")

    move_stop(photo, upwards=True)

    assert list_names(event) == ["Ozweld's", "Parks", "BBQ", "Photo stop", "Finale"]


def test_a_stop_without_turns_is_deleted_after_confirmation(
    stops: list[Stop], event: Event, alice: User, sign_in: SignIn
) -> None:
    client, address = sign_in(alice), f"/desk/events/{event.slug}/stops/{stops[2].pk}/delete/"

    assert "Delete BBQ?" in get_page_text(client.get(address))
    assert "BBQ" in list_names(event)

    client.post(address)
    assert list_names(event) == ["Ozweld's", "Parks", "Finale"]


def test_a_stop_with_turns_cannot_be_deleted(
    slots: list[Slot], stops: list[Stop], event: Event, alice: User, sign_in: SignIn
) -> None:
    with pytest.raises(StopInUse):
        delete_stop(stops[2])

    response = sign_in(alice).post(f"/desk/events/{event.slug}/stops/{stops[2].pk}/delete/", follow=True)

    assert "BBQ has turns of a contest" in get_page_text(response)
    assert list_names(event) == list(STOPS)


def test_the_number_of_queries_does_not_grow_with_stops(
    stops: list[Stop],
    slots: list[Slot],
    event: Event,
    alice: User,
    sign_in: SignIn,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = sign_in(alice)

    # The session, the user, the session’s last use, event, stops with turns; the questions about hours; the menu
    with django_assert_num_queries(7):
        page = get_page_text(client.get(f"/desk/events/{event.slug}/stops/"))

    assert "2 turns" in page
