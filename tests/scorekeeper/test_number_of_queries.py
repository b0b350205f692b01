"""The number of statements behind a page is that of a small ride, however many ride.

The pages are made of the URL resolver, so that none is forgotten: whatever somebody may open who is not signed in is
public. A ride of 20 seats and one of 880 are compared, before anything is official and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from scorekeeper.common.rules import list_games
from scorekeeper.results.exports.files import ORGANISER_FILES
from tests.scorekeeper.crowd import Crowd, gather

# Two rides are set up, closed and published, and every file of theirs is read.
pytestmark = [pytest.mark.django_db, pytest.mark.timeout(900)]

# What nobody may open without signing in, by what its address names.
NOT_PUBLIC = {
    *("organiser_id", "stop_id", "group_id", "member_id", "device_id", "player_id"),
    *("card_id", "item_id", "token", "game_key"),
}


def list_patterns(patterns: Iterable[Any], prefix: str = "") -> Iterator[tuple[str, list[str]]]:
    """Every route by its name, and what its address names."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            name = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from list_patterns(pattern.url_patterns, name)
        elif isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name}", list(pattern.pattern.converters)


def list_addresses(crowd: Crowd) -> Iterator[tuple[str, str]]:
    """Every address that may be public, by a name that is the same at every ride."""
    for route, names in list_patterns(get_resolver().url_patterns):
        if NOT_PUBLIC & set(names):
            continue
        for variant, values in list_values(crowd, route, names):
            yield f"{route} {variant}", reverse(route, kwargs=values)


def list_values(crowd: Crowd, route: str, names: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What to put into an address: both contests, every file, every game."""
    for contest, holder in ((crowd.yahtzee, crowd.bikes[-1]), (crowd.rogue, crowd.players[-1])):
        for file in ORGANISER_FILES if "file" in names else ("",):
            for key in list_games() if "key" in names else ("",):
                known = {
                    "slug": crowd.event.slug,
                    "contest_slug": contest.slug,
                    "bike_id": holder.pk,
                    "holder_id": holder.pk,
                    "file": file,
                    "key": key,
                }
                # A new kind of address has to be told here, or to be no public one.
                yield f"{contest.slug} {file} {key}", {name: known[name] for name in names}


def read(response: HttpResponseBase) -> None:
    """Read an answer to its end: a file is made as it is read."""
    if response.streaming:
        assert b"".join(response)


def count(crowd: Crowd, client: Client) -> dict[str, int]:
    """Return how many statements each page and fragment takes that can be opened."""
    counted = {}
    for name, address in list_addresses(crowd):
        for kind, headers in (("page", {}), ("fragment", {"HX-Request": "true"})):
            with CaptureQueriesContext(connection) as queries:
                response = client.get(address, headers=headers)
                if response.status_code == 200:
                    read(response)
                    counted[f"{kind} {name}"] = len(queries)
    return counted


def assert_same(small: Mapping[str, int], large: Mapping[str, int]) -> None:
    assert {name: (number, large.get(name)) for name, number in small.items() if large.get(name) != number} == {}
    assert small.keys() == large.keys()


def test_every_public_page_takes_as_many_statements_for_880_seats_as_for_20(alice: User) -> None:
    rides = [gather(alice, seats) for seats in (20, 880)]
    client = Client()

    live = [count(ride, client) for ride in rides]
    assert_same(*live)
    for ride in rides:
        ride.publish()
    official = [count(ride, client) for ride in rides]
    assert_same(*official)

    # That they were opened at all: every room with public pages is there, for both contests and in both ways.
    routes = {name.split()[1] for name in live[0]}
    assert routes >= {"results:home", "results:event", "results:leaderboard", "results:bike", "results:seats"}
    assert routes >= {"results:export", "rulebooks:list", "rulebooks:book"}
    assert "fragment results:leaderboard rogue" in {name.strip() for name in official[0]}
