"""The embargo byte for byte, through every state of a contest: figure 44 of the reliability figures.

From the freeze on, every public address is read by a browser without an account and by a program with a public token,
and every public stream is listened to without a break, as turns are recorded, corrected, voided and decided on, and the
contests are closed, reopened and published. All responses are those of the freeze, and the streams send nothing, not
even an empty message. Only the ride's own crew and its organisers learn, on the stream of the ride, that
something has changed, and this test waits for that.

Both contests tell the odds, a third one was added after the freeze, and the screens show every kind of part, so that
whatever depends on the status of a contest is there to change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMember
from scorekeeper.crew.services.devices import create_device
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.live.models import ALL_CONTESTS, PartKind, Screen
from scorekeeper.live.page_snapshot import PageSnapshot
from scorekeeper.live.selectors.screen import get_screen
from scorekeeper.live.services import save_screen
from scorekeeper.live.stream_middleware import FINDERS
from scorekeeper.rights import ANYBODY, ROUTES
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from tests.faults.figures import Figures
from tests.scorekeeper.api.program import make_program
from tests.scorekeeper.live.stream_server import StreamReader, serve
from tests.scorekeeper.rights.every_response import FAR_BIKE, take_snapshots
from tests.scorekeeper.rights.small_ride import SmallRide
from tests.scorekeeper.rights.test_pages_embargo import (
    Answer,
    get_desk_actor,
    get_event,
    mask,
    record_more,
    refresh,
    ride,
    send_all,
)

__all__ = ["ride"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.security, pytest.mark.program]

PUBLIC_STREAMS = [route for route in FINDERS if ROUTES[route]["GET"] is ANYBODY]
State = Callable[[SmallRide], object]


class Seen(NamedTuple):
    """What the public gets in one state: each response, and each stream as it begins for someone who opens it."""

    answers: Mapping[tuple[str, str, str], Answer]
    streams: Mapping[str, tuple[str, object, Mapping[str, str], str]]


@pytest.fixture
def public(ride: SmallRide, settings: Settings, tmp_path: Path) -> Mapping[str, Client]:
    """A browser and a program of the public, with everything that could tell of a change."""
    settings.API_READS_PER_ADDRESS = settings.PRINTS_PER_ADDRESS = settings.API_READS_PER_TOKEN = 0
    contests = Contest.objects.filter(event=ride.ids["event"])
    contests.filter(pk=ride.ids["yahtzee"]).update(odds_shown=Contest.OddsShown.COACH)
    contests.filter(pk=ride.ids["campfire"]).update(odds_shown=Contest.OddsShown.SCREEN)
    screen = get_screen(get_event(ride))
    screen.parts = [ALL_CONTESTS, *PartKind.values]
    save_screen(screen)
    Screen.objects.filter(pk=ride.ids["screen"]).update(parts=[ALL_CONTESTS, *PartKind.values])
    return {"nobody": ride.get_television(), "public program": make_program(ride.user, "public")}


def correct(ride: SmallRide) -> None:
    change_turn(ride, [{"type": "paper", "box": "sixes", "points": 12}])


def void(ride: SmallRide) -> None:
    change_turn(ride, None)


def change_turn(ride: SmallRide, actions: list[dict[str, object]] | None) -> None:
    card = derive_card_id(ride.ids["yahtzee"], ride.ids["bike"])
    turn = Turn.objects.get(card=card, slot=ride.ids["free_slot"])
    target = CorrectionTarget(turn.pk, turn.seq, None if actions is None else tuple(actions))
    amend_turns(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], ride.ids["bike"], [target], "misread")


def close(ride: SmallRide) -> None:
    for contest in list_contests(ride):
        close_contest(get_desk_actor(ride), uuid4(), contest.pk, "the ride is over")


def send_late(ride: SmallRide) -> None:
    device, _token = create_device(CrewMember.objects.get(name="Quokka far gunner"))
    bike = Bike.objects.get(number=FAR_BIKE)
    actions = [{"type": "paper", "box": "fives", "points": 15}]
    late = TurnInput(ride.ids["yahtzee"], bike.pk, ride.ids["free_slot"], actions)
    assert record_turn(Actor.from_device(device), uuid4(), late).outcome == "late"


def decide(ride: SmallRide) -> None:
    item = ReviewItem.objects.filter(settled_at=None).latest("opened_at")
    decide_review(get_desk_actor(ride), uuid4(), item.pk, ReviewItem.Decision.KEEP, "it came too late")


def reopen(ride: SmallRide) -> None:
    for contest in list_contests(ride):
        reopen_contest(get_desk_actor(ride), uuid4(), contest.pk, "one more turn")


def publish(ride: SmallRide) -> None:
    for contest in list_contests(ride):
        publish_contest(get_desk_actor(ride), uuid4(), contest.pk, "all is decided")


def list_contests(ride: SmallRide) -> list[Contest]:
    return list(Contest.objects.filter(event=ride.ids["event"]).exclude(slug=ride.slugs["published"]))


STATES: Mapping[str, State] = {
    "more was recorded": record_more,
    "a turn was corrected": correct,
    "a turn was voided": void,
    "the contests were closed": close,
    "a turn came late": send_late,
    "it was decided on": decide,
    "the contests were reopened": reopen,
    "the contests were closed again": close,
    "the results were published": publish,
}


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_public_gets_the_same_bytes_and_no_message_in_every_state(
    ride: SmallRide, public: Mapping[str, Client], figures: Figures
) -> None:
    freeze_standings(get_event(ride))
    Contest.objects.create(
        event=get_event(ride), name="Quokka late", slug="quokka-late", game_key="rogue", rules_version=1, ordinal=4
    )
    with serve() as server:
        frozen = read_public(ride, public)
        listeners = {}
        for route in PUBLIC_STREAMS:
            listener = server.open_stream(ride.get_url(route))
            assert listener.read()[0] == "rows", route
            listeners[route] = listener
        cookies = ride.get_desk().cookies.items()
        desk = server.open_stream(
            ride.get_url("live:changes"), cookie="; ".join(f"{name}={one.value}" for name, one in cookies)
        )
        version = wait_for_change(desk, "")
        for state, execute in STATES.items():
            execute(ride)
            refresh(ride)
            version = wait_for_change(desk, version)
            now = read_public(ride, public)
            check_same(frozen, now, state)
        # The last thing that the streams send is what lifting the freeze shows: before it came nothing.
        lift_freeze(get_event(ride))
        for route, listener in listeners.items():
            check_only_lifted(route, listener)
    figures.add(
        "44 · the embargo byte for byte, as turns are recorded, corrected, closed and published under a freeze",
        f"{len({route for route, _who, _request in frozen.answers})} public routes in {len(frozen.answers)} requests, "
        f"anonymous and with a public token, and {len(PUBLIC_STREAMS)} streams, in {len(STATES)} states: "
        "0 differences, 0 messages",
    )


def read_public(ride: SmallRide, public: Mapping[str, Client]) -> Seen:
    """Return what the public gets now."""
    answers = {key: answer for who in public for key, answer in send_all(ride, who, public).items()}
    snapshots = take_snapshots(ride)
    return Seen(
        {key: answer for key, answer in answers.items() if is_public(key)},
        {route: list_bytes(ride, snapshots[route]) for route in PUBLIC_STREAMS},
    )


def is_public(key: tuple[str, str, str]) -> bool:
    route, _who, request = key
    # Whether the program is ready changes with the state of its processes, and says nothing about a ride.
    return route not in ("healthz", "readyz") and ROUTES[route].get(request.split()[0]) is ANYBODY


def list_bytes(ride: SmallRide, snapshot: PageSnapshot) -> tuple[str, object, Mapping[str, str], str]:
    """Return everything that a viewer may get of a snapshot."""
    parts = {name: part.html for name, part in snapshot.parts.items()}
    return snapshot.id, snapshot.frame, parts, mask(ride, snapshot.render().encode()).decode()


def check_same(frozen: Seen, now: Seen, state: str) -> None:
    assert now.answers.keys() == frozen.answers.keys()
    differing = sorted(key for key in frozen.answers if frozen.answers[key] != now.answers[key])
    assert differing == [], f"after {state}: {[(frozen.answers[key], now.answers[key]) for key in differing[:2]]}"
    assert [route for route in PUBLIC_STREAMS if frozen.streams[route] != now.streams[route]] == [], f"after {state}"


def wait_for_change(listener: StreamReader, before: str) -> str:
    """Return the version of the ride once it is another than before."""
    for name, data in iterate(listener):
        if name == "rows" and data != before:
            return data
    raise AssertionError("the stream has ended")


def check_only_lifted(route: str, listener: StreamReader) -> None:
    events = iterate(listener)
    messages = [data for name, data in (next(events), next(events)) if name != "beat"]
    while not messages:
        messages = [data for name, data in (next(events),) if name != "beat"]
    assert "finale" not in messages[0], f"{route} sent something during the freeze: {messages[0]}"
    assert "uokka" in messages[0], route


def iterate(listener: StreamReader) -> Iterator[tuple[str, str]]:
    while (event := listener.read())[0]:
        yield event


def test_the_crews_own_stream_is_the_only_one_that_tells() -> None:
    assert set(FINDERS) - set(PUBLIC_STREAMS) == {"live:changes"}
    assert reverse("live:changes", args=[uuid4()]).endswith("/changes-stream")
