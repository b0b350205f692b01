"""`/desk/events/<slug>/live/`: what every bike has at every stop, and what has changed since the page was made."""

from __future__ import annotations

import datetime as dt
import gzip
import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.desk.selectors.live_grid import CellState, GridFilter, LogPosition, get_live_grid, list_changed_bikes
from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

pytestmark = pytest.mark.database

AddTurn = Callable[..., Any]


def list_states(ride: Ride, number: int, **options: Any) -> list[CellState]:
    """Return the states of a bike's cells."""
    (row,) = (row for row in get_live_grid(ride.contest, **options).rows if row.bike.number == number)
    return [cell.state for cell in row.cells]


def set_hours(ride: Ride, stop: int, opens_at: dt.time | None = None, closes_at: dt.time | None = None) -> None:
    ride.event.stops.filter(pk=ride.stops[stop].pk).update(opens_at=opens_at, closes_at=closes_at)


def move_to(ride: Ride, day: dt.date) -> None:
    """Move the ride to another day."""
    Event.objects.update(date=day)
    ride.contest.refresh_from_db()


def test_a_stop_without_hours_opens_with_the_first_turn_there(ride: Ride, add_turn: AddTurn) -> None:
    assert list_states(ride, 2) == 5 * ["not_open"]

    add_turn(1, 1, make_paper_turn("fours", 12), make_actor(ride.rita))

    assert list_states(ride, 1) == ["recorded", *4 * ["not_open"]]
    assert list_states(ride, 2) == ["missing", *4 * ["not_open"]]


@pytest.mark.parametrize(
    ("opens_at", "closes_at", "afterwards"),
    [(dt.time(0, 0), None, "missing"), (dt.time(0, 0), dt.time(0, 1), "overdue"), (None, dt.time(0, 1), "overdue")],
)
def test_a_stop_with_hours_opens_and_closes_by_the_clock(
    ride: Ride, opens_at: dt.time | None, closes_at: dt.time | None, afterwards: str
) -> None:
    set_hours(ride, 0, opens_at, closes_at)

    move_to(ride, dt.date(2090, 6, 20))
    assert list_states(ride, 1)[0] == "not_open"
    move_to(ride, dt.date(2020, 6, 20))
    assert list_states(ride, 1)[0] == afterwards


def test_the_head_of_a_column_says_when_the_stop_opens_or_closes(ride: Ride, organiser: Client) -> None:
    set_hours(ride, 0, dt.time(9, 30), dt.time(11))
    for day, text in ((dt.date(2090, 6, 20), "opens 09:30"), (dt.date(2020, 6, 20), "until 11:00")):
        move_to(ride, day)
        assert text in get_visible_text(organiser.get(reverse("desk:live", args=[ride.event.slug])))


def test_a_stop_that_closes_after_midnight_is_not_overdue_on_the_evening(ride: Ride, add_turn: AddTurn) -> None:
    add_turn(2, 1, make_paper_turn("fours", 12), make_actor(ride.rita))
    move_to(ride, dt.datetime.now(ride.event.zone).date())
    set_hours(ride, 0, dt.time(23, 59), dt.time(23, 58))

    assert list_states(ride, 1)[0] == "missing"


@pytest.mark.parametrize("status", [Contest.Status.CLOSED, Contest.Status.OFFICIAL])
def test_once_the_contest_is_closed_nothing_is_overdue_or_not_open_yet(ride: Ride, status: str) -> None:
    move_to(ride, dt.date(2020, 6, 20))
    set_hours(ride, 0, closes_at=dt.time(14))
    assert list_states(ride, 1) == ["overdue", *4 * ["not_open"]]

    ride.contest.status = status

    assert list_states(ride, 1) == 5 * ["missing"]


def test_a_conflict_counts_before_the_turn_that_is_recorded(ride: Ride, add_turn: AddTurn) -> None:
    add_turn(1, 1, make_paper_turn("fours", 12), make_actor(ride.rita))
    add_turn(1, 1, make_paper_turn("fours", 16), make_actor(ride.tom))

    assert list_states(ride, 1)[0] == "conflict"


def test_bikes_that_retired_or_did_not_start_are_not_missing(ride: Ride, add_turn: AddTurn) -> None:
    add_turn(1, 1, make_paper_turn("fours", 12), make_actor(ride.rita))
    retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")
    refresh_standings(ride.contest.pk)
    ride.bikes[2].did_not_start = True
    ride.bikes[2].save()

    assert list_states(ride, 1) == ["recorded", *4 * ["retired"]]
    assert list_states(ride, 2) == 5 * ["did_not_start"]


def test_it_is_filtered_by_group_stop_and_state(ride: Ride, add_turn: AddTurn) -> None:
    add_turn(1, 1, make_paper_turn("fours", 12), make_actor(ride.rita))

    grid = get_live_grid(ride.contest, GridFilter(group_id=ride.group_two.pk))
    assert [row.bike.number for row in grid.rows] == [5, 6, 7, 8]
    grid = get_live_grid(ride.contest, GridFilter(stop_id=ride.stops[3].pk))
    assert [column.name for column in grid.columns] == ["Finale, turn 4", "Finale, turn 5"]
    grid = get_live_grid(ride.contest, GridFilter(state=CellState.RECORDED))
    assert [row.bike.number for row in grid.rows] == [1]
    assert grid.counts[CellState.RECORDED] == 1


def test_the_page_shows_every_bike_with_links_to_its_card_and_ignores_filters_that_make_no_sense(
    ride: Ride, organiser: Client, url: Callable[..., str], add_turn: AddTurn
) -> None:
    add_turn(1, 1, make_paper_turn("fours", 12), make_actor(ride.rita))

    for query in ("", "?group=nonsense&stop=7&state=lost&contest=none"):
        page = organiser.get(url("live") + query)
        text = page.content.decode()
        assert page.status_code == 200
        assert len(re.findall(r'<tr id="bike-', text)) == 8
        assert len(re.findall(r'<td class="cell cell--missing"><a href="/desk/[^>]+>Missing<', text)) == 7
        assert len(re.findall(r'<td class="cell cell--not_open"><a href="/desk/', text)) == 32
        assert '<td class="cell cell--recorded"' in text


def test_the_filters_are_sent_with_each_request_for_changes_and_no_id_is_on_the_page_twice(
    ride: Ride, organiser: Client, url: Callable[..., str]
) -> None:
    group = ride.group_two.pk

    text = organiser.get(url("live"), {"group": str(group), "state": "missing"}).content.decode()

    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    sent = text[text.index('<form id="grid-changes"') :]
    assert f'<input type="hidden" name="group" value="{group}">' in sent
    assert '<input type="hidden" name="stop" value="">' in sent
    assert '<input type="hidden" name="state" value="missing">' in sent


def test_the_changes_are_only_the_rows_that_have_changed(
    ride: Ride, organiser: Client, url: Callable[..., str], add_turn: AddTurn
) -> None:
    move_to(ride, dt.date(2020, 6, 20))
    set_hours(ride, 0, opens_at=dt.time(0, 0))
    position = get_live_grid(ride.contest).position
    add_turn(3, 1, make_paper_turn("fours", 12), make_actor(ride.rita))

    text = organiser.get(url("live_changes"), {"since": str(position)}).content.decode()

    assert re.findall(r'<tr id="bike-([^"]+)"', text) == [str(ride.bikes[3].pk)]
    assert 'id="grid-position"' in text


def test_the_first_turn_at_a_stop_changes_all_rows(
    ride: Ride, organiser: Client, url: Callable[..., str], add_turn: AddTurn
) -> None:
    position = get_live_grid(ride.contest).position
    add_turn(3, 1, make_paper_turn("fours", 12), make_actor(ride.rita))

    text = organiser.get(url("live_changes"), {"since": str(position)}).content.decode()

    assert text.count('<tr id="bike-') == 8
    assert text.count("cell--missing") == 7


@pytest.mark.parametrize(
    ("state", "is_empty"), [("recorded", False), ("not_open", False), ("conflict", True), ("overdue", True)]
)
def test_a_changed_row_that_does_not_match_the_filters_is_empty(
    ride: Ride, organiser: Client, url: Callable[..., str], add_turn: AddTurn, state: str, is_empty: bool
) -> None:
    move_to(ride, dt.date(2020, 6, 20))
    set_hours(ride, 0, opens_at=dt.time(0, 0))
    position = get_live_grid(ride.contest).position
    add_turn(3, 1, make_paper_turn("fours", 12), make_actor(ride.rita))

    text = organiser.get(url("live_changes"), {"since": str(position), "state": state}).content.decode()

    assert re.findall(r'<tr id="bike-([^"]+)"', text) == [str(ride.bikes[3].pk)]
    assert (f'<tr id="bike-{ride.bikes[3].pk}"></tr>' in text) == is_empty
    assert 'id="grid"' not in text


def test_names_are_escaped(ride: Ride, organiser: Client, url: Callable[..., str]) -> None:
    ride.bikes[1].players.update(name="<b>Ann</b>")

    assert "&lt;b&gt;Ann&lt;/b&gt;" in organiser.get(url("live")).content.decode()


def test_an_entry_that_goes_to_review_changes_its_row(ride: Ride, add_turn: AddTurn) -> None:
    add_turn(1, 1, make_paper_turn("fours", 12), make_actor(ride.rita))
    long_ago = LogPosition(0, 0)
    add_turn(1, 1, make_paper_turn("fours", 16), make_actor(ride.tom))

    assert list_changed_bikes(ride.contest, long_ago) == {ride.bikes[1].pk}


@pytest.mark.parametrize("since", ["", "soon", "-1.5.0", "1..", "1.5", "9" * 50, "1.999999999999.0"])
def test_without_a_position_the_whole_grid_is_sent(
    since: str, ride: Ride, organiser: Client, url: Callable[..., str]
) -> None:
    text = organiser.get(url("live_changes"), {"since": since}).content.decode()

    assert 'id="grid"' in text
    assert text.count('<tr id="bike-') == 8


def test_a_new_bike_makes_the_whole_grid_be_sent(ride: Ride, organiser: Client, url: Callable[..., str]) -> None:
    position = get_live_grid(ride.contest).position
    register_bike(make_actor(ride.rita), uuid4(), WalkUp(uuid4(), 77, ride.group_one.pk, "Zoe"))

    text = organiser.get(url("live_changes"), {"since": str(position)}).content.decode()

    assert 'id="grid"' in text
    assert "Zoe" in text


def test_an_event_without_turns_at_stops_says_what_to_do(event: Event, organiser: Client) -> None:
    page = organiser.get(f"/desk/events/{event.slug}/live/")

    assert "First assign the turns" in page.content.decode()
    assert organiser.get(f"/desk/events/{event.slug}/live/changes/").status_code == 204


def test_statements_do_not_depend_on_the_number_of_bikes(
    ride: Ride, organiser: Client, url: Callable[..., str]
) -> None:
    def count(address: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            organiser.get(address)
        return len(queries)

    before = count(url("live"))
    for number in range(100, 140):
        ride.event.bikes.create(number=number, group=ride.group_two)
    assert count(url("live")) == before <= 16


def test_a_page_of_200_bikes_is_small(ride: Ride, organiser: Client, url: Callable[..., str]) -> None:
    for number in range(100, 292):
        ride.event.bikes.create(number=number, group=ride.group_two)

    page = organiser.get(url("live"))

    assert page.content.count(b"<tr id=") == 200
    assert len(gzip.compress(page.content)) < 60_000
