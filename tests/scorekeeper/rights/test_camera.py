"""Which responses let a page ask for the camera: all that a phone of the crew may have come in by, and no others."""

from __future__ import annotations

import pytest
from django.test import Client

from scorekeeper.common.permissions_policy import ALLOW_CAMERA, CREW_PATHS, DENY_ALL
from scorekeeper.common.rights_check import list_routes
from scorekeeper.rights import CREW, ROAD_CAPTAIN, ROUTES
from tests.scorekeeper.rights.small_ride import SmallRide, make_small_ride

pytestmark = pytest.mark.django_db

NO_PAGES = ("/api/", "/events/")  # a phone only fetches these


def list_policies(ride: SmallRide, client: Client, *, is_crew: bool) -> dict[str, str]:
    """Return the policy of the response to each route that is, or is not, for the crew's pages."""
    urls = {route: ride.get_url(route) for route in list_routes() if ROUTES[route].get("GET")}
    return {
        route: client.get(url).headers["Permissions-Policy"]
        for route, url in urls.items()
        if url.startswith(CREW_PATHS) is is_crew
    }


@pytest.mark.parametrize("who", ["gunner", "captain", "nobody"])
def test_every_page_of_the_crew_may_ask_for_the_camera(who: str) -> None:
    ride = make_small_ride("Quokka")
    phones = {"gunner": ride.get_phone(ride.gunner), "captain": ride.get_phone(ride.captain), "nobody": Client()}

    policies = list_policies(ride, phones[who], is_crew=True)

    entries = {
        "crew:join",
        "crew:switch",
        "offline:shell",
        "offline:ready",
        "offline:swap",
        "offline:plain",
        "scorecards:scanned",
    }
    assert entries | {"scorecards:group", "scorecards:card", "tables:list", "tables:table"} <= policies.keys()
    assert set(policies.values()) == {ALLOW_CAMERA}, policies


def test_every_page_whose_role_is_the_crew_is_among_them() -> None:
    ride = make_small_ride("Quokka")
    roles = {CREW, ROAD_CAPTAIN}
    pages = {route: ride.get_url(route) for route in list_routes() if ROUTES[route].get("GET") in roles}

    others = {route for route, url in pages.items() if not url.startswith((*CREW_PATHS, *NO_PAGES))}

    assert others == set()


def test_no_other_page_may() -> None:
    ride = make_small_ride("Quokka")

    policies = list_policies(ride, ride.get_desk(), is_crew=False)

    assert {"results:home", "results:leaderboard", "desk:event", "live:screen", "crew:groups"} <= policies.keys()
    assert set(policies.values()) == {DENY_ALL}, policies


def test_pages_of_the_crew_that_are_not_found_may_ask_too() -> None:
    assert Client().get("/crew/no-such-page/").headers["Permissions-Policy"] == ALLOW_CAMERA
