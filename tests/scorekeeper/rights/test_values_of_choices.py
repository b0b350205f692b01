"""What choices are worth is told only in contests that are set to coach, while they are open: to all or to nobody.

Every route of the resolver is requested by every kind of person, organisers and their programs too, and every stream is
read. The answers exist already: the contest was coached for a while. So a route that reads them without asking whether
they may be told fails here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django import Settings

from scorekeeper.coach.models import OddsAnswer
from scorekeeper.events.models import Contest
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.freeze import freeze_standings
from tests.scorekeeper.rights.every_response import add_far_bike, make_clients, read_everything
from tests.scorekeeper.rights.small_ride import SmallRide, enable_authority_pages, make_small_ride
from tests.scorekeeper.rights.test_pages_embargo import get_desk_actor, refresh, take_snapshots

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

PARTS = {"coach:bike", "coach:table", "coach:desk_table", "results:odds"}
# What programs read: null where nothing is told.
API = {"api:crew_scorecard", "api:scorecard"}
# The pages around them, which load them.
PAGES = {"scorecards:card", "tables:table", "tables:desk_table", "results:bike", "results:seats"}
MARK = 98765.4321
# The figure on a page and in data, words of the parts, and what loads them.
TELLING = re.compile(rb"98765\.4|best play|working it out|/odds/|id=.odds", re.IGNORECASE)
ANSWER = {
    "ok": True,
    "node": "choice",
    "measure": "total",
    "aim": "high",
    "method": "exact",
    "options": [{"action": {"type": "bank"}, "value": MARK, "loss": 0.0}],
    "value": MARK,
    "best": [0],
}


@pytest.fixture
def ride(settings: Settings, tmp_path: Path) -> SmallRide:
    """The ride, coached, with an answer to everything that was asked."""
    settings.METRICS_TOKEN = "a token"
    enable_authority_pages(settings, tmp_path)
    ride = make_small_ride("Quokka")
    add_far_bike(ride)
    set_odds(ride, Contest.OddsShown.COACH)
    found = {route for route, _who, _what in find_telling(ride, PARTS | API)}
    assert found == PARTS, "these have asked"
    OddsAnswer.objects.update(answer=ANSWER, made_at=timezone.now())
    return ride


def set_odds(ride: SmallRide, shown: str) -> None:
    Contest.objects.filter(event=ride.ids["event"]).update(odds_shown=shown)


def close(ride: SmallRide) -> None:
    for name in ("yahtzee", "campfire"):
        close_contest(get_desk_actor(ride), uuid4(), ride.ids[name], "the ride is over")
    refresh(ride)


def find_telling(ride: SmallRide, only: set[str] | None = None) -> Iterator[tuple[str, str, set[bytes]]]:
    """Yield what tells something, or loads it: the route, who asked, and all that was found."""
    for route, who, response, content in read_everything(ride, only, {"slot": str(ride.ids["free_slot"])}):
        found = set(TELLING.findall(content))
        if found and response.status_code not in (404, 405):
            yield route, who, found


@pytest.mark.parametrize("shown", ["off", "screen", "closed"])
def test_nobody_is_told_where_the_contest_is_not_coached_or_once_it_is_closed(ride: SmallRide, shown: str) -> None:
    if shown == "closed":
        close(ride)
    else:
        set_odds(ride, shown)
    asked = OddsAnswer.objects.count()

    assert list(find_telling(ride)) == []
    assert OddsAnswer.objects.count() == asked, "nothing is asked either"
    for route, snapshot in take_snapshots(ride).items():
        assert TELLING.search(snapshot.render_swap().encode()) is None, route


def test_where_it_is_coached_everybody_is_told(ride: SmallRide) -> None:
    """What the walk looks for is found then: it can fail."""
    found = list(find_telling(ride, PARTS | PAGES | API))

    assert {route for route, _who, _what in found} == PARTS | PAGES | API
    assert {route for route, _who, what in found if b"98765.4" in what} == PARTS | API
    public = {who for route, who, _what in found if route == "results:odds"}
    assert public == set(make_clients(ride)), "everybody, not only who has an account"
    assert {who for route, who, _what in found if route == "coach:bike"} == {"gunner", "captain"}


def test_the_audience_of_a_freeze_is_told_nothing_and_crews_of_their_cards(ride: SmallRide) -> None:
    freeze_standings(Contest.objects.get(pk=ride.ids["yahtzee"]).event)

    found = {(route, who) for route, who, _what in find_telling(ride, PARTS | PAGES)}
    assert not {route for route, _who in found} & {"results:odds", "results:bike", "results:seats"}
    assert {who for _route, who in found} == {"gunner", "captain", "organiser"}
