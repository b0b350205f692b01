"""Search engines keep away from everything of an unlisted event or a draft: pages, files and printouts."""

from __future__ import annotations

import pytest
from django.test import Client

from scorekeeper.common.rights_check import list_routes
from scorekeeper.events.models import Event
from scorekeeper.rights import ANYBODY, ROUTES
from scorekeeper.seasons.models import Season
from tests.scorekeeper.rights.small_ride import SmallRide, make_small_ride

pytestmark = pytest.mark.django_db

OWN_ROBOTS = {"players:sign_up"}
# They show what a listed page shows, in the frames of other sites.
NEVER_FOUND = {"embeds:board", "embeds:class_board", "embeds:prizes"}


def list_noindex(ride: SmallRide, client: Client) -> dict[str, bool]:
    """Return whether each public response about the event says that it is not to be listed."""
    found = {}
    for route, pattern in list_routes().items():
        if ROUTES[route].get("GET") is ANYBODY and "slug" in pattern.pattern.converters:
            response = client.get(ride.get_url(route))
            if response.status_code < 400:
                found[route] = response.headers.get("X-Robots-Tag") == "noindex"
    return found


def test_everything_of_an_unlisted_event_says_noindex_and_nothing_of_a_listed_one(client: Client) -> None:
    ride = make_small_ride("Quokka")
    Event.objects.filter(pk=ride.ids["event"]).update(is_listed=False)
    found = list_noindex(ride, client)
    assert len(found) > 15
    assert all(found.values()), found
    assert {"results:export", "results:event", "bundles:public", "results:preview", "prints:public_file"} <= set(found)

    Event.objects.filter(pk=ride.ids["event"]).update(is_listed=True)
    found = list_noindex(ride, client)
    assert {route for route, is_kept_out in found.items() if is_kept_out} == NEVER_FOUND


def test_a_draft_and_private_pages_say_noindex(client: Client) -> None:
    ride = make_small_ride("Quokka")
    Event.objects.filter(pk=ride.ids["event"]).update(state=Event.State.DRAFT, is_listed=True, is_sign_up_open=True)
    drafts = {route for route, is_kept_out in list_noindex(ride, client).items() if is_kept_out}
    assert "players:sign_up" in drafts
    assert ride.get_desk().get(ride.get_url("desk:event")).headers["X-Robots-Tag"] == "noindex"
    assert ride.get_phone(ride.gunner).get("/crew/").headers["X-Robots-Tag"] == "noindex"
    assert "X-Robots-Tag" not in client.get("/").headers


def test_an_unlisted_season_says_noindex(client: Client) -> None:
    ride = make_small_ride("Quokka")
    for is_listed in (False, True):
        Season.objects.update(is_listed=is_listed)
        for route in ("seasons:season", "seasons:rider", "seasons:export"):
            response = client.get(ride.get_url(route))
            assert response.status_code == 200
            assert ("X-Robots-Tag" in response.headers) is not is_listed, route


def test_robots_txt_keeps_them_out_of_the_desk_only(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response.headers["Content-Type"].startswith("text/plain")
    lines = response.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert {"Disallow: /desk/", "Disallow: /api/"} <= set(lines)
    # What must not be found says so itself, which has to be read.
    assert not any(line.startswith(("Disallow: /events", "Disallow: /crew", "Disallow: /seasons")) for line in lines)
