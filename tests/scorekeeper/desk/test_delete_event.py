"""`/desk/events/<slug>/delete/`, and what a deleted event's old links and phones are told."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from scorekeeper.common.secret_links import hash_token
from scorekeeper.crew.models import Device, Invitation
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.events.models import DeletedEvent, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import assert_refused, get_visible_text
from tests.scorekeeper.scorecards.conftest import make_paper_turn

Close = Callable[[], Any]


@pytest.fixture
def page(ride: Ride) -> str:
    return reverse("desk:delete", args=[ride.event.slug])


@pytest.fixture
def official(ride: Ride, close: Close, desk: Actor, add_turn: Callable[..., Any]) -> None:
    """The ride has an official result."""
    add_turn(1, 1, make_paper_turn("chance", 24))
    close()
    publish_contest(desk, uuid4(), ride.contest.pk, "the rest is missing")


def test_the_page_lists_what_goes(
    ride: Ride, organiser: Client, page: str, add_turn: Callable[..., Any], crew_client: CrewClient
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 24))
    crew_client(ride.tom)
    Device.objects.filter(member=ride.rita).update(unsent=3)

    text = get_visible_text(organiser.get(page))

    assert "8 bikes and 9 people" in text
    assert "1 entry in the log" in text
    assert "2 phones are signed out" in text
    assert "1 phone has entries that were not sent." in text
    assert "1 phone has never reported" not in text
    assert "2 phones have never reported" in text


def test_it_is_deleted_once_its_name_is_typed(ride: Ride, organiser: Client, page: str) -> None:
    response = organiser.post(page, {"name": "  rock the  ROLL"}, follow=True)

    assert "Rock the Roll has been deleted." in get_visible_text(response)
    assert not Event.objects.exists()
    assert organiser.get(page).status_code == 410


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "Enter the name of the event to delete it."),
        ("Rock", "This is not the name of the event. Enter “Rock the Roll” to delete it."),
    ],
)
def test_any_other_name_deletes_nothing(ride: Ride, organiser: Client, page: str, typed: str, message: str) -> None:
    assert_refused(organiser.post(page, {"name": typed}), "id_name", message)

    assert Event.objects.filter(pk=ride.event.pk).exists()


@pytest.mark.usefixtures("official")
def test_an_event_with_an_official_result_is_offered_the_archive_instead(
    ride: Ride, organiser: Client, page: str
) -> None:
    response = organiser.get(page)
    assert "cannot be deleted" in get_visible_text(response)
    assert reverse("events:archive", args=[ride.event.slug]) in response.content.decode()

    assert organiser.post(page, {"name": "Rock the Roll"}).status_code == 409
    assert Entry.objects.exists()


@pytest.mark.parametrize(
    "path",
    ["", "screen", "stream", "rock-yahtzee/", "rock-yahtzee/export.csv", "rock-yahtzee/stream", "never-was/"],
)
def test_every_public_link_says_that_the_event_was_deleted(ride: Ride, client: Client, path: str) -> None:
    delete_event(ride.event)

    response = client.get(f"/events/{ride.event.slug}/{path}")

    assert response.status_code == 410
    assert "Rock the Roll" in get_visible_text(response)
    assert "This event was deleted by its organisers on" in get_visible_text(response)


def test_an_event_that_never_was_is_not_found(ride: Ride, client: Client, organiser: Client) -> None:
    delete_event(ride.event)

    assert client.get("/events/never-was/").status_code == 404
    assert organiser.get("/desk/events/never-was/").status_code == 404


@pytest.mark.parametrize(
    "path", ["", "live/", "groups/", "contests/rock-yahtzee/settings/", "bikes/00000000-0000-4000-8000-000000000000/"]
)
def test_every_link_of_an_organiser_says_that_the_event_was_deleted(
    ride: Ride, organiser: Client, client: Client, path: str
) -> None:
    delete_event(ride.event)
    address = f"/desk/events/{ride.event.slug}/{path}"

    response = organiser.get(address)

    assert response.status_code == 410
    assert "This event was deleted by its organisers on" in get_visible_text(response)
    assert "Entries that crew phones had not sent are kept on the phones." in get_visible_text(response)
    assert "/sign-in/" in client.get(address).headers["Location"]


def test_a_button_of_an_open_page_says_that_the_event_was_deleted(ride: Ride, organiser: Client) -> None:
    delete_event(ride.event)

    response = organiser.post(reverse("desk:practice", args=[ride.event.slug]))

    assert response.status_code == 410
    assert "This event was deleted by its organisers on" in get_visible_text(response)


def test_another_organisers_event_is_still_not_found(ride: Ride, other_event: Event, organiser: Client) -> None:
    delete_event(ride.event)

    assert organiser.get(f"/desk/events/{other_event.slug}/").status_code == 404


def test_a_crew_page_says_that_the_ride_was_deleted(ride: Ride, crew_client: CrewClient) -> None:
    phone = crew_client(ride.rita)
    delete_event(ride.event)

    response = phone.get(reverse("scorecards:group"))

    assert response.status_code == 410
    assert "Rock the Roll was deleted by its organiser on" in get_visible_text(response)
    assert "Entries that this phone has not sent are kept on it." in get_visible_text(response)


def test_a_form_of_a_deleted_ride_shows_what_was_typed(ride: Ride, crew_client: CrewClient) -> None:
    phone = crew_client(ride.rita)
    delete_event(ride.event)

    response = phone.post(reverse("scorecards:walk_up"), {"number": "57", "rider": "Nell"})

    assert response.status_code == 410
    text = get_visible_text(response)
    assert "This event was deleted" in text
    assert "57" in text
    assert "Nell" in text


@pytest.mark.parametrize(
    ("method", "route"),
    [
        ("post", "api:operations"),
        ("post", "api:carried"),
        ("get", "api:key"),
        ("post", "api:key"),
        ("get", "offline:ride"),
        ("get", "offline:ride_parts"),
        ("post", "offline:ride_parts"),
    ],
)
def test_a_phone_of_a_deleted_ride_is_told_by_every_request(
    ride: Ride, crew_client: CrewClient, method: str, route: str
) -> None:
    phone = crew_client(ride.rita)
    delete_event(ride.event)

    response = getattr(phone, method)(reverse(route), {}, content_type="application/json")

    assert response.status_code == 410
    assert response.json()["error"]["code"] == "event_deleted"
    assert "kept on the phone" in response.json()["error"]["message"]


def test_a_phone_that_was_revoked_before_is_told_too(ride: Ride, crew_client: CrewClient) -> None:
    phone = crew_client(ride.rita)
    Device.objects.update(revoked_at="2026-06-20T10:00:00Z", left_at=None)
    delete_event(ride.event)

    assert phone.post(reverse("api:carried"), {}, content_type="application/json").status_code == 410


def test_a_phone_that_is_nobodys_is_asked_to_sign_in(ride: Ride, client: Client) -> None:
    delete_event(ride.event)

    assert client.get(reverse("scorecards:group")).status_code == 401


def test_a_join_link_says_that_the_ride_was_deleted(ride: Ride, client: Client) -> None:
    _invitation, token = create_invitation(ride.sue)
    delete_event(ride.event)
    assert not Invitation.objects.filter(token_digest=hash_token(token)).exists()

    for request in (client.get, client.post):
        response = request(reverse("crew:join", args=[token]))
        assert response.status_code == 410
        assert "This link was for that event." in get_visible_text(response)
        assert response.headers["X-Robots-Tag"] == "noindex"


def purge(*arguments: str) -> str:
    out = io.StringIO()
    call_command("purge_event", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.usefixtures("official")
def test_the_command_purges_an_official_event_and_prints_the_last_hashes(
    ride: Ride, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda question: "rock the roll")

    printed = purge(ride.event.slug)

    left = DeletedEvent.objects.get()
    assert left.heads
    assert all(f"{chain} {head}" in printed for chain, head in left.heads.items())
    assert not Event.objects.exists()


@pytest.mark.parametrize("typed", ["", "Rock"])
def test_the_command_removes_nothing_without_the_name(ride: Ride, monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    monkeypatch.setattr("builtins.input", lambda question: typed)

    with pytest.raises(CommandError, match="Nothing was removed"):
        purge(ride.event.slug)

    assert Event.objects.exists()


def test_the_command_can_be_told_not_to_ask_and_the_rides_phones_are_told(ride: Ride, crew_client: CrewClient) -> None:
    phone = crew_client(ride.rita)

    purge(ride.event.slug, "--yes")

    assert not Event.objects.exists()
    response = phone.post(reverse("api:operations"), {}, content_type="application/json")
    assert (response.status_code, response.json()["error"]["code"]) == (410, "event_deleted")


def test_the_command_knows_no_other_event(ride: Ride) -> None:
    with pytest.raises(CommandError, match="no event with the address"):
        purge("nowhere", "--yes")
