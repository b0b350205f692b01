"""Chances to win are told only where a contest tells them, while it is open and not frozen.

Every route of the resolver is requested by every kind of person, and every stream is read. The chances exist all the
time, so a route that reads them without asking whether they may be told fails here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from pytest_django import Settings

from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.models import ChancesReport
from scorekeeper.standings.services.chances_computation import compute_chances
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.freeze import freeze_standings
from tests.scorekeeper.rights.every_response import add_far_bike, read_everything
from tests.scorekeeper.rights.small_ride import SmallRide, enable_authority_pages, make_small_ride
from tests.scorekeeper.rights.test_pages_embargo import get_desk_actor, refresh, take_snapshots

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

# The text of pages, and the names of fields. (A setting is called “Chances to win”.)
WORDS = re.compile(rb"chance to (win|be among)|among the first|chances as of|among_first|\"chances\"", re.IGNORECASE)
TELLING = {"results:leaderboard", "results:bike", "live:screen", "live:television", "api:standings"}
FILES = {"results:export", "results:event", "results:preview", "prints:public_file", "api:results"}
TELLING_STREAMS = {"live:board", "live:screen_stream", "live:paired_stream"}


@pytest.fixture
def ride(settings: Settings, tmp_path: Path) -> SmallRide:
    """The ride with bikes of two groups that have rolled, in a contest whose chances are computed."""
    settings.METRICS_TOKEN = "a token"
    enable_authority_pages(settings, tmp_path)
    ride = make_small_ride("Quokka")
    add_far_bike(ride)
    set_told(Contest.OddsShown.SCREEN)
    actions = [{"type": "paper", "box": "chance", "points": 20}]
    turn = TurnInput(ride.ids["yahtzee"], ride.ids["other_bike"], ride.ids["slot"], actions, reason="late")
    record_turn(get_desk_actor(ride), uuid4(), turn)
    refresh(ride)
    assert compute_chances(ride.ids["yahtzee"])
    assert len(list_figures()) > 1
    return ride


def set_told(odds_shown: str) -> None:
    Contest.objects.filter(game_key="rock-yahtzee").update(odds_shown=odds_shown)


def list_figures() -> set[bytes]:
    """Return what was computed, as programs would write it: the first four decimals of each chance."""
    chances = [chance for report in ChancesReport.objects.all() for own in report.chances.values() for chance in own]
    texts = (f"{chance:.6f}"[:-2] for chance in chances if 0.001 < chance < 0.999)
    return {text.encode() for text in texts if not text.endswith("000")}


def find_telling(ride: SmallRide, only: Collection[str] | None = None) -> Iterator[tuple[str, str, bytes]]:
    """Yield what tells something: the route, who asked, and the first thing that was found."""
    figures = list_figures()
    for route, who, _response, content in read_everything(ride, only):
        word = WORDS.search(content)
        found = word[0] if word else next((figure for figure in figures if figure in content), None)
        if found:
            yield route, who, found


def find_telling_streams(ride: SmallRide) -> set[str]:
    snapshots = {route: snapshot.render_swap().encode() for route, snapshot in take_snapshots(ride).items()}
    figures = list_figures()
    return {
        route
        for route, content in snapshots.items()
        if WORDS.search(content) or any(figure in content for figure in figures)
    }


def test_a_contest_that_tells_them_tells_them_on_boards_and_pages_and_in_no_file(ride: SmallRide) -> None:
    """What the walk looks for is found then: it can fail."""
    assert {route for route, _who, _what in find_telling(ride, TELLING | FILES)} == TELLING
    assert find_telling_streams(ride) == TELLING_STREAMS


def test_nothing_is_told_where_a_contest_tells_nothing(ride: SmallRide) -> None:
    set_told(Contest.OddsShown.OFF)

    assert list(find_telling(ride)) == []
    assert find_telling_streams(ride) == set()


def test_nothing_is_told_to_the_audience_of_a_freeze(ride: SmallRide) -> None:
    freeze_standings(Event.objects.get(pk=ride.ids["event"]))

    found = {(route, who) for route, who, _what in find_telling(ride)}

    assert found == {("api:standings", "reading program"), ("api:standings", "recording program")}, (
        "an organiser's programs"
    )
    assert find_telling_streams(ride) == set()


def test_nothing_is_told_once_the_contest_is_closed(ride: SmallRide) -> None:
    close_contest(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], "the ride is over")
    refresh(ride)

    assert list(find_telling(ride, TELLING)) == []
    assert find_telling_streams(ride) == set()
