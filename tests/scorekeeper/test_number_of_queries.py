"""The number of queries of a page does not grow with the number of riders.

The pages are taken from the URL resolver, so that none is forgotten: all that a visitor, an organiser, a crew member
on their phone or a program can open. A ride with 8 seats is compared to one with 14 (60 with FAULTS=full), before and
after the results are official. Pages that nobody can open on the small ride are not tried on the large one. In a short
run, pages are requested only by those whom the table of rights admits; `test_pages_routes` shows that it holds.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.common.rights_check import list_routes
from scorekeeper.crew.models import Device
from scorekeeper.dice.models import DiceAudit
from scorekeeper.events.models import AccessToken, AccountSession, Contest, Event
from scorekeeper.live.models import ALL_CONTESTS, PartKind, Screen
from scorekeeper.players.models import ClassMember, EventClass
from scorekeeper.players.selectors import get_public_names
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.rules.rule_book import RULES, fits_contest
from scorekeeper.results.exports.writers import PUBLIC_FILES
from scorekeeper.results.preview import get_preview
from scorekeeper.rights import ROUTES, Role
from scorekeeper.standings.services.luck_computation import compute_luck
from tests.faults.scale import FULL
from tests.scorekeeper.api.program import make_program
from tests.scorekeeper.conftest import CrewClient, SignIn
from tests.scorekeeper.large_ride import LargeRide, make_large_ride
from tests.scorekeeper.rights.every_response import OF_THE_PROGRAM
from tests.scorekeeper.statements import list_statements, record_statements

# Two rides are set up, closed and published, and all their pages and files are read.
pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.database, pytest.mark.timeout(600)]

SEATS = (8, 60 if FULL else 14)  # of the two rides

PageStatements = Mapping[str, list[str]]

# Pages about one of these do not depend on the number of riders.
SKIPPED_PARAMETERS = {
    *(
        "organiser_id",
        "device_id",
        "item_id",
        "check_item_id",
        "token",
        "token_id",
        "session_id",
        "invitation_id",
        "passkey_id",
    ),
    *("message_id", "loss_id", "link_id", "sign_up_id", "logo_id", "objection_id", "job_id", "dice_test_id"),
    *("image_id", "sponsor_id", "webhook_id", "delivery_id"),
    "season_slug",  # `test_season_standings` counts the statements of a season
}
# The organiser's files are made like the public files, which are read here, and take long. The others describe the
# program.
SKIPPED_ROUTES = {"results:desk_export", *OF_THE_PROGRAM}
# Of the clients, those that a role of the table admits; all others are refused.
ADMITTED: Mapping[Role, Collection[str]] = {
    Role.ANYBODY: ("public", "desk", "crew", "program"),
    Role.SIGNED_IN: ("desk",),
    Role.ORGANISER: ("desk",),
    Role.SEASON_ORGANISER: ("desk",),
    Role.RIDE: ("crew", "desk"),
    Role.CREW: ("crew",),
    Role.ROAD_CAPTAIN: ("crew",),
    Role.FORMER_CREW: ("crew",),
    Role.READER: ("program",),
    Role.ROSTER_READER: ("program",),
    Role.RECORDER: (),
    Role.MONITOR: (),
}
# Besides the pages of one contest, those whose statements change with its publication.
WITH_RESULTS = {"desk:cards", "desk:delete", "api:crew_scorecard"}


def list_patterns(patterns: Iterable[Any], prefix: str = "") -> Iterator[tuple[str, list[str]]]:
    """Yield every route by its name, with the parameters of its URL."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            name = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from list_patterns(pattern.url_patterns, name)
        elif isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name}", list(pattern.pattern.converters)


def list_addresses(ride: LargeRide) -> Mapping[str, str]:
    """Return every URL once, with a name that is the same on every ride."""
    page_names: dict[str, str] = {}
    values_by_contest = list_values(ride)
    for route, parameters in list_patterns(get_resolver().url_patterns):
        if route not in SKIPPED_ROUTES and not SKIPPED_PARAMETERS & set(parameters):
            for values in values_by_contest:
                for variant, chosen in choose_values(ride, values, parameters):
                    page_names.setdefault(reverse(route, kwargs=chosen), " ".join([route, *variant]))
    return page_names


def add_everyone_to_a_class(ride: LargeRide) -> EventClass:
    """Return the class of the event that all bikes are in."""
    event_class, is_new = EventClass.objects.get_or_create(event=ride.event, name="Everyone", defaults={"ordinal": 1})
    if is_new:
        bikes = Bike.objects.filter(event=ride.event)
        ClassMember.objects.bulk_create([ClassMember(event_class=event_class, bike=bike) for bike in bikes])
    return event_class


def list_values(ride: LargeRide) -> list[dict[str, Any]]:
    """Return the values for URL parameters about each of the contests."""
    return [
        {
            "slug": ride.event.slug,
            "event_id": ride.event.pk,
            "contest_slug": contest.slug,
            "key": contest.game_key,
            "game_key": contest.game_key,
            "entrant_id": entrant.pk,
            "player_id": ride.players[-1].pk,
            "card_id": card,
            "stop_id": ride.stop.pk,
            "prize_id": Prize.objects.filter(contest=contest).order_by("position")[0].pk,
            "class_id": add_everyone_to_a_class(ride).pk,
            "screen_id": get_paired_screen_id(ride.event),
            "group_id": ride.captain.group_id,
            "member_id": ride.captain.pk,
            "roster": "full",
            "revision": 1,
            "number": 1,
            "digest": get_preview_digest(contest),
            "code": make_code(ride.bikes[-1].pk),
        }
        for contest, entrant, card in (
            (ride.yahtzee, ride.bikes[-1], ride.card),
            (ride.rogue, ride.players[-1], ride.table),
        )
    ]


def choose_values(
    ride: LargeRide, values: Mapping[str, Any], names: list[str]
) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Yield the values for a URL's parameters: for every file. A page about a game is about the contest's."""
    is_of_contest = "contest_slug" in names
    for file in PUBLIC_FILES if "file" in names else ("",):
        known = {
            **values,
            "bike_id": values["entrant_id"] if is_of_contest else ride.bikes[-1].pk,
            "kind": "standings" if is_of_contest else "stop-sheets",
            "file": file,
        }
        # A new URL parameter must be added here, to `list_values` or to SKIPPED_PARAMETERS.
        yield [word for word in (values["contest_slug"], file) if word], {name: known[name] for name in names}


def get_paired_screen_id(event: Event) -> UUID:
    """Return the id of a screen of the event that shows parts of every kind."""
    values = {"token_digest": event.slug, "parts": [ALL_CONTESTS, *PartKind.values]}
    return Screen.objects.get_or_create(event=event, name="Bar", defaults=values)[0].pk


def get_preview_digest(contest: Contest) -> str:
    """Return what the URL of a contest's preview image contains; before publication there is none."""
    contest.refresh_from_db()
    preview = get_preview(contest, get_public_names(contest.event))
    return "none" if preview is None else preview.digest


def add_prizes(ride: LargeRide) -> None:
    """Add a prize by every rule that each contest can use."""
    pairs = [(contest, rule) for contest in (ride.yahtzee, ride.rogue) for rule in RULES.values()]
    for position, (contest, rule) in enumerate([pair for pair in pairs if fits_contest(pair[1], pair[0])], 1):
        place, stop = (1 if rule.key == "place" else None), (ride.stop if rule.uses_stop else None)
        prize = Prize(event=ride.event, contest=contest, position=position, rule=rule.key, place=place, stop=stop)
        prize.save()


def list_page_statements(
    ride: LargeRide, clients: Mapping[str, Client], is_wanted: Callable[[str], bool] = lambda _name: True
) -> dict[str, list[str]]:
    """Return the statements of each page and fragment, opened by the first of the clients that can open it.

    Args:
        is_wanted: whether to open the page or fragment of a name; by default, all.
    """
    # When a phone was seen and a token used is written once a minute, which would change the numbers.
    Device.objects.update(last_seen_at=timezone.now() + dt.timedelta(hours=1))
    AccessToken.objects.update(last_used_at=timezone.now() + dt.timedelta(hours=1))
    AccountSession.objects.update(last_used_at=timezone.now() + dt.timedelta(hours=1))
    statements_by_page = {}
    for address, name in list_addresses(ride).items():
        for role, client in clients.items():
            page, fragment = f"{role}: page {name}", f"{role}: fragment {name}"
            if not FULL and role not in list_admitted(name.split()[0]):
                continue
            if not (is_wanted(page) or is_wanted(fragment)):
                continue
            response, statements = open_page(client, address)
            if response.status_code != 200:
                continue
            statements_by_page[page] = statements
            if "HX-Request" in response.headers.get("Vary", "") and is_wanted(fragment):
                _, statements_by_page[fragment] = open_page(client, address, {"HX-Request": "true"})
            break
    return {name: found for name, found in statements_by_page.items() if is_wanted(name)}


def list_admitted(route: str) -> Collection[str]:
    """Return the clients that may open a route, by the table of rights."""
    role = ROUTES[route].get("GET")
    return ADMITTED[role] if role is not None else ()


def can_change(name: str) -> bool:
    """Return whether the publication of results can change the statements of a page, by the page's name."""
    route = name.split()[2]
    is_of_contest = "contest_slug" in list_routes()[route].pattern.converters
    return is_of_contest or route in WITH_RESULTS or route.startswith(("bundles:", "live:", "prizes:", "results:"))


def is_page(name: str) -> bool:
    """Return whether this is the name of a page, not of a fragment."""
    return " page " in name


def open_page(
    client: Client, address: str, headers: Mapping[str, str] | None = None
) -> tuple[HttpResponseBase, list[str]]:
    """Return the response and its statements. It is read to its end, because files are made while they are read."""
    with record_statements() as statements:
        response = client.get(address, headers=headers)
        if response.streaming:
            assert b"".join(response)
    return response, list_statements({"sql": sql} for sql in statements)


def list_differences(small: PageStatements, large: PageStatements) -> Mapping[str, tuple[int, int]]:
    """Return the pages whose numbers of statements differ, with both numbers."""
    names = sorted(small.keys() | large.keys())
    counts = {name: (len(small.get(name, [])), len(large.get(name, []))) for name in names}
    return {name: both for name, both in counts.items() if both[0] != both[1]}


def test_every_page_takes_as_many_queries_for_many_seats_as_for_few(
    alice: User, sign_in: SignIn, crew_client: CrewClient
) -> None:
    rides = [make_large_ride(alice, seats, turns=1) for seats in SEATS]
    for ride in rides:
        add_prizes(ride)
    clients = [
        {"public": Client(), "desk": sign_in(alice), "crew": crew_client(ride.captain), "program": make_program(alice)}
        for ride in rides
    ]
    (small, small_clients), (large, large_clients) = zip(rides, clients, strict=True)

    # A fragment comes from the view and the context of its page. A short run opens those of results, at the end.
    live = list_page_statements(small, small_clients, (lambda _name: True) if FULL else is_page)
    assert list_differences(live, list_page_statements(large, large_clients, live.__contains__)) == {}
    for ride in rides:
        ride.publish()
        compute_luck(ride.yahtzee.pk)
    # Whoever opened a page of them some seconds ago would ask the worker again.
    DiceAudit.objects.all().delete()
    official = list_page_statements(small, small_clients, (lambda _name: True) if FULL else can_change)
    # Pages with the same statements as before need not be compared again.
    changed = {name: statements for name, statements in official.items() if live.get(name) != statements}
    assert [name for name in changed if not can_change(name)] == [], "a short run opens no others"
    assert list_differences(changed, list_page_statements(large, large_clients, changed.__contains__)) == {}
    assert len(changed) > 20

    # The pages of every app were really opened, for both contests, as pages and as fragments.
    opened = {" ".join(name.split()[:3]) for name in live}
    public = {"home", "event", "leaderboard", "bike", "seats", "export"}
    assert opened >= {f"public: page results:{page}" for page in public}
    assert opened >= {"public: page live:screen", "public: page rulebooks:list", "public: page rulebooks:book"}
    desk = {"desk:event", "desk:cards", "desk:review", "desk:duplicates", "desk:finish", "desk:close", "players:roster"}
    desk |= {"prizes:list", "prizes:edit", "prizes:decide"}
    assert opened >= {f"desk: page {page}" for page in desk | {"tables:desk_list", "tables:desk_plan", "crew:groups"}}
    assert opened >= {"crew: page scorecards:group", "crew: page tables:list", "crew: page scorecards:card"}
    program = {"bikes", "players", "groups", "classes", "entries", "revisions", "review_items"}
    assert opened | {" ".join(name.split()[:3]) for name in official} >= {f"program: page api:{one}" for one in program}
    assert {"public: page results:leaderboard rogue", "public: fragment results:leaderboard rogue"} <= changed.keys()
    assert any(name.startswith("public: page results:preview ") for name in changed)
