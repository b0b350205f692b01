"""/desk/events/<slug>/settings/ and /open/"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_event, list_listed_events
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import save

GOOD = {
    "name": "Rock the Roll 2",
    "date": "2026-06-21",
    "time_zone": "UTC",
    "people_shown": "numbers",
    "is_listed": "on",
}


def test_everything_can_change_but_the_slug(event: Event, bob: User, sign_in: SignIn) -> None:
    address = event.slug

    response = save(sign_in(bob), f"/desk/events/{address}/settings/", GOOD)

    event.refresh_from_db()
    assert response["Location"] == f"/desk/events/{address}/settings/"
    assert (event.name, str(event.date), event.time_zone) == ("Rock the Roll 2", "2026-06-21", "UTC")
    assert (event.people_shown, event.is_listed, event.slug) == ("numbers", True, address)


def test_an_error_is_shown_and_the_input_is_kept(event: Event, alice: User, sign_in: SignIn) -> None:
    data = {**GOOD, "time_zone": "Nowhere/Land"}

    response = save(sign_in(alice), f"/desk/events/{event.slug}/settings/", data)

    text = "There is no time zone called “Nowhere/Land”. Type the largest city nearby, such as Edmonton."
    assert_refused(response, "id_time_zone", text)
    assert 'value="Rock the Roll 2"' in get_page_text(response)
    event.refresh_from_db()
    assert event.name == "Rock the Roll"


def test_an_open_event_shows_its_share_link(event: Event, alice: User, sign_in: SignIn, settings) -> None:
    settings.BASE_URL = "https://rides.example.org"

    page = get_page_text(sign_in(alice).get(f"/desk/events/{event.slug}/settings/"))

    assert f'value="https://rides.example.org/events/{event.slug}/"' in page
    assert "Only people with this link can find it." in page


def test_a_draft_is_opened_after_confirmation(event: Event, alice: User, sign_in: SignIn) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    client = sign_in(alice)
    address = f"/desk/events/{event.slug}/open/"
    assert address in get_page_text(client.get(f"/desk/events/{event.slug}/settings/"))

    assert "Open Rock the Roll?" in get_page_text(client.get(address))
    event.refresh_from_db()
    assert event.state == Event.State.DRAFT

    for _twice in range(2):
        assert client.post(address).status_code == 302
    event.refresh_from_db()
    assert event.is_open


def test_the_public_cannot_see_a_draft(event: Event) -> None:
    assert get_open_event(event.slug) == event

    Event.objects.update(state=Event.State.DRAFT, is_listed=True)

    assert get_open_event(event.slug) is None
    assert not list_listed_events()


@pytest.mark.parametrize("is_listed", [True, False])
def test_the_front_page_has_only_listed_events(event: Event, is_listed: bool) -> None:
    Event.objects.update(is_listed=is_listed)

    assert list(list_listed_events()) == ([event] if is_listed else [])
