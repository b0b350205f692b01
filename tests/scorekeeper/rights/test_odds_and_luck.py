"""What a contest does not tell yet, no response tells: what choices are worth, chances to win, and luck.

Every route of the resolver is requested by every kind of person, organisers and their programs too, in each state of a
contest, and every stream is read. All the figures exist in each of them: it was coached, chances were computed, and it
was closed and reopened. So a route that reads them without asking whether they may be told fails here.

Terms: a *finding* is a kind of these figures in a response to somebody. An open contest tells most where it is
coached: in this state all routes are requested, and exactly the routes below tell something. In a short run, the other
states are shown with the routes that tell something in any state, and with those that show any figure of a contest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings
from scorekeeper.bikes.models import Bike
from scorekeeper.coach.models import OddsAnswer
from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.card_luck import CardLuck
from scorekeeper.standings.models import ChancesReport, LuckReport
from scorekeeper.standings.services.chances_computation import compute_chances
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.luck_computation import compute_luck
from tests.faults.scale import FULL
from tests.scorekeeper.rights.every_response import (
    add_far_bike,
    is_asked,
    make_clients,
    read_everything,
    take_snapshots,
)
from tests.scorekeeper.rights.small_ride import SmallRide, enable_authority_pages, make_small_ride
from tests.scorekeeper.rights.test_pages_embargo import WITH_FIGURES, get_desk_actor, refresh

pytestmark = [pytest.mark.django_db, pytest.mark.security, pytest.mark.timeout(600)]

VALUES, CHANCES, LUCK = "values", "chances", "luck"

# What choices are worth: the parts of pages, what programs read (null if nothing is shown), and the pages around
# them, which load them.
PARTS = {"coach:bike", "coach:table", "coach:desk_table", "results:odds"}
VALUES_API = {"api:crew_scorecard", "api:scorecard"}
PAGES = {"scorecards:card", "tables:table", "tables:desk_table", "results:bike", "results:seats"}
MARK = 98765.4321
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
TELLING_CHANCES = {
    *("results:leaderboard", "results:bike", "api:standings"),
    *("live:screen", "live:television", "live:preview"),
    # Only in the rows of pinned bikes (`?mine=`), which show what the rows of the leaderboard do: decision 80.
    "results:event",
}
CHANCES_STREAMS = {"live:board", "live:screen_stream", "live:paired_stream"}
TELLING_LUCK = {"results:luck", "results:leaderboard", "results:export", "api:luck", "api:results"}
# They say that there is none.
SAYING_NO_LUCK = {"api:luck", "api:scorecard_luck"}
TELLING = PARTS | VALUES_API | PAGES | TELLING_CHANCES | TELLING_LUCK | SAYING_NO_LUCK | {"results:luck_card"}

# The texts of pages, the names of fields, and what loads a part. (A setting is called “Chances to win”.)
WORDS: Mapping[str, re.Pattern[bytes]] = {
    VALUES: re.compile(rb"best play|working it out|/odds/|id=.odds", re.IGNORECASE),
    CHANCES: re.compile(rb"chance to (win|be among)|among the first|chances as of|among_first|\"chances\"", re.I),
    LUCK: re.compile(rb"\bluck\w*|\bunsplit\b|without luck|expected total|cost of (the )?choices", re.IGNORECASE),
}
NO_DIGIT_OR_TIME = rb"(?<!\d)(?<!\d\d:\d\d:)"
OF_ORGANISERS = {"organiser", "reading program", "recording program"}


class Finding(NamedTuple):
    kind: str
    route: str
    who: str
    found: bytes


@pytest.fixture
def ride(settings: Settings, tmp_path: Path) -> SmallRide:
    """The ride, open and coached, with bikes of two groups that have rolled, and every figure that there can be."""
    settings.METRICS_TOKEN = "a token"
    enable_authority_pages(settings, tmp_path)
    ride = make_small_ride("Quokka")
    add_far_bike(ride)
    bike = Bike.objects.get(pk=ride.ids["other_bike"])
    actions: list[dict[str, Any]] = [
        {"type": "roll", "dice": [6, 6, 6, 6, 1]},
        {"type": "roll", "keep": [6, 6, 6], "dice": [2, 3]},
        {"type": "score", "box": "sixes"},
    ]
    desk = get_desk_actor(ride)
    record_turn(desk, uuid4(), TurnInput(ride.ids["yahtzee"], bike.pk, ride.ids["slot"], actions, reason="late"))
    close(ride, "yahtzee")
    assert compute_luck(ride.ids["yahtzee"])
    reopen_contest(desk, uuid4(), ride.ids["yahtzee"], "a card was found")
    void_missed_turn(ride)
    set_odds(ride, Contest.OddsShown.COACH)
    refresh(ride)
    assert compute_chances(ride.ids["yahtzee"])
    found = {finding.route for finding in find_telling(ride, PARTS) if finding.kind == VALUES}
    assert found == PARTS, "these have asked for what choices are worth"
    OddsAnswer.objects.update(answer=ANSWER, made_at=timezone.now())
    assert len(list_figures()[CHANCES]) > 1
    assert len(list_figures()[LUCK]) > 5
    return ride


def void_missed_turn(ride: SmallRide) -> None:
    """Void what closing the contest recorded in the bike's last slot, so that the crew's page has a form for it."""
    missed = Turn.objects.get(card_id=ride.ids["card"], slot_id=ride.ids["free_slot"])
    target = CorrectionTarget(missed.pk, missed.seq, None)
    amend_turns(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], ride.ids["bike"], [target], "it rolls later")


def set_odds(ride: SmallRide, shown: str) -> None:
    Contest.objects.filter(event=ride.ids["event"]).update(odds_shown=shown)


def close(ride: SmallRide, *names: str) -> None:
    for name in names:
        close_contest(get_desk_actor(ride), uuid4(), ride.ids[name], "the ride is over")
    refresh(ride)


def list_figures() -> Mapping[str, set[bytes]]:
    """Return what was computed, as programs would write it; of chances and luck the first four decimals."""
    chances = [chance for report in ChancesReport.objects.all() for own in report.chances.values() for chance in own]
    cards = [CardLuck.from_data(card).luck for report in LuckReport.objects.all() for card in report.cards]
    luck = [card.start for card in cards]
    luck += [figure for card in cards for step in card.steps for figure in (step.amount, step.value)]
    return {
        VALUES: {b"98765.4"},
        CHANCES: write_figures((one for one in chances if 0.001 < one < 0.999), "000"),
        LUCK: write_figures(luck, "0000"),
    }


def write_figures(figures: Iterator[float] | list[float], round_end: str) -> set[bytes]:
    """Return the texts of those that no other figure of a page is likely to have."""
    texts = (f"{figure:.6f}"[:-2] for figure in figures)
    return {text.encode() for text in texts if not text.endswith(round_end)}


def has_figure(content: bytes, figure: bytes) -> bool:
    """Return whether the figure is there, not as the end of a larger one or of a time: 20.7712 has no 0.7712."""
    return figure in content and re.search(NO_DIGIT_OR_TIME + re.escape(figure), content) is not None


def find_figures(content: bytes, figures: Mapping[str, set[bytes]]) -> Iterator[tuple[str, bytes]]:
    """Yield each kind that the content tells, with a figure, or else a word, that tells it."""
    for kind, pattern in WORDS.items():
        word = pattern.search(content)
        found = next((one for one in figures[kind] if has_figure(content, one)), word and word[0])
        if found:
            yield kind, found


def find_telling(ride: SmallRide, only: Collection[str] | None = None) -> Iterator[Finding]:
    """Yield all findings. The words of a refusal tell nothing: it may say that there is no luck."""
    figures = list_figures()
    for route, who, response, content in read_everything(ride, only, {"slot": str(ride.ids["free_slot"])}):
        is_refusal = response.status_code in (404, 405)
        for kind, found in find_figures(content, figures):
            is_word = WORDS[kind].fullmatch(found) is not None
            says_none = kind == LUCK and route in SAYING_NO_LUCK and is_none(response)
            if not (is_refusal and is_word) and not says_none:
                yield Finding(kind, route, who, found)


def is_none(response: Any) -> bool:
    """Return whether an answer of the API says that there is no luck, and has none."""
    data = response.json()
    return data["state"] == "none" and not data.get("luck") and not data.get("seats")


def find_on_event_page(ride: SmallRide, *pinned: UUID) -> list[str]:
    """Return the kinds that the page of the event tells somebody who has pinned these bikes."""
    response = ride.get_television().get(ride.get_url("results:event"), {"mine": list(map(str, pinned))})
    return [kind for kind, _found in find_figures(response.content, list_figures())]


def find_telling_streams(ride: SmallRide) -> Mapping[str, set[str]]:
    """Return which streams tell something, by the kinds that any of them tells."""
    figures = list_figures()
    streams: dict[str, set[str]] = {}
    for route, snapshot in take_snapshots(ride).items():
        for kind, _found in find_figures(snapshot.render_swap().encode(), figures):
            streams.setdefault(kind, set()).add(route)
    return streams


def list_routes_by_kind(findings: Collection[Finding]) -> Mapping[str, set[str]]:
    routes: dict[str, set[str]] = {}
    for finding in findings:
        routes.setdefault(finding.kind, set()).add(finding.route)
    return routes


def list_asking(route: str, *clients: str) -> set[str]:
    """Return which of the clients request a page."""
    return {who for who in clients if is_asked(route, "GET", who)}


def find_in_another_state(ride: SmallRide) -> list[Finding]:
    """Return the findings in another state than that in which all routes are requested.

    A route that asks for no permission tells something there too: every figure exists in every state.
    """
    return list(find_telling(ride, None if FULL else TELLING | WITH_FIGURES))


def test_a_figure_is_not_found_in_a_time() -> None:
    assert not has_figure(b'<time datetime="2026-11-27T16:15:20.771234+00:00">', b"0.7712")
    assert not has_figure(b'<time datetime="2026-11-27T16:15:12.771234+00:00">', b"12.7712")
    assert has_figure(b'{"chance":0.771234,"best":12.771234}', b"0.7712")
    assert has_figure(b'{"chance":0.771234,"best":12.771234}', b"12.7712")


@pytest.mark.slow
def test_an_open_contest_that_is_coached_tells_values_and_chances_where_it_should_and_no_luck(ride: SmallRide) -> None:
    """What the walks look for is found: they can fail."""
    assert Contest.objects.get(pk=ride.ids["yahtzee"]).status == Contest.Status.OPEN
    found = list(find_telling(ride))

    routes = list_routes_by_kind(found)
    assert routes.keys() == {VALUES, CHANCES}
    assert routes[VALUES] == PARTS | PAGES | VALUES_API
    assert routes[CHANCES] == TELLING_CHANCES
    assert {one.route for one in found if one.found == b"98765.4"} == PARTS | VALUES_API
    assert {one.who for one in found if one.route == "results:odds"} == {
        who for who in make_clients(ride) if is_asked("results:odds", "GET", who)
    }, "everybody, not only who has an account"
    assert {one.who for one in found if one.route == "coach:bike"} == list_asking("coach:bike", "gunner", "captain")
    assert find_telling_streams(ride) == {CHANCES: CHANCES_STREAMS}


@pytest.mark.slow
def test_an_open_contest_that_shows_chances_only_tells_nothing_else(ride: SmallRide) -> None:
    set_odds(ride, Contest.OddsShown.SCREEN)
    asked = OddsAnswer.objects.count()

    assert list_routes_by_kind(find_in_another_state(ride)) == {CHANCES: TELLING_CHANCES}
    assert find_telling_streams(ride) == {CHANCES: CHANCES_STREAMS}
    assert OddsAnswer.objects.count() == asked, "nothing is asked either"
    assert find_on_event_page(ride) == []
    assert find_on_event_page(ride, ride.ids["bike"]) == [CHANCES]


@pytest.mark.slow
def test_an_open_contest_that_shows_no_odds_tells_nothing(ride: SmallRide) -> None:
    set_odds(ride, Contest.OddsShown.OFF)
    asked = OddsAnswer.objects.count()

    assert find_in_another_state(ride) == []
    assert find_telling_streams(ride) == {}
    assert OddsAnswer.objects.count() == asked, "nothing is asked either"


@pytest.mark.slow
def test_the_audience_of_a_freeze_is_told_nothing_and_crews_the_values_of_their_cards(ride: SmallRide) -> None:
    freeze_standings(Event.objects.get(pk=ride.ids["event"]))
    found = find_in_another_state(ride)

    told = {(one.route, one.who) for one in found if one.kind == VALUES and one.route not in VALUES_API}
    assert not {route for route, _who in told} & {"results:odds", "results:bike", "results:seats"}
    assert {who for _route, who in told} == {"organiser"} | list_asking("coach:bike", "gunner", "captain")
    assert {(one.route, one.who) for one in found if one.kind == CHANCES} == {
        ("api:standings", who) for who in list_asking("api:standings", "reading program", "recording program")
    }, "an organiser's programs"
    assert LUCK not in list_routes_by_kind(found)
    assert find_telling_streams(ride) == {}
    assert find_on_event_page(ride, ride.ids["bike"]) == []


@pytest.mark.slow
def test_a_closed_contest_tells_luck_and_no_odds(ride: SmallRide) -> None:
    close(ride, "yahtzee", "campfire")
    compute_luck(ride.ids["yahtzee"])
    asked = OddsAnswer.objects.count()

    found = list_routes_by_kind(find_in_another_state(ride))
    assert found.keys() == {LUCK}
    assert found[LUCK] >= TELLING_LUCK, "the walks find it: they can fail"
    assert find_telling_streams(ride).keys() <= {LUCK}
    assert OddsAnswer.objects.count() == asked, "nothing is asked either"


@pytest.mark.slow
def test_the_audience_of_a_freeze_is_told_nothing_of_a_closed_contest(ride: SmallRide) -> None:
    close(ride, "yahtzee", "campfire")
    compute_luck(ride.ids["yahtzee"])
    freeze_standings(Event.objects.get(pk=ride.ids["event"]))
    found = find_in_another_state(ride)

    assert {one.who for one in found} <= OF_ORGANISERS
    assert list_routes_by_kind(found).keys() <= {LUCK}
    assert find_telling_streams(ride) == {}
