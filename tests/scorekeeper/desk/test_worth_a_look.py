"""`/desk/events/<slug>/worth-a-look/`: warnings about a real ride, and how they are dismissed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scorekeeper.desk.models import DismissedWarning
from scorekeeper.desk.selectors.worth_a_look import compute_warnings, count_warnings
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.scorecards.conftest import make_actor, make_final_turn, make_paper_turn

pytestmark = pytest.mark.database

AddTurn = Callable[..., Any]
START = dt.datetime(2026, 6, 20, 16, tzinfo=dt.UTC)  # ten o'clock in Edmonton
FULL_HOUSE = [2, 2, 2, 5, 5]


@pytest.fixture
def record(ride: Ride, add_turn: AddTurn) -> Callable[..., None]:
    """Record a turn that the server receives so many minutes after ten o'clock."""

    def make(number: int, slot: int, minutes: float, by: Actor, actions: Any = None, **more: Any) -> None:
        receipt = add_turn(number, slot, actions or make_paper_turn("chance", 20 + number), by=by, **more)
        received_at = START + dt.timedelta(minutes=minutes)
        Operation.objects.filter(pk=receipt.operation_id).update(received_at=received_at)

    return make


@pytest.fixture
def repeated(ride: Ride, record: Callable[..., None]) -> None:
    """Rita records the same dice for bikes 1 and 2."""
    rita = make_actor(ride.rita)
    for minutes, number in enumerate((1, 2)):
        record(number, 1, minutes, rita, make_final_turn(FULL_HOUSE, "full_house"))


def list_codes(ride: Ride) -> list[str]:
    return [warning.problem.code for warning in compute_warnings(ride.event)]


def test_an_ordinary_ride_raises_no_warning(ride: Ride, record: Callable[..., None]) -> None:
    ride.event.stops.update(opens_at=dt.time(10), closes_at=dt.time(18))
    rita, gus = make_actor(ride.rita), make_actor(ride.gus)
    for slot in (1, 2, 3):
        for place, (actor, numbers) in enumerate(((rita, (1, 2, 3, 4)), (gus, (5, 6, 7, 8)))):
            for turn, number in enumerate(numbers):
                box = ("aces", "twos", "threes")[slot - 1]
                record(number, slot, 60 * slot + 10 * place + turn, actor, make_paper_turn(box, 3 * slot))

    assert compute_warnings(ride.event) == []


def test_a_ride_that_was_sent_in_one_batch_after_it_was_over_raises_no_warning(
    ride: Ride, record: Callable[..., None]
) -> None:
    ride.event.stops.update(opens_at=dt.time(10), closes_at=dt.time(12))
    rita = make_actor(ride.rita)
    for slot, box in ((1, "aces"), (2, "twos"), (3, "threes")):
        for number in (1, 2, 3, 4):
            record(number, slot, 600 + slot / 100 + number / 1000, rita, make_paper_turn(box, 3 * slot))

    assert compute_warnings(ride.event) == []


def test_one_bike_at_two_stops_within_minutes(ride: Ride, record: Callable[..., None]) -> None:
    rita, tom = make_actor(ride.rita), make_actor(ride.tom)
    record(1, 1, 0, rita, make_paper_turn("aces", 3))
    record(2, 1, 1, rita, make_paper_turn("aces", 3))
    record(3, 2, 0, tom, make_paper_turn("twos", 6))
    record(2, 2, 2, tom, make_paper_turn("twos", 6))

    (warning,) = compute_warnings(ride.event)
    assert warning.problem.code == "two_stops"
    assert warning.problem.message() == "Bike 2 was recorded at Ozweld's and at Parks within 5 minutes"


def test_turns_before_a_stop_opens_in_the_zone_of_the_event(ride: Ride, record: Callable[..., None]) -> None:
    ride.event.stops.filter(name="Parks").update(opens_at=dt.time(11), closes_at=dt.time(13))
    record(3, 2, 30, make_actor(ride.rita))  # half past ten

    assert list_codes(ride) == ["early"]
    Event.objects.update(time_zone="America/New_York")
    ride.event.refresh_from_db()
    assert list_codes(ride) == []


def test_a_dice_set_that_is_used_for_another_group(ride: Ride, record: Callable[..., None]) -> None:
    dice_set = ride.group_one.dice_sets.get(name="Third")
    rita = make_actor(ride.rita)
    record(1, 1, 0, rita, dice_set_id=dice_set.pk)
    record(5, 1, 1, rita, dice_set_id=dice_set.pk, takes_over=True)

    assert list_codes(ride) == ["shared_dice"]
    ride.rita.any_bike_at.add(ride.stops[0])
    assert list_codes(ride) == []


def test_a_merged_bike_a_missed_turn_and_an_empty_ride_raise_nothing(ride: Ride, repeated: None) -> None:
    ride.bikes[2].merged_into = ride.bikes[1]
    ride.bikes[2].save()
    assert list_codes(ride) == []
    ride.contest.slots.all()
    assert compute_warnings(Event.objects.create(name="New", slug="new", date=dt.date(2026, 6, 20))) == []


def test_a_warning_says_why_and_leads_to_the_scorecards(
    ride: Ride, organiser: Client, url: Callable[..., str], repeated: None
) -> None:
    page = organiser.get(url("warnings"))
    text = get_page_text(page)

    assert "The same phone recorded the dice 2 2 2 5 5 twice in a row, for bikes 1 and 2" in text
    assert "One roll may have been recorded for two bikes." in text
    for warning in compute_warnings(ride.event):
        for card_id in warning.cards:
            assert f"/{card_id}/" in page.content.decode()
    assert count_warnings(ride.event) == 1
    overview = get_page_text(organiser.get(url("event")))
    assert "1 warning about unusual entries" in overview


def test_a_warning_is_dismissed_with_a_reason_and_listed_again(
    ride: Ride, organiser: Client, url: Callable[..., str], repeated: None
) -> None:
    (warning,) = compute_warnings(ride.event)
    refused = organiser.post(url("warnings"), {"key": warning.key, "reason": ""})
    assert_refused(refused, f"id_reason_{warning.key}", "Enter a reason.")

    response = organiser.post(url("warnings"), {"key": warning.key, "reason": "Both <b>rolled</b> it"})

    assert response.status_code == 302
    row = DismissedWarning.objects.get()
    assert (row.key, row.reason) == (warning.key, "Both <b>rolled</b> it")
    page = organiser.get(url("warnings")).content.decode()
    assert "Nothing is worth a look" in page
    assert "Both &lt;b&gt;rolled&lt;/b&gt; it" in page
    assert "alice" in page
    assert count_warnings(ride.event) == 0

    assert organiser.post(url("restore_warning"), {"key": warning.key}).status_code == 302
    assert count_warnings(ride.event) == 1
    assert organiser.post(url("restore_warning"), {"key": warning.key}).status_code == 302  # again


def test_the_reason_of_the_first_organiser_stays_and_an_old_page_changes_nothing(
    ride: Ride, organiser: Client, bob: Any, sign_in: Callable[..., Client], url: Callable[..., str], repeated: None
) -> None:
    (warning,) = compute_warnings(ride.event)
    organiser.post(url("warnings"), {"key": warning.key, "reason": "Seen"})

    response = sign_in(bob).post(url("warnings"), {"key": warning.key, "reason": "Later"}, follow=True)

    assert "This warning is no longer listed." in get_page_text(response)
    assert DismissedWarning.objects.get().reason == "Seen"


def test_a_dismissed_warning_comes_back_when_more_turns_raise_it(ride: Ride, record: Callable[..., None]) -> None:
    ride.event.stops.update(opens_at=dt.time(11))
    rita = make_actor(ride.rita)
    record(1, 1, 0, rita)
    (warning,) = compute_warnings(ride.event)
    DismissedWarning.objects.create(
        event=ride.event, key=warning.key, reason="Seen", dismissed_by=rita.id, dismissed_at=START
    )
    assert count_warnings(ride.event) == 0

    record(2, 1, 1, rita)

    assert count_warnings(ride.event) == 1


def test_the_number_of_statements_does_not_depend_on_the_ride(
    ride: Ride, organiser: Client, url: Callable[..., str], record: Callable[..., None]
) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            organiser.get(url("warnings"))
        return len(queries)

    rita = make_actor(ride.rita)
    record(1, 1, 0, rita, make_final_turn(FULL_HOUSE, "full_house"))
    before = count()
    for number in (2, 3, 4):
        record(number, 1, number, rita, make_final_turn(FULL_HOUSE, "full_house"))

    assert count() == before <= 18
    assert count_warnings(ride.event) == 3
