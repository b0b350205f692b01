"""What may be stored by caches: one table for what anybody may read, and nothing of what only some may.

- Every public file and answer has an ETag, a 304 without being made again, and the Cache-Control of the table.
- Its ETag differs whenever its bytes do, over the whole course of a ride.
- What an organiser gets is never what a shared cache would send to others.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.bundles import views as bundles_views
from scorekeeper.common.public_files import MAX_FILE_BYTES, forget_files, send_public_file
from scorekeeper.common.read_limits import clear_read_counts
from scorekeeper.common.rights_check import list_routes
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import Player
from scorekeeper.results.exports.writers import PUBLIC_FILES
from scorekeeper.results.views import exports
from scorekeeper.rights import ANYBODY, ROUTES
from scorekeeper.seasons import views
from scorekeeper.seasons.models import Season, SeasonLink, SeasonRider, SeasonRound
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.luck_computation import compute_luck
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.stops.models import Stop
from tests.scorekeeper.api.program import make_program
from tests.scorekeeper.rights.every_response import FAR_BIKE, list_addresses
from tests.scorekeeper.rights.small_ride import SmallRide
from tests.scorekeeper.rights.test_pages_embargo import (
    add_turn,
    get_desk_actor,
    get_event,
    mask,
    publish,
    record_more,
    refresh,
)
from tests.scorekeeper.rights.test_pages_embargo import ride as embargo_ride

__all__ = ["embargo_ride"]

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ASK_FIRST = "no-cache"  # anybody may store it, and asks whether it has changed before using it again
FOREVER = "public, max-age=31536000, immutable"  # another content has another address
FOR_AN_HOUR = "public, max-age=3600"  # the same for everybody, and its address stays when its content changes
FOR_A_DAY = "public, max-age=86400, immutable"  # the same, but it shows names, which may be erased
OF_A_TOKEN = "private, no-cache"  # the same addresses, as an organiser's program gets them
NEVER = "no-store"
# Every public route that sends a file or data, and not a page.
TABLE: Mapping[str, str] = {
    "results:export": ASK_FIRST,
    "results:preview": FOR_A_DAY,
    "prizes:logo": FOREVER,
    "event_page:poster_image": FOREVER,
    "event_page:gpx": ASK_FIRST,
    "bundles:public": ASK_FIRST,
    "prints:public_file": ASK_FIRST,
    "prints:public_job_file": ASK_FIRST,
    "seasons:export": ASK_FIRST,
    **dict.fromkeys(("embeds:feed", "embeds:season_feed"), ASK_FIRST),
    **dict.fromkeys(("embeds:calendar", "embeds:season_calendar", "embeds:ride"), ASK_FIRST),
    **dict.fromkeys(("embeds:frame_style", "embeds:frame_script", "embeds:script"), FOR_AN_HOUR),
    "api:schema": ASK_FIRST,
    "offline:language": ASK_FIRST,
    **dict.fromkeys(
        (
            *("api:events", "api:event", "api:stops", "api:contests", "api:contest", "api:standings"),
            *("api:scorecards", "api:scorecard", "api:prizes", "api:luck", "api:scorecard_luck", "api:results"),
        ),
        ASK_FIRST,
    ),
}
# Of these, those with texts in the language that the cookie names.
IN_READERS_LANGUAGE = {"results:export", "results:preview", "seasons:export", "offline:language"}
# Public, but without an ETag: small, or different in every response.
UNVERSIONED = {
    "healthz",
    "embeds:oembed",  # without the address that it is asked for
    "robots",  # for search engines, the same for everybody
    "readyz",
    "authority",  # of the laptop, for a phone that does not trust it yet
    *("live:screen_stream", "live:event", "live:board", "live:paired_stream"),  # streams
    *("offline:service_worker", "offline:engine_worker", "offline:manifest"),  # of the program: `offline.views.app`
    *("push:worker", "push:key", "push:manifest"),  # the same: `push.views`
}


@pytest.fixture
def ride(embargo_ride: SmallRide, settings: Settings) -> Iterator[SmallRide]:
    settings.API_READS_PER_ADDRESS = settings.PRINTS_PER_ADDRESS = settings.API_READS_PER_TOKEN = 0
    season, bike = Season.objects.get(), Bike.objects.get(number=FAR_BIKE)
    one = SeasonRound.objects.create(season=season, contest_id=embargo_ride.ids["yahtzee"])
    SeasonLink.objects.create(rider=SeasonRider.objects.create(season=season), round=one, holder_id=bike.pk)
    forget_files()
    clear_read_counts()
    yield embargo_ride
    forget_files()


def read_content(response: Any) -> bytes:
    content: bytes = b"".join(response.streaming_content) if response.streaming else response.content
    if "spreadsheetml" not in response.headers.get("Content-Type", ""):
        return content
    with zipfile.ZipFile(io.BytesIO(content)) as book:  # without the time at which it was made
        return b"".join(book.read(name) for name in sorted(book.namelist()) if name != "docProps/core.xml")


def follow(client: Client, url: str, headers: Mapping[str, str] = {}) -> Any:
    """Request a URL; of an address that has moved, the current one."""
    response: Any = client.get(url, headers=headers)
    while response.status_code == 302:
        response = client.get(response.headers["Location"], headers=headers)
    return response


def list_public_urls(ride: SmallRide) -> Iterator[tuple[str, str]]:
    """Yield every address of the routes in the table."""
    for route in TABLE:
        if route == "results:export":
            for contest in ("yahtzee", "campfire"):
                address = ride.get_url(route).replace(ride.slugs["yahtzee"], ride.slugs[contest])
                yield from ((route, address.replace("export.csv", file)) for file in PUBLIC_FILES)
        else:
            yield from ((route, address) for address in list_addresses(ride, route))


def end_the_ride(ride: SmallRide) -> None:
    """Make everything public: both contests are closed, their luck is computed, and all is published."""
    publish(ride)
    compute_luck(ride.ids["yahtzee"])


def test_every_public_route_is_a_page_or_is_in_the_table(ride: SmallRide, client: Client) -> None:
    public = {route for route in list_routes() if ROUTES[route].get("GET") is ANYBODY}
    assert set(TABLE) | UNVERSIONED <= public
    for route in public - set(TABLE) - UNVERSIONED:
        response: Any = client.get(ride.get_url(route))
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        assert is_page or response.status_code in (204, 302), route


def test_what_is_public_is_sent_as_the_table_says_and_not_again(ride: SmallRide) -> None:
    end_the_ride(ride)
    program = make_program(ride.user)
    seen = set()
    for route, url in list_public_urls(ride):
        response = follow(Client(), url)
        if response.status_code == 404:  # a contest does not have every file
            continue
        seen.add(route)
        assert response.status_code == 200, url
        assert response.headers["Cache-Control"] == TABLE[route], url
        depends_on_reader = route in IN_READERS_LANGUAGE and "export.json" not in url
        assert ("Cookie" in response.headers.get("Vary", "")) == depends_on_reader, url

        again = follow(Client(), url, {"If-None-Match": response.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b""), url
        assert (again.headers["ETag"], again.headers["Cache-Control"]) == (response.headers["ETag"], TABLE[route]), url
        assert follow(Client(), url, {"If-None-Match": '"another"'}).status_code == 200, url
        if route.startswith("api:") and route != "api:schema":
            own = program.get(url)
            assert own.headers["Cache-Control"] == OF_A_TOKEN, url
            assert all("Authorization" in each.headers["Vary"] for each in (response, own)), url
    assert seen == set(TABLE)


def test_what_only_some_may_read_is_in_no_shared_cache(ride: SmallRide) -> None:
    clients = [ride.get_desk(), ride.get_phone(ride.gunner), make_program(ride.user)]
    for route in list_routes():
        if ROUTES[route].get("GET", ANYBODY) is ANYBODY or route == "metrics":
            continue
        for response in (client.get(ride.get_url(route), ride.form_data) for client in clients):
            caching = response.headers["Cache-Control"]
            assert "no-store" in caching or "private" in caching, (route, caching)
            assert "public" not in caching, route


def test_a_page_that_differs_for_an_organiser_is_in_no_shared_cache_for_others(ride: SmallRide) -> None:
    for route in list_routes():
        if ROUTES[route].get("GET") is not ANYBODY or route in UNVERSIONED:
            continue
        url = ride.get_url(route)
        public, own = Client().get(url, ride.form_data), ride.get_desk().get(url, ride.form_data)
        is_same = mask(ride, read_content(public)) == mask(ride, read_content(own))
        for response in (public, own):
            caching = response.headers.get("Cache-Control", "")
            is_apart = "Cookie" in response.headers.get("Vary", "") or "private" in caching or "no-store" in caching
            assert is_same or is_apart, (route, response.headers)


def rename(model: Any, key: str) -> Callable[[SmallRide], Any]:
    return lambda ride: model.objects.filter(pk=ride.ids[key]).update(name=f"Another {key}")


def show_people(how: str) -> Callable[[SmallRide], Any]:
    return lambda ride: Event.objects.update(people_shown=how)


def reopen(ride: SmallRide) -> None:
    reopen_contest(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], "a card was forgotten")


def correct(ride: SmallRide) -> None:
    close_contest(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], "again")
    publish_contest(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], "a correction")


def begin_reveal(ride: SmallRide) -> None:
    start_reveal(get_event(ride), list(Contest.objects.filter(pk=ride.ids["yahtzee"])))


def add_points(ride: SmallRide) -> None:
    add_turn(ride, Bike.objects.get(number=FAR_BIKE), "free_slot", 24)
    refresh(ride)


COURSE: list[tuple[str, Callable[[SmallRide], Any]]] = [
    ("a turn", add_points),
    ("a freeze", lambda ride: freeze_standings(get_event(ride))),
    ("a stop’s name in the freeze", rename(Stop, "stop")),
    ("a rider’s name in the freeze", rename(Player, "player")),
    ("a group’s name in the freeze", rename(Group, "group")),
    ("initials in the freeze", show_people(Event.PeopleShown.INITIALS)),
    ("numbers in the freeze", show_people(Event.PeopleShown.NUMBERS)),
    ("names in the freeze", show_people(Event.PeopleShown.NAMES)),
    ("the contest’s name in the freeze", rename(Contest, "yahtzee")),
    ("more turns in the freeze", record_more),
    ("closing and publishing in the freeze", end_the_ride),
    ("the reveal begins", begin_reveal),
    ("a step of the reveal", lambda ride: reveal_to_step(get_event(ride), 1)),
    ("a second step", lambda ride: reveal_to_step(get_event(ride), 2)),
    ("the end of the freeze", lambda ride: lift_freeze(get_event(ride))),
    ("initials", show_people(Event.PeopleShown.INITIALS)),
    ("a rider’s name", lambda ride: Player.objects.update(name="Somebody Else")),
    ("the points of a season", lambda ride: Season.objects.update(points=[9, 8], name="Long season")),
    ("reopening", reopen),
    ("a correction", correct),
    ("its luck", lambda ride: compute_luck(ride.ids["yahtzee"])),
    ("another freeze", lambda ride: freeze_standings(get_event(ride))),
    ("its end", lambda ride: lift_freeze(get_event(ride))),
    ("names", show_people(Event.PeopleShown.NAMES)),
]
IN_THE_FREEZE = {"more turns in the freeze", "closing and publishing in the freeze"}


@pytest.mark.timeout(600)
def test_an_etag_differs_whenever_the_bytes_do_over_the_whole_course_of_a_ride(ride: SmallRide) -> None:
    """Every state is compared with all before it, so an ETag that comes again must stand for the same bytes."""
    urls = [(route, url) for route, url in list_public_urls(ride) if route != "api:schema"]
    seen: dict[tuple[str, str], bytes] = {}
    last: dict[str, tuple[str, bytes]] = {}
    effective = set()
    for name, change in [("the beginning", lambda ride: None), *COURSE]:
        change(ride)
        forget_files()  # else an ETag that is not new would bring the bytes that belong to it
        for route, url in urls:
            response = follow(Client(), url)
            is_page = response.headers["Content-Type"].startswith("text/html")
            if response.status_code != 200 or is_page:  # what is withheld leads to the page of the event
                continue
            etag, content = response.headers["ETag"], read_content(response)
            assert seen.setdefault((url, etag), content) == content, (name, url)
            before = last.get(url)
            if before is not None and before[1] != content:
                effective.add(name)
            if before is not None and name in IN_THE_FREEZE and route == "results:export":
                assert before == (etag, content), f"{url} tells of {name}"
            last[url] = etag, content
    assert effective >= {name for name, _change in COURSE} - IN_THE_FREEZE - {"its luck", "the reveal begins"}


MADE: Mapping[str, tuple[Any, str]] = {
    "results:export": (exports, "_make"),
    "bundles:public": (bundles_views, "make_bundle"),
    "seasons:export": (views, "get_season_standings"),
}


@pytest.mark.parametrize("route", MADE)
def test_a_flood_makes_an_unchanged_file_once(
    ride: SmallRide, client: Client, monkeypatch: pytest.MonkeyPatch, route: str
) -> None:
    end_the_ride(ride)
    module, name = MADE[route]
    original, made = getattr(module, name), []

    def count(*args: Any, **kwargs: Any) -> Any:
        made.append(args)
        return original(*args, **kwargs)

    monkeypatch.setattr(module, name, count)
    answers = {read_content(client.get(ride.get_url(route))) for _time in range(5)}
    assert (len(answers), len(made)) == (1, 1)

    Player.objects.update(name="Somebody Else")
    Season.objects.update(points=[7])
    assert client.get(ride.get_url(route)).status_code == 200
    assert len(made) == 2


@pytest.mark.parametrize("route", ["results:export", "bundles:public", "seasons:export", "api:schema", "api:event"])
def test_public_reads_are_limited_for_an_address(ride: SmallRide, settings: Settings, route: str) -> None:
    end_the_ride(ride)
    settings.API_READS_PER_ADDRESS = 3
    clear_read_counts()
    url = ride.get_url(route)
    answers = [Client(REMOTE_ADDR="192.0.2.9").get(url) for _time in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= 60
    assert Client(REMOTE_ADDR="192.0.2.10").get(url).status_code == 200
    clear_read_counts()


def test_a_file_that_is_too_large_to_be_kept_is_streamed(rf: Any) -> None:
    part = b"x" * (MAX_FILE_BYTES // 3)

    response: Any = send_public_file(rf.get("/large"), 1, lambda: ("large.csv", (part for _ in range(7))), "text/csv")

    assert response.streaming
    assert sum(map(len, response.streaming_content)) == 7 * len(part)
    assert response.headers["ETag"]
