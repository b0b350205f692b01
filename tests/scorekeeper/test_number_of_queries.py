"""The number of statements behind a page is that of a small ride, however many ride.

The pages are made of the URL resolver, so that none is forgotten: whatever somebody may open who is not signed in, the
organiser at the desk, and a crew member on their phone. A ride of 12 seats and one of 60 are compared, before anything
is official and after. What nobody may open at the small ride is not tried at the large one.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from scorekeeper.bikes.codes import make_code
from scorekeeper.common.game_adapter import list_games
from scorekeeper.crew.models import Device
from scorekeeper.results.exports.export_files import PUBLIC_FILES
from tests.scorekeeper.conftest import CrewClient, SignIn
from tests.scorekeeper.large_ride import LargeRide, make_large_ride
from tests.scorekeeper.statements import list_statements

# Two rides are set up, closed and published, and every page and file of theirs is read.
pytestmark = [pytest.mark.django_db, pytest.mark.timeout(600)]

Asked = Mapping[str, list[str]]

# What no list is of: pages about one of these look the same however many ride.
NOT_ASKED = {"organiser_id", "device_id", "item_id", "token"}
# The organiser's files are made like the public ones, which are read here, and take long.
NOT_OPENED = {"results:desk_export"}


def list_patterns(patterns: Iterable[Any], prefix: str = "") -> Iterator[tuple[str, list[str]]]:
    """Every route by its name, and what its address names."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            name = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from list_patterns(pattern.url_patterns, name)
        elif isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name}", list(pattern.pattern.converters)


def list_addresses(crowd: LargeRide) -> Mapping[str, str]:
    """Every address there is, each once, with a name that is the same at every ride."""
    named: dict[str, str] = {}
    for route, names in list_patterns(get_resolver().url_patterns):
        if route not in NOT_OPENED and not NOT_ASKED & set(names):
            for variant, values in list_values(crowd, names):
                named.setdefault(reverse(route, kwargs=values), " ".join([route, *variant]))
    return named


def list_values(crowd: LargeRide, names: list[str]) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """What to put into an address: both contests, every file, every game."""
    for contest, holder, card in (
        (crowd.yahtzee, crowd.bikes[-1], crowd.card),
        (crowd.rogue, crowd.players[-1], crowd.table),
    ):
        for file in PUBLIC_FILES if "file" in names else ("",):
            for game in list_games() if {"key", "game_key"} & set(names) else ("",):
                known = {
                    "slug": crowd.event.slug,
                    "event_id": crowd.event.pk,
                    "contest_slug": contest.slug,
                    "bike_id": holder.pk if "contest_slug" in names else crowd.bikes[-1].pk,
                    "holder_id": holder.pk,
                    "player_id": crowd.players[-1].pk,
                    "card_id": card,
                    "stop_id": crowd.stop.pk,
                    "group_id": crowd.captain.group_id,
                    "member_id": crowd.captain.pk,
                    "file": file,
                    "key": game,
                    "game_key": game,
                    "code": make_code(crowd.bikes[-1].pk),
                }
                # A new kind of address has to be told here, or to be about something that there are no lists of.
                yield [word for word in (contest.slug, file, game) if word], {name: known[name] for name in names}


def list_asked(
    crowd: LargeRide, clients: Mapping[str, Client], only: Collection[str] | None = None
) -> dict[str, list[str]]:
    """Return what each page and fragment asks of the database, opened by the first of these who may.

    Args:
        only: names of those that are to be opened, by whom they say.
    """
    # That a phone was there is kept once a minute, which is not what this is about.
    Device.objects.update(last_seen_at=timezone.now() + dt.timedelta(hours=1))
    asked = {}
    for address, name in list_addresses(crowd).items():
        for role, client in clients.items():
            page, fragment = f"{role}: page {name}", f"{role}: fragment {name}"
            if only is not None and not {page, fragment} & set(only):
                continue
            response, statements = open_page(client, address)
            if response.status_code != 200:
                continue
            asked[page] = statements
            if "HX-Request" in response.headers.get("Vary", ""):
                _, asked[fragment] = open_page(client, address, {"HX-Request": "true"})
            break
    return {name: statements for name, statements in asked.items() if only is None or name in only}


def open_page(
    client: Client, address: str, headers: Mapping[str, str] | None = None
) -> tuple[HttpResponseBase, list[str]]:
    """Return an answer, read to its end, for a file is made as it is read; and what it took."""
    with CaptureQueriesContext(connection) as queries:
        response = client.get(address, headers=headers)
        if response.streaming:
            assert b"".join(response)
    return response, list_statements(queries)


def list_unlike(one: Asked, other: Asked) -> Mapping[str, tuple[int, int]]:
    """Return how many statements each page takes that does not take as many at both."""
    counted = {name: (len(one.get(name, [])), len(other.get(name, []))) for name in sorted(one.keys() | other.keys())}
    return {name: both for name, both in counted.items() if both[0] != both[1]}


def test_every_page_takes_as_many_statements_for_60_seats_as_for_12(
    alice: User, sign_in: SignIn, crew_client: CrewClient
) -> None:
    rides = [make_large_ride(alice, seats, turns=1) for seats in (12, 60)]
    everybody = [{"public": Client(), "desk": sign_in(alice), "crew": crew_client(ride.captain)} for ride in rides]
    (small, few), (large, many) = zip(rides, everybody, strict=True)

    live = list_asked(small, few)
    assert list_unlike(live, list_asked(large, many, only=live)) == {}
    for ride in rides:
        ride.publish()
    official = list_asked(small, few)
    # What asks the same as before comes the same way, so it need not be read again in full.
    changed = {name: asked for name, asked in official.items() if live.get(name) != asked}
    assert list_unlike(changed, list_asked(large, many, only=changed)) == {}
    assert len(changed) > 20

    # That they were opened at all: every room's pages are there, for both contests and in both ways.
    opened = {" ".join(name.split()[:3]) for name in live}
    public = {"home", "event", "leaderboard", "bike", "seats", "export"}
    assert opened >= {f"public: page results:{page}" for page in public}
    assert opened >= {"public: page live:screen", "public: page rulebooks:list", "public: page rulebooks:book"}
    desk = {"desk:event", "desk:cards", "desk:review", "desk:duplicates", "desk:finish", "desk:close", "players:roster"}
    assert opened >= {f"desk: page {page}" for page in desk | {"tables:desk_list", "tables:desk_plan", "crew:groups"}}
    assert opened >= {"crew: page scorecards:group", "crew: page tables:list", "crew: page scorecards:card"}
    assert {"public: page results:leaderboard rogue", "public: fragment results:leaderboard rogue"} <= changed.keys()
