"""The pages about practice: from the ride and back, playing up to a stop, starting over, and where it is listed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from scorekeeper.desk.models import PracticeRun
from scorekeeper.desk.services.practice import start_practice
from scorekeeper.desk.tasks import play as play_task
from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.models import Turn
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import assert_refused, get_page_text


@pytest.fixture
def practice(ride: Ride, alice: User) -> Event:
    """The ride's practice event."""
    return start_practice(ride.event, alice)


def get_url(page: str, event: Event) -> str:
    return reverse(f"desk:{page}", args=[event.slug])


def test_the_overview_starts_a_practice_and_leads_there_and_back(ride: Ride, organiser: Client) -> None:
    overview = get_page_text(organiser.get(get_url("event", ride.event)))
    assert "Practise with the crew" in overview

    response = organiser.post(get_url("practice", ride.event), follow=True)

    practice = Event.objects.get(practice_of=ride.event)
    page = get_page_text(response)
    assert response.redirect_chain == [(get_url("event", practice), 302)]
    assert "This is a practice" in page
    assert f'href="{get_url("event", ride.event)}"' in page
    back = get_page_text(organiser.get(get_url("event", ride.event)))
    assert "Practise with the crew" not in back
    assert f'href="{get_url("event", practice)}"' in back


def test_a_draft_can_be_practised_too(ride: Ride, organiser: Client) -> None:
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)

    assert "Practise with the crew" in get_page_text(organiser.get(get_url("event", ride.event)))
    organiser.post(get_url("practice", ride.event))

    assert Event.objects.get(practice_of=ride.event).is_open


def test_playing_sends_the_task_and_says_how_far_it_is(
    practice: Event, organiser: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    stop = practice.stops.get(name="Parks")

    with django_capture_on_commit_callbacks() as callbacks:
        response = organiser.post(get_url("practice_play", practice), {"stop": stop.pk, "seed": "42"}, follow=True)

    assert callbacks
    run = PracticeRun.objects.get()
    assert (run.stop, run.seed, run.tables) == (stop, "42", "none")
    assert "Starting to play." in get_page_text(response)
    assert "The last random turns had the seed 42." in get_page_text(response)
    progress = organiser.get(get_url("practice_progress", practice), headers={"HX-Request": "true"})
    assert "Starting to play" in get_page_text(progress)
    assert "<html" not in get_page_text(progress)

    play_task(str(run.pk))

    assert "Played." in get_page_text(organiser.get(get_url("event", practice)))
    assert "Played." in get_page_text(organiser.get(get_url("practice_progress", practice)))
    assert Turn.objects.filter(slot__contest__event=practice).count() == 16


def test_what_is_missing_in_the_form_is_said(practice: Event, organiser: Client) -> None:
    url = get_url("practice_play", practice)

    assert_refused(organiser.post(url, {"stop": "", "seed": "1"}), "id_stop", "Choose a stop.")


def test_without_a_seed_there_is_a_new_one(practice: Event, organiser: Client) -> None:
    stop = practice.stops.get(name="Parks")
    assert organiser.post(get_url("practice_play", practice), {"stop": stop.pk, "seed": ""}).status_code == 302
    assert PracticeRun.objects.get().seed


def test_a_stop_of_the_ride_is_no_stop_of_the_practice(ride: Ride, practice: Event, organiser: Client) -> None:
    response = organiser.post(get_url("practice_play", practice), {"stop": ride.stops[0].pk, "seed": "1"})

    assert_refused(response, "id_stop", "Choose one of the stops.")


def test_with_tables_either_a_stop_or_the_tables_are_played(ride: Ride, alice: User, organiser: Client) -> None:
    Contest.objects.create(
        event=ride.event, name="Rogue", slug="rogue", game_key="rogue", rules_version=1, seats_are="players", ordinal=2
    )
    practice = start_practice(ride.event, alice)
    url = get_url("practice_play", practice)

    nothing = organiser.post(url, {"stop": "", "tables": "none", "seed": "1"})
    assert_refused(nothing, "id_stop", "Choose a stop, or how far the tables are played.")
    organiser.post(url, {"stop": "", "tables": "half", "seed": "1"})

    assert PracticeRun.objects.get().tables == "half"


def test_a_ride_has_no_page_that_plays_it(ride: Ride, organiser: Client) -> None:
    for page in ("practice_play", "practice_restart"):
        response = organiser.post(get_url(page, ride.event), {"stop": ride.stops[0].pk, "seed": "1"})
        assert response.headers["Location"] == get_url("event", ride.event)

    assert not PracticeRun.objects.exists()
    assert "Play up to here" not in get_page_text(organiser.get(get_url("event", ride.event)))


def test_starting_over_says_what_goes_and_leads_to_the_new_practice(
    ride: Ride, practice: Event, organiser: Client
) -> None:
    url = get_url("practice_restart", practice)
    assert "phones are told that this practice has ended" in get_page_text(organiser.get(url))

    response = organiser.post(url, follow=True)

    again = Event.objects.get(practice_of=ride.event)
    assert again.pk != practice.pk
    assert response.redirect_chain == [(get_url("event", again), 302)]
    old = Client().get(reverse("results:event", args=[practice.slug]))
    assert old.status_code == 410


def test_an_archived_ride_is_not_practised(ride: Ride, organiser: Client) -> None:
    ride.contest.status = Contest.Status.CLOSED
    ride.contest.save()
    organiser.post(reverse("events:archive", args=[ride.event.slug]))

    organiser.post(get_url("practice", ride.event))

    assert not Event.objects.filter(practice_of=ride.event).exists()


def test_a_practice_copy_is_listed_nowhere(
    ride: Ride, practice: Event, organiser: Client, client: Client, url: Callable[..., str]
) -> None:
    Event.objects.update(is_listed=True)

    assert practice.name not in get_page_text(client.get("/"))
    assert ride.event.name in get_page_text(client.get("/"))
    assert practice.name not in get_page_text(organiser.get(reverse("events:list")))


def test_the_demo_is_listed_only_while_there_is_no_ride(event: Event, alice: User, client: Client) -> None:
    Event.objects.update(is_practice=True, is_listed=True)
    page = get_page_text(client.get("/"))
    assert event.name in page
    assert "Practice" in page

    Event.objects.create(name="Our own", slug="our-own", date=event.date)

    assert event.name not in get_page_text(client.get("/"))
