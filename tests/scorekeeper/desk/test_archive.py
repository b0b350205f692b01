"""The archive of events: who may use it when, what it changes, and what it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import create_contest
from scorekeeper.events.services.events import ContestStillOpen, EventArchived, archive_event, open_event
from scorekeeper.ledger.actors import Actor
from scorekeeper.standings.services.closure import reopen_contest
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.scorecards.conftest import make_paper_turn

Close = Callable[[], Any]


@pytest.fixture
def page(ride: Ride) -> str:
    return reverse("events:archive", args=[ride.event.slug])


@pytest.fixture
def archived(ride: Ride, close: Close, add_turn: Callable[..., Any]) -> Event:
    """The ride, closed and in the archive. Bike 1 has one turn."""
    add_turn(1, 1, make_paper_turn("chance", 24))
    close()
    archive_event(ride.event)
    return ride.event


def test_an_event_goes_to_the_archive_and_comes_back(ride: Ride, organiser: Client, page: str, close: Close) -> None:
    close()
    assert "Archive Rock the Roll?" in get_visible_text(organiser.get(page))

    listed = get_page_text(organiser.post(page, follow=True))
    assert "Archive: 1 event" in listed
    assert listed.index("<details") < listed.index(f"/desk/events/{ride.event.slug}/")

    settings = organiser.post(reverse("events:unarchive", args=[ride.event.slug]), follow=True)
    assert "Rock the Roll is no longer in the archive." in get_visible_text(settings)
    assert "<details" not in get_page_text(organiser.get("/desk/"))


def test_an_event_with_an_open_contest_is_not_archived(ride: Ride, organiser: Client, page: str) -> None:
    assert "R.O.C.K. Yahtzee" in get_visible_text(organiser.get(page))

    response = organiser.post(page)

    assert response.status_code == 409
    assert "Close each of them first" in get_visible_text(response)
    with pytest.raises(ContestStillOpen):
        archive_event(ride.event)
    assert not Event.objects.exclude(archived_at=None).exists()


def test_a_draft_can_be_archived_and_not_be_opened(ride: Ride, organiser: Client) -> None:
    Event.objects.update(state=Event.State.DRAFT)
    ride.event.refresh_from_db()
    archive_event(ride.event)

    with pytest.raises(EventArchived):
        open_event(ride.event)
    response = organiser.post(reverse("events:open", args=[ride.event.slug]), follow=True)
    assert "is in the archive. Take it out to open it." in get_visible_text(response)
    assert Event.objects.get().state == Event.State.DRAFT


def test_its_public_pages_stay_and_the_front_page_no_longer_lists_it(archived: Event, client: Client) -> None:
    Event.objects.update(is_listed=True)

    assert "Rock the Roll" not in get_page_text(client.get("/"))
    assert client.get(f"/events/{archived.slug}/").status_code == 200
    assert client.get(f"/events/{archived.slug}/rock-yahtzee/").status_code == 200


def test_what_still_arrives_from_a_phone_goes_to_review_as_late(
    ride: Ride, archived: Event, crew_client: CrewClient
) -> None:
    operations = [
        {
            "id": str(uuid4()),
            "kind": "turn",
            "contest": str(ride.contest.pk),
            "bike": str(ride.bikes[bike].pk),
            "slot": str(ride.slots[1].pk),
            "actions": make_paper_turn("aces", 3),
        }
        for bike in (1, 2)  # with a card, and without one
    ]

    response = crew_client(ride.rita).post(
        reverse("api:operations"), {"operations": operations}, content_type="application/json"
    )

    assert [receipt["outcome"] for receipt in response.json()["receipts"]] == ["late", "late"]


def test_there_are_no_new_links(ride: Ride, archived: Event, organiser: Client) -> None:
    ride.rita.refresh_from_db()
    with pytest.raises(EventArchived):
        create_invitation(ride.rita)

    response = organiser.post(reverse("crew:invite", args=[archived.slug, ride.rita.pk]), follow=True)

    assert "is in the archive, so there are no new links." in get_visible_text(response)
    assert not ride.rita.invitations.exists()


def test_no_contest_is_added_or_reopened(ride: Ride, archived: Event, organiser: Client, desk: Actor) -> None:
    with pytest.raises(EventArchived):
        create_contest(archived, ride.contest.game, name="X", seats_are="bikes", options={})
    with pytest.raises(EventArchived):
        reopen_contest(desk, uuid4(), ride.contest.pk, "a mistake")

    address = reverse("desk:reopen", args=[archived.slug, ride.contest.slug])
    response = organiser.post(address, {"operation": str(uuid4()), "reason": "a mistake"}, follow=True)

    assert "is in the archive. Take it out to reopen a contest." in get_visible_text(response)
    assert Contest.objects.get().status == Contest.Status.CLOSED
