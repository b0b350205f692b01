"""While the standings are frozen, no response has anything that was recorded after the freeze, except as listed here.

Every route of the resolver is requested by every kind of person, right after the freeze and again after more was
recorded. Whoever is not an organiser gets the same response both times: the same figures, names, order and ETag. That
finds any leak, whatever it looks like. A route that may differ is in `MAY_DIFFER` with the reason. A route without a
decision fails.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.bikes.models import Bike
from scorekeeper.common.rights_check import list_routes
from scorekeeper.crew.models import CrewMember, Device, Group
from scorekeeper.crew.services.devices import create_device
from scorekeeper.events.models import AccessToken, Contest, Event, Organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.live.page_snapshot import PageSnapshot
from scorekeeper.live.stream_middleware import FINDERS
from scorekeeper.players.models import Player
from scorekeeper.rights import ANYBODY, ORGANISER, READER, RECORDER, ROUTES, Role
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Stop
from tests.faults.scale import FULL
from tests.scorekeeper.api.conftest import rollback_at_end
from tests.scorekeeper.api.program import add_token, make_program
from tests.scorekeeper.rights.every_response import (
    FAR_BIKE,
    OF_THE_PROGRAM,
    READ_BY_TOKEN,
    add_query,
    is_asked,
    list_addresses,
    list_headers,
    reads_credentials,
    take_snapshots,
)
from tests.scorekeeper.rights.small_ride import RUN, SmallRide, enable_authority_pages, make_small_ride

pytestmark = pytest.mark.django_db

FOR_ORGANISERS = {ORGANISER, READER, RECORDER}
WALK_UP = 97431  # the number of a bike that turns up after the freeze
# Of a turn of the first group that is recorded after the freeze.
FIGURE = re.compile(rb"Sixes,? 24|24 points|points\W{1,5}24\b|sixes\W{1,5}24\b")
CREW = {"gunner", "captain", "far gunner", "finale crew", "crew app", "far crew app"}
# Of the phones and browsers, those that open public pages with figures in a short run.
SEE_FIGURES = {
    *("nobody", "gunner", "far gunner", "organiser", "public program", "another's program", "crew app", "far crew app")
}
APPS = {"crew app", "far crew app"}
SHARED = "every phone of the crew records at every table, so each needs its score sheet"
OWN = "the scorecard of a bike that this phone records for: entering, receipts and history go on"
ROSTER = "the crew finds every bike that it may have to record, new ones too; it gets no figures of other groups"

# Who may get something else after more was recorded, and why. Organisers see both, on their own routes.
MAY_DIFFER: Mapping[str, tuple[set[str], str]] = {
    "scorecards:group": (CREW, f"{OWN}; {ROSTER}"),
    "scorecards:card": (CREW, OWN),
    "scorecards:other_turn": (CREW, OWN),
    "scorecards:history": (CREW, OWN),
    "check_in:crew_list": (CREW, ROSTER),
    "agreements:confirm": (CREW, OWN),
    "agreements:card": (CREW, OWN),
    "tables:list": (CREW, SHARED),
    "tables:deal": (CREW, SHARED),
    "tables:table": (CREW, SHARED),
    "tables:retire": (CREW, SHARED),
    "tables:history": (CREW, SHARED),
    "tables:void": (CREW, SHARED),
    "api:crew_scorecard": (CREW, f"{OWN}; {SHARED}"),
    "api:scorecard": (APPS, f"{OWN}; {SHARED}"),
    "api:bikes": (APPS, ROSTER),
    "api:players": (APPS, ROSTER),
    "api:ride_progress": (CREW, OWN),
    "api:sheets": (CREW, OWN),
    "offline:ride": (CREW, f"{OWN}; {ROSTER}"),
    "offline:ride_parts": (CREW, f"{OWN}; {ROSTER}"),
    "live:changes": (set(), "a stream for the crew and organisers that says only that something has changed"),
    "metrics": ({"monitor"}, "counters of the program, without any figure of a ride"),
}
# Routes that show figures: without a freeze, what is recorded changes them.
WITH_FIGURES = {
    *("results:event", "results:leaderboard", "results:bike", "results:seats", "results:export"),
    *("results:class_board", "live:class_board"),
    "prints:public_file",
    *("live:screen", "live:event", "live:board", "live:screen_stream", "live:television", "live:paired_stream"),
    *("api:standings", "api:scorecards", "api:results"),
    *("embeds:board", "embeds:class_board"),
}
# Routes without any figures of a contest, for people other than organisers.
WITHOUT_FIGURES = {
    *("healthz", "readyz", "robots", "trust", "authority"),
    # The preview image and the bundle are there only once the result was published, and not while it is withheld
    # (`test_preview`, `test_bundle_pages`).
    *("bundles:public", "agreements:object"),
    # Official results go on to the leaderboard while anything is frozen (`test_revision_changes`).
    "results:revision",
    # Whom to tell of bikes. What is told is read when it is sent (`tests/scorekeeper/push/test_notifications.py`).
    *("push:worker", "push:key", "push:manifest", "push:told", "push:follow", "push:stop", "push:move"),
    # Luck and choices are there only once a contest is closed, and not while it is frozen (`test_luck_before_closing`).
    *("results:luck", "results:luck_card", "api:luck", "api:scorecard_luck"),
    # The values of choices are there only in contests that are set to coach (`test_values_of_choices`).
    *("results:odds", "coach:bike", "coach:table"),
    # What organisers say of the event. The podium on its page is there only once a result is public (`test_podium`).
    *("event_page:poster_image", "event_page:gpx"),
    *("results:home", "results:route", "results:preview", "players:sign_up", "rulebooks:list", "rulebooks:book"),
    # A document that was made from what its reader could see; its figures do not change any more.
    *("prints:public_job", "prints:public_job_file"),
    *("offline:service_worker", "offline:engine_worker", "offline:manifest", "offline:language"),
    *("offline:shell", "offline:ready", "offline:swap", "offline:plain"),
    *("crew:open_link", "crew:join", "crew:switch", "crew:sign_out", "crew:confirm_read"),
    # Seasons have only published results, and none of them while it is withheld (`test_season_standings`).
    *("seasons:season", "seasons:rider", "seasons:export", "seasons:list", "seasons:create", "seasons:overview"),
    *("seasons:edit", "seasons:delete", "seasons:merge", "seasons:link", "seasons:remove_round"),
    # So have frames of seasons and of prizes, and the feeds (`tests/scorekeeper/embeds`). Calendars have no results.
    *("embeds:season", "embeds:prizes", "embeds:feed", "embeds:season_feed", "embeds:season_snippets"),
    *("embeds:calendar", "embeds:season_calendar", "embeds:ride"),
    *("embeds:oembed", "embeds:frame_style", "embeds:frame_script", "embeds:script"),
    *("scorecards:scanned", "scorecards:dice_set", "prizes:logo", "live:television_check"),
    *("api:operations", "api:key", "api:messages_read", "api:carried", "api:schema", "api:devices", "api:reference"),
    # The status of a contest is that of the freeze; prizes are only those that are published and not withheld.
    *("api:events", "api:event", "api:stops", "api:contests", "api:contest", "api:prizes", "api:groups"),
    "api:classes",
    *(
        "events:language",
        "events:sign_in",
        "events:sign_out",
        "events:sign_out_everywhere",
        "events:account",
        "events:welcome",
    ),
    *("events:access_tokens", "events:revoke_access_token", "events:end_session"),
    *("events:accept_invitation", "events:decline_invitation", "events:confirm_organising"),
    *("events:passkeys", "events:add_passkey", "events:create_passkey", "events:sign_in_passkey"),
    *("events:rename_passkey", "events:remove_passkey"),
    *("events:invited", "events:invited_sign_in", "events:new_password", "events:list", "events:create", "desk:copy"),
}
# Pages of the crew that would show figures, or forms for scorecards, and are the same before and after.
FROZEN_FOR_CREW = {
    "scorecards:standing",
    "agreements:group",
    *("scorecards:undo", "scorecards:void", "scorecards:move", "scorecards:retire", "scorecards:did_not_start"),
    *(
        "scorecards:walk_up",
        "scorecards:withdraw",
        "scorecards:buy",
        "scorecards:correct",
        "tables:correct",
        "tables:undo",
    ),
    *("scorecards:sell_sheet", "scorecards:withdraw_sheet"),
}

MASKS = [
    (re.compile(rb'name="csrfmiddlewaretoken" value="\w+"|X-CSRFToken[^}]*'), b"TOKEN"),
    (re.compile(rb'<time datetime="[^"]*"'), b"<time"),
    (re.compile(rb"\b\d\d:\d\d:\d\d\b"), b"TIME"),
]
UUID_TEXT = re.compile(rb"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


class Answer(NamedTuple):
    """What a response says: its status, its ETag, and its content without what differs between any two responses."""

    status: int
    etag: str
    content: bytes


@pytest.fixture
def ride(settings: Settings, tmp_path: Path) -> SmallRide:
    """The ride with a second group, whose only bike has rolled, and a member who records any bike at the last stop.

    Its contests compare groups.
    """
    settings.METRICS_TOKEN = "a token"
    enable_authority_pages(settings, tmp_path)
    ride = make_small_ride("Quokka")
    group = Group.objects.get(pk=ride.ids["other_group"])
    Contest.objects.filter(event=group.event).update(groups_by=Contest.GroupsBy.MEAN)
    bike = Bike.objects.create(event=group.event, number=FAR_BIKE, make="Quokka", group=group)
    Player.objects.create(event=group.event, name="Quokka Dan", bike=bike)
    CrewMember.objects.create(group=group, name="Quokka far gunner", role=CrewMember.Role.TAIL_GUNNER)
    finale = CrewMember.objects.create(group=group, name="Quokka finale", role=CrewMember.Role.SUPERVISOR)
    finale.any_bike_at.add(Stop.objects.get(pk=ride.ids["last_stop"]))
    add_turn(ride, bike, "slot", 17)
    refresh(ride)
    return ride


@pytest.fixture
def clients(ride: SmallRide) -> Mapping[str, Client]:
    """The phones and browsers of everyone who is not an organiser of the ride, and of its organiser."""
    revoked, another = ride.get_phone(ride.captain), make_small_ride("Numbat")
    Device.objects.filter(member=ride.captain).update(revoked_at=timezone.now())
    programs = {
        "public program": make_program(ride.user, "public"),
        "another's program": make_program(another.user),
    }
    # The last use of a token is stored once a minute, and shown on a page.
    AccessToken.objects.update(last_used_at=timezone.now() + dt.timedelta(hours=1))
    return {
        "nobody": ride.get_television(),  # without an account; what it may show is walked too
        "gunner": ride.get_phone(ride.gunner),
        "captain": ride.get_phone(ride.captain),
        "revoked": revoked,
        "far gunner": ride.get_phone(CrewMember.objects.get(name="Quokka far gunner")),
        "finale crew": ride.get_phone(CrewMember.objects.get(name="Quokka finale")),
        "organiser": ride.get_desk(),
        "another": another.get_desk(),
        "monitor": Client(headers={"Authorization": "Bearer a token"}),
        **programs,
        "crew app": ride.get_app(ride.gunner),
        "far crew app": ride.get_app(CrewMember.objects.get(name="Quokka far gunner")),
    }


def get_event(ride: SmallRide) -> Event:
    return Event.objects.get(pk=ride.ids["event"])


def get_desk_actor(ride: SmallRide) -> Actor:
    return Actor.from_organiser(Organiser.objects.get(event=ride.ids["event"], user=ride.user))


def add_turn(ride: SmallRide, bike: Bike, slot: str, points: int) -> None:
    actions = [{"type": "paper", "box": "sixes" if slot == "free_slot" else "chance", "points": points}]
    turn = TurnInput(ride.ids["yahtzee"], bike.pk, ride.ids[slot], actions, reason="from the paper card")
    record_turn(get_desk_actor(ride), uuid4(), turn)


def refresh(ride: SmallRide) -> None:
    for name in ("yahtzee", "campfire"):
        refresh_standings(ride.ids[name])


def record_more(ride: SmallRide) -> None:
    """Record turns of both groups, an action at the table, and a new bike with a turn."""
    add_turn(ride, Bike.objects.get(pk=ride.ids["bike"]), "free_slot", 24)
    add_turn(ride, Bike.objects.get(number=FAR_BIKE), "free_slot", 30)
    actions = [{"seat": 0, "type": "keep", "dice": RUN}, {"seat": 0, "type": "bank"}]
    for length, action in enumerate(actions, 2):
        record_action(get_desk_actor(ride), uuid4(), NewAction(ride.ids["table"], length, [action]))
    captain = Actor.from_device(create_device(ride.captain)[0])
    new_bike = uuid4()
    register_bike(captain, uuid4(), WalkUp(new_bike, WALK_UP, None, "Quokka Latecomer"))
    add_turn(ride, Bike.objects.get(pk=new_bike), "slot", 29)
    refresh(ride)


def publish(ride: SmallRide) -> None:
    """Close both contests and publish their results."""
    for name in ("yahtzee", "campfire"):
        close_contest(get_desk_actor(ride), uuid4(), ride.ids[name], "the ride is over")
        publish_contest(get_desk_actor(ride), uuid4(), ride.ids[name], "all is decided")
    refresh(ride)


def mask(ride: SmallRide, content: bytes) -> bytes:
    """Replace what is new in every response: tokens, the time of the request, and the ids of forms."""
    known = {str(pk).encode() for pk in ride.ids.values()}
    for pattern, text in MASKS:
        content = pattern.sub(text, content)
    return UUID_TEXT.sub(lambda found: found[0] if found[0] in known else b"ID", content)


def read(ride: SmallRide, route: str, response: Any) -> Answer:
    content = b"".join(response.streaming_content) if response.streaming else response.content
    if "spreadsheetml" in response.headers.get("Content-Type", ""):
        content = b"a packed file"  # its tables are those of the CSV files
    location = response.headers.get("Location", "").encode()
    # Elsewhere an ETag may cover a token that is new in every response.
    has_no_token = route in WITH_FIGURES or route in READ_BY_TOKEN or route.startswith("embeds:")
    etag = response.headers.get("ETag", "") if has_no_token else ""
    return Answer(response.status_code, etag, mask(ride, location + content))


def get_query(ride: SmallRide, route: str) -> Mapping[str, str]:
    """Return the fields that pages are opened with; none where the address has its own."""
    return {} if route == "embeds:oembed" else ride.form_data


def send_all(
    ride: SmallRide, who: str, clients: Mapping[str, Client], only: Collection[str] | None = None
) -> dict[tuple[str, str, str], Answer]:
    """Return the answers to a client: by route, client, and what was requested.

    Args:
        only: these routes; None for all, in a short run without those that describe the program.
    """
    answers, client = {}, clients[who]
    for route in list_routes():
        roles = ROUTES[route]
        if is_free(route, who) or (only is not None and route not in only) or (route in OF_THE_PROGRAM and not FULL):
            continue
        for address in list_addresses(ride, route):
            if "GET" in roles and is_compared(route, "GET", who):
                query = {} if route.startswith("api:") else get_query(ride, route)
                for headers in list_headers(route, who, clients):
                    response: Any = client.get(add_query(address, query), headers=headers)
                    answers[route, who, f"GET {address} {headers}"] = read(ride, route, response)
                    if "HX-Request" not in response.headers.get("Vary", ""):
                        break
            if "POST" in roles and is_compared(route, "POST", who) and not FOR_ORGANISERS & set(roles.values()):
                cookies = client.cookies.output()
                with rollback_at_end():
                    answers[route, who, f"POST {address}"] = read(ride, route, client.post(address, ride.form_data))
                if client.cookies.output() != cookies:
                    client.cookies.clear()
                    client.cookies.load(cookies.replace("Set-Cookie: ", ""))
    return answers


def send_everyone(
    ride: SmallRide, clients: Mapping[str, Client], only: Collection[str] | None = None
) -> dict[tuple[str, str, str], Answer]:
    return {key: answer for who in only or clients for key, answer in send_all(ride, who, clients).items()}


def is_compared(route: str, method: str, who: str) -> bool:
    """Return whether a client sends this request.

    In a short run, a client of each kind opens the pages that show figures. The organiser, who may see newer ones
    elsewhere, opens no other public page. Of each group's phones one submits forms; the road captain, who may record
    for both groups, opens what must not differ for any of the crew.
    """
    if FULL:
        return True
    if method == "GET" and route in WITH_FIGURES:
        return who in SEE_FIGURES and reads_credentials(route, who)
    if method == "GET" and who == "captain" and route in FROZEN_FOR_CREW:
        return True
    is_extra = (who == "organiser" and ROUTES[route][method] is ANYBODY) or (
        method == "POST" and who in ("captain", "finale crew") and ROUTES[route][method] is Role.CREW
    )
    return is_asked(route, method, who) and not is_extra


def is_free(route: str, who: str) -> bool:
    """Return whether a client gets everything of a route: organisers see both, and the monitor has one route."""
    return (who == "organiser" and ORGANISER in ROUTES[route].values()) or (who == "monitor") != (route == "metrics")


def test_every_route_has_a_decision() -> None:
    for_organisers = {route for route, roles in ROUTES.items() if FOR_ORGANISERS & set(roles.values())}
    decided = [set(MAY_DIFFER), WITH_FIGURES, WITHOUT_FIGURES, FROZEN_FOR_CREW, for_organisers]

    assert set(list_routes()) == set().union(*decided)
    assert sum(map(len, decided)) == len(set().union(*decided)), "one decision for each"
    assert all(reason for _who, reason in MAY_DIFFER.values())
    streams = {route for route in list_routes() if route.endswith("stream") or route in FINDERS}
    assert streams == set(FINDERS), "every stream is compared by its snapshots"


@pytest.mark.security
@pytest.mark.timeout(600)
@pytest.mark.slow
def test_nobody_but_organisers_gets_anything_newer_than_the_freeze(
    ride: SmallRide, clients: Mapping[str, Client]
) -> None:
    """Neither what is recorded, nor that the contests are closed and published."""
    freeze_standings(get_event(ride))
    before, streamed = send_everyone(ride, clients), take_snapshots(ride)
    record_more(ride)
    after, streamed_later = send_everyone(ride, clients), take_snapshots(ride)

    check_differences(ride, before, after)
    check_streams(streamed, streamed_later)
    check_figures_of_other_groups(after)
    check_unread_credentials(ride, after)

    publish(ride)
    strangers = ("another", "another's program") if FULL else ()
    published = send_everyone(ride, clients, only=("nobody", "public program", *strangers))
    assert published.keys() <= before.keys()
    assert sorted(key for key in published if published[key] != before[key]) == []
    check_streams(streamed, take_snapshots(ride))


def check_differences(
    ride: SmallRide, before: Mapping[tuple[str, str, str], Answer], after: Mapping[tuple[str, str, str], Answer]
) -> None:
    """Fail if anybody got something newer that they may not get, or if an exception is not needed."""
    assert before.keys() == after.keys()
    differing = {key for key in before if before[key] != after[key]}
    assert sorted(key for key in differing if key[1] not in MAY_DIFFER.get(key[0], (set(), ""))[0]) == []
    far_bike = Bike.objects.get(number=FAR_BIKE).pk
    foreign = {
        "far gunner": ride.ids["bike"],
        "gunner": far_bike,
        "far crew app": ride.ids["card"],
        "crew app": derive_card_id(ride.ids["yahtzee"], far_bike),
    }
    assert sorted(key for key in differing if str(foreign.get(key[1], "no bike")) in key[2]) == []
    unused = set(MAY_DIFFER) - {route for route, _who, _request in differing} - {"live:changes", "metrics"}
    assert unused == set(), "these need no exception"


def check_streams(before: Mapping[str, PageSnapshot], after: Mapping[str, PageSnapshot]) -> None:
    assert {route for route in FINDERS if after[route].id != before[route].id} == {"live:changes"}
    assert all(after[route].diff_from(before[route]) == "" for route in FINDERS if route != "live:changes")


def check_figures_of_other_groups(after: Mapping[tuple[str, str, str], Answer]) -> None:
    """Where responses may differ for a crew, they differ by its own cards and by the roster."""
    with_figure = {key for key, answer in after.items() if FIGURE.search(answer.content)}
    assert sorted(key for key in with_figure if key[1] in ("far gunner", "far crew app")) == []
    own = {route for route, who, _request in with_figure if who == "gunner"}
    assert {"scorecards:history", "offline:ride"} <= own, "the bike's own crew sees it"
    assert {"api:scorecard", "api:sheets"} <= {route for route, who, _request in with_figure if who == "crew app"}


def check_unread_credentials(ride: SmallRide, after: Mapping[tuple[str, str, str], Answer]) -> None:
    """Fail if a cookie or token changes the response of a public route that does not read it (`reads_credentials`)."""
    browser, token = ride.get_desk(), {"Authorization": f"Bearer {add_token(ride.user)}"}
    browser.cookies.update(ride.get_phone(ride.captain).cookies)
    television, changed, count = ride.get_television(), [], 0
    for route in list_routes():
        if ROUTES[route].get("GET") is not ANYBODY or (route.startswith("api:") and route not in READ_BY_TOKEN):
            continue
        for address in list_addresses(ride, route):
            if route in READ_BY_TOKEN:
                response: Any = browser.get(address)
            else:
                response = television.get(add_query(address, get_query(ride, route)), headers=token)
            count += 1
            if read(ride, route, response) != after[route, "nobody", f"GET {address} {{}}"]:
                changed.append(route)

    assert changed == []
    assert count > 60


@pytest.mark.slow
def test_without_a_freeze_all_of_that_is_public(ride: SmallRide, clients: Mapping[str, Client]) -> None:
    """What the walk compares does change: it can fail."""
    # In a short run, the test above shows that the others, which show none, do not change.
    routes = None if FULL else WITH_FIGURES
    before, streamed = send_all(ride, "nobody", clients, routes), take_snapshots(ride)
    standing = clients["far gunner"].get(ride.get_url("scorecards:standing")).content
    record_more(ride)
    after, streamed_later = send_all(ride, "nobody", clients, routes), take_snapshots(ride)

    changed = {
        route for route, _who, _request in before if before[route, _who, _request] != after[route, _who, _request]
    }
    changed |= {route for route in FINDERS if streamed[route].id != streamed_later[route].id}
    assert changed - {"live:changes"} == WITH_FIGURES
    assert clients["far gunner"].get(ride.get_url("scorecards:standing")).content != standing


@pytest.mark.parametrize("route", ["results:event", "results:leaderboard", "results:bike", "results:seats"])
def test_no_etag_of_another_time_leads_to_newer_figures(ride: SmallRide, route: str) -> None:
    client, address = Client(headers={"HX-Request": "true"}), ride.get_url(route)
    live = client.get(address)
    freeze_standings(get_event(ride))
    frozen = client.get(address, headers={"If-None-Match": live.headers["ETag"]})
    assert frozen.status_code == 200, "the page says that it is frozen"
    record_more(ride)

    for etag in (live.headers["ETag"], '"something else"', ""):
        again = client.get(address, headers={"If-None-Match": etag})
        assert (again.status_code, again.headers["ETag"]) == (200, frozen.headers["ETag"])
        assert mask(ride, again.content) == mask(ride, frozen.content)
    assert client.get(address, headers={"If-None-Match": frozen.headers["ETag"]}).status_code == 304

    lift_freeze(get_event(ride))
    lifted = client.get(address, headers={"If-None-Match": frozen.headers["ETag"]})
    assert lifted.status_code == 200
    assert lifted.headers["ETag"] not in (frozen.headers["ETag"], live.headers["ETag"])
    freeze_again = client.get(address, headers={"If-None-Match": lifted.headers["ETag"]})
    assert freeze_again.status_code == 304, "nothing has changed since"
