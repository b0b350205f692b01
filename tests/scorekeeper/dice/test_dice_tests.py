"""`/desk/events/<slug>/dice/tests/`: testing dice by throwing them; no throw that was entered is lost."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.dice.models import DiceTest
from scorekeeper.dice.services import MAX_THROWS
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Operation
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text

pytestmark = pytest.mark.database


@pytest.fixture
def test(ride: Ride, organiser: Client) -> DiceTest:
    organiser.post(reverse("dice:start_test", args=[ride.event.slug]), {"name": "Rita’s dice", "die": "0"})
    return DiceTest.objects.get()


def get_url(test: DiceTest) -> str:
    return reverse("dice:test", args=[test.event.slug, test.pk])


def send(client: Client, test: DiceTest, revision: int, *throws: int) -> Any:
    """Send all throws, as the page's script does."""
    text = ",".join(map(str, throws))
    return client.post(get_url(test), {"revision": revision, "throws": text}, headers={"Accept": "application/json"})


def get_throws(test: DiceTest) -> list[int]:
    test.refresh_from_db()
    return list(test.throws)


def test_a_name_and_a_kind_are_needed(ride: Ride, organiser: Client) -> None:
    response = organiser.post(reverse("dice:start_test", args=[ride.event.slug]), {"name": "", "die": "7"})

    assert_refused(response, "id_name", "This field is required.")
    assert not DiceTest.objects.exists()


def test_an_event_without_contests_has_no_dice_to_test(other_event: Event, charlie: Any, sign_in: SignIn) -> None:
    page = get_page_text(sign_in(charlie).get(reverse("dice:start_test", args=[other_event.slug])))

    assert "No dice yet" in page


def test_taps_count_without_the_script(test: DiceTest, organiser: Client) -> None:
    for revision, face in enumerate(("6", "6", "1")):
        organiser.post(get_url(test), {"revision": revision, "face": face})
    organiser.post(get_url(test), {"revision": 3, "undo": "1"})

    assert get_throws(test) == [5, 5]
    page = get_page_text(organiser.get(get_url(test)))
    assert "2 of 500" in page
    assert "These throws fit fair dice." in page


def test_a_tap_on_an_old_page_is_not_counted_twice(test: DiceTest, organiser: Client) -> None:
    organiser.post(get_url(test), {"revision": 0, "face": "6"})
    response = organiser.post(get_url(test), {"revision": 0, "face": "6"}, follow=True)

    assert get_throws(test) == [5]
    assert "This page was out of date" in get_page_text(response)


def test_the_script_sends_all_throws_and_may_send_them_twice(test: DiceTest, organiser: Client) -> None:
    first = send(organiser, test, 0, 1, 2, 3)
    again = send(organiser, test, 0, 1, 2, 3)
    more = send(organiser, test, 0, 1, 2, 3, 4)  # the response to the first was lost

    assert [response.status_code for response in (first, again, more)] == [200, 200, 200]
    assert first.json()["revision"] == again.json()["revision"] == 1
    assert more.json()["revision"] == 2
    assert "Result so far" in more.json()["result"]
    assert get_throws(test) == [1, 2, 3, 4]


def test_throws_of_two_phones_are_never_overwritten(test: DiceTest, organiser: Client) -> None:
    send(organiser, test, 0, 1, 2)
    response = send(organiser, test, 0, 5)

    assert response.status_code == 409
    assert response.json()["throws"] == [1, 2]
    assert get_throws(test) == [1, 2]


def test_undo_shortens_what_is_stored(test: DiceTest, organiser: Client) -> None:
    send(organiser, test, 0, 1, 2)

    assert send(organiser, test, 1, 1).status_code == 200
    assert get_throws(test) == [1]


@pytest.mark.parametrize("text", ["6", "-1", "x", "1,,2", "1;2", ",".join(["1"] * (MAX_THROWS + 1)), "٣"])
def test_what_is_no_list_of_throws_is_refused(test: DiceTest, organiser: Client, text: str) -> None:
    response = organiser.post(get_url(test), {"revision": 0, "throws": text})

    assert response.status_code == 422
    assert get_throws(test) == []


def test_500_throws_are_the_most(test: DiceTest, organiser: Client) -> None:
    faces = [number % 6 for number in range(MAX_THROWS)]
    assert send(organiser, test, 0, *faces).status_code == 200
    organiser.post(get_url(test), {"revision": 1, "face": "6"})

    assert len(get_throws(test)) == MAX_THROWS
    page = get_page_text(organiser.get(get_url(test)))
    assert "By now, dice that show one face in 27% of all throws instead of 17% would probably have been found." in page


def test_loaded_dice_are_found(test: DiceTest, organiser: Client) -> None:
    response = send(organiser, test, 0, *[5, 5, 0, 1, 2, 5, 5, 3, 4, 5] * 15)

    assert "These throws fit fair dice badly" in response.json()["result"]
    assert "Use other dice." in response.json()["result"]


def test_nothing_of_a_test_is_in_the_log(test: DiceTest, organiser: Client) -> None:
    before = Operation.objects.count()
    send(organiser, test, 0, 1, 2, 3)

    assert Operation.objects.count() == before
    page = get_page_text(organiser.get(reverse("dice:audit", args=[test.event.slug])))
    assert "Rita’s dice</a>, 3 throws" in page


def test_a_test_of_another_event_is_not_found(
    test: DiceTest, other_event: Event, charlie: Any, sign_in: SignIn
) -> None:
    url = reverse("dice:test", args=[other_event.slug, test.pk])

    assert sign_in(charlie).get(url).status_code == 404
