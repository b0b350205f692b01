"""Every response of the program, to everybody: what a test looks through for what must not be told."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from django.test import Client

from scorekeeper.bikes.models import Bike
from scorekeeper.common.rights_check import list_routes
from scorekeeper.rights import ROUTES
from tests.scorekeeper.api.program import make_program
from tests.scorekeeper.rights.small_ride import SmallRide
from tests.scorekeeper.rights.test_pages_embargo import FAR_BIKE, is_asked, list_addresses

# They describe the program, and count the requests to each route: they have its words, and no figure of any ride.
DESCRIBING = {"api:schema", "api:reference", "metrics"}


class ReadResponse(NamedTuple):
    """A response to a person, with all of its content."""

    route: str
    who: str
    response: Any
    content: bytes


def add_far_bike(ride: SmallRide) -> None:
    """Add the bike of the other group whose pages are requested, too."""
    Bike.objects.create(event_id=ride.ids["event"], number=FAR_BIKE, group_id=ride.ids["other_group"])


def make_clients(ride: SmallRide) -> Mapping[str, Client]:
    return {
        "nobody": ride.get_television(),
        "gunner": ride.get_phone(ride.gunner),
        "captain": ride.get_phone(ride.captain),
        "organiser": ride.get_desk(),
        "monitor": Client(headers={"Authorization": "Bearer a token"}),
        "reading program": make_program(ride.user),
        "recording program": make_program(ride.user, "record"),
    }


def read_everything(
    ride: SmallRide, only: Collection[str] | None = None, fields: Mapping[str, str] = {}
) -> Iterator[ReadResponse]:
    """Yield what every route answers to every kind of person, as a page and, where that differs, as a fragment.

    In a short run, a request that the table of rights refuses is sent once (`is_asked`).

    Args:
        only: these routes; None for all.
        fields: of the forms that pages open with, those that differ from the ride's.
    """
    data = {**ride.form_data, **fields}
    for who, client in make_clients(ride).items():
        for route in list_routes():
            if route in DESCRIBING or "GET" not in ROUTES[route] or (only is not None and route not in only):
                continue
            if not is_asked(route, "GET", who):
                continue
            for address in list_addresses(ride, route):
                for headers in ({}, {"HX-Request": "true"}):
                    cookies = client.cookies.output()
                    response: Any = client.get(address, {} if "/api/" in address else data, headers=headers)
                    if client.cookies.output() != cookies:  # a page has signed the client out
                        client = make_clients(ride)[who]  # noqa: PLW2901
                    content = b"".join(response.streaming_content) if response.streaming else response.content
                    yield ReadResponse(route, who, response, content)
                    if "HX-Request" not in response.headers.get("Vary", ""):
                        break
