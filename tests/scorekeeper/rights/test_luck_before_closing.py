"""Before a contest is closed, no response tells anybody anything of odds, luck or the cost of choices.

Every route of the resolver is requested by every kind of person, organisers and their programs too, and every stream is
read. The figures exist already: the contest was closed, they were computed, and it was reopened. So a route that reads
them without asking whether they may be told fails here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pytest_django import Settings

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.card_luck import CardLuck
from scorekeeper.standings.models import LuckReport
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.freeze import freeze_standings
from scorekeeper.standings.services.luck_computation import compute_luck
from tests.scorekeeper.rights.every_response import add_far_bike, read_everything
from tests.scorekeeper.rights.small_ride import SmallRide, enable_authority_pages, make_small_ride
from tests.scorekeeper.rights.test_pages_embargo import (
    get_desk_actor,
    refresh,
    take_snapshots,
)

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

# Words of pages, and names of fields.
WORDS = re.compile(rb"\bluck\w*|\bunsplit\b|without luck|expected total|cost of (the )?choices", re.IGNORECASE)
TELLING = {"results:luck", "results:leaderboard", "results:export", "api:luck", "api:results"}
# They say that there is none.
SAYING_NONE = {"api:luck", "api:scorecard_luck"}
DICE = [6, 6, 6, 6, 1]


@pytest.fixture
def ride(settings: Settings, tmp_path: Path) -> SmallRide:
    """The ride with a card that was rolled, whose luck is computed, and whose contest is open again."""
    settings.METRICS_TOKEN = "a token"
    enable_authority_pages(settings, tmp_path)
    ride = make_small_ride("Quokka")
    bike = Bike.objects.get(pk=ride.ids["other_bike"])
    add_far_bike(ride)
    actions: list[dict[str, Any]] = [
        {"type": "roll", "dice": DICE},
        {"type": "roll", "keep": [6, 6, 6], "dice": [2, 3]},
        {"type": "score", "box": "sixes"},
    ]
    desk = get_desk_actor(ride)
    record_turn(desk, uuid4(), TurnInput(ride.ids["yahtzee"], bike.pk, ride.ids["slot"], actions, reason="late"))
    close(ride)
    assert compute_luck(ride.ids["yahtzee"])
    reopen_contest(desk, uuid4(), ride.ids["yahtzee"], "a card was found")
    refresh(ride)
    return ride


def close(ride: SmallRide) -> None:
    close_contest(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], "the ride is over")
    refresh(ride)


def list_figures() -> set[bytes]:
    """Return what was computed, as programs would write it: the first four decimals of each figure."""
    cards = [CardLuck.from_data(card).luck for report in LuckReport.objects.all() for card in report.cards]
    figures = [card.start for card in cards] + [
        figure for card in cards for step in card.steps for figure in (step.amount, step.value)
    ]
    texts = (f"{figure:.6f}"[:-2] for figure in figures)
    return {text.encode() for text in texts if not text.endswith("0000")}


def find_telling(ride: SmallRide, figures: set[bytes], only: set[str] | None = None) -> Iterator[tuple[str, str, Any]]:
    """Yield what tells something: the route, who asked, and the first thing that was found."""
    for route, who, response, content in read_everything(ride, only):
        found = find_words(content, response.status_code) or next(
            (figure for figure in figures if figure in content), None
        )
        if found and not (route in SAYING_NONE and is_none(response)):
            yield route, who, found


def is_none(response: Any) -> bool:
    """Return whether an answer of the API says that there is no luck, and has none."""
    data = response.json()
    return data["state"] == "none" and not data.get("luck") and not data.get("seats")


def find_words(content: bytes, status: int) -> bytes | None:
    """Return a word of luck in a response; a refusal may say that there is none."""
    found = WORDS.search(content)
    return None if found is None or status in (404, 405) else found[0]


@pytest.mark.security
def test_no_response_tells_of_luck_before_the_contest_is_closed(ride: SmallRide) -> None:
    figures = list_figures()
    assert len(figures) > 5
    assert Contest.objects.get(pk=ride.ids["yahtzee"]).status == Contest.Status.OPEN

    assert list(find_telling(ride, figures)) == []


def test_no_stream_tells_of_luck(ride: SmallRide) -> None:
    figures = list_figures()
    for route, snapshot in take_snapshots(ride).items():
        content = snapshot.render_swap().encode()
        assert WORDS.search(content) is None, route
        assert not any(figure in content for figure in figures), route


def test_once_the_contest_is_closed_luck_is_told(ride: SmallRide) -> None:
    """What the walk looks for is found then: it can fail."""
    close(ride)
    compute_luck(ride.ids["yahtzee"])
    found = {route for route, _who, _what in find_telling(ride, list_figures(), TELLING)}

    assert found == TELLING


def test_the_audience_of_a_freeze_is_told_nothing(ride: SmallRide) -> None:
    close(ride)
    compute_luck(ride.ids["yahtzee"])
    contest = Contest.objects.select_related("event").get(pk=ride.ids["yahtzee"])
    freeze_standings(contest.event)
    found = list(find_telling(ride, list_figures(), TELLING))

    assert {who for _route, who, _what in found} <= {"organiser", "reading program", "recording program"}
