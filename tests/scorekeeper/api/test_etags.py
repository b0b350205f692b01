"""ETags: an unchanged answer is 304, cheaply, and whatever changes the answer changes its ETag."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.bikes.models import Bike
from scorekeeper.common.rights_check import list_routes
from scorekeeper.crew.models import Group
from scorekeeper.crew.services.devices import create_device
from scorekeeper.events.models import AccessToken, Contest, Event
from scorekeeper.players.models import Player
from scorekeeper.rights import ROUTES as TABLE
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.luck_computation import compute_luck
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.stops.models import Stop
from tests.faults.scale import scaled
from tests.scorekeeper.api.program import make_program
from tests.scorekeeper.rights.small_ride import SmallRide, make_small_ride
from tests.scorekeeper.rights.test_pages_embargo import add_turn, get_desk_actor, get_event, refresh
from tests.scorekeeper.statements import list_statements

pytestmark = pytest.mark.django_db
ROUTES = ("standings", "scorecards", "results")
OF_DEVICES = ("api:crew_scorecard", "api:key", "api:ride_progress", "api:sheets")
OF_CLOSED = ("api:luck", "api:scorecard_luck")
READ_ROUTES = sorted(
    route for route in list_routes() if route.startswith("api:") and "GET" in TABLE[route] and route != "api:reference"
)


@pytest.fixture
def ride() -> SmallRide:
    ride = make_small_ride("Quokka")
    Contest.objects.filter(pk=ride.ids["yahtzee"]).update(groups_by=Contest.GroupsBy.MEAN)
    return ride


def get_url(ride: SmallRide, route: str) -> str:
    return reverse(f"api:{route}", args=[ride.slugs["event"], ride.slugs["yahtzee"]])


def close(ride: SmallRide) -> None:
    close_contest(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], "the ride is over")


CHANGES: dict[str, Callable[[SmallRide], Any]] = {
    "a turn, before the standings are refreshed": lambda ride: add_turn(ride, get_bike(ride), "free_slot", 24),
    "the refresh": refresh,
    "a rider’s name": lambda ride: Player.objects.filter(name="Quokka Ann").update(name="Quokka Anna"),
    "how people are shown": lambda ride: Event.objects.update(people_shown=Event.PeopleShown.INITIALS),
    "a group’s name": lambda ride: Group.objects.filter(pk=ride.ids["group"]).update(name="The first"),
    "a bike’s group": lambda ride: Bike.objects.filter(pk=ride.ids["bike"]).update(group=ride.ids["other_group"]),
    "a new bike": lambda ride: Bike.objects.create(event_id=ride.ids["event"], number=77),
    "a stop’s name": lambda ride: Stop.objects.filter(pk=ride.ids["stop"]).update(name="Parks"),
    "the contest’s name": lambda ride: Contest.objects.filter(pk=ride.ids["yahtzee"]).update(name="Dice"),
    "how groups are compared": lambda ride: Contest.objects.filter(pk=ride.ids["yahtzee"]).update(groups_by=""),
    "closing": close,
    "publishing": lambda ride: publish_contest(get_desk_actor(ride), uuid4(), ride.ids["yahtzee"], "all is decided"),
    "a freeze": lambda ride: freeze_standings(get_event(ride)),
    "its end": lambda ride: lift_freeze(get_event(ride)),
}


def get_bike(ride: SmallRide) -> Bike:
    return Bike.objects.get(pk=ride.ids["bike"])


@pytest.mark.slow
def test_every_change_of_an_answer_changes_its_etag(ride: SmallRide) -> None:
    """Both the audience's and the organiser's answers, over the whole course of a contest."""
    callers = {"public": Client(), "organiser": make_program(ride.user)}
    urls = {route: get_url(ride, route) for route in ROUTES}
    last = {(who, route): callers[who].get(urls[route]) for who in callers for route in ROUTES}
    effective = set()
    for name, change in CHANGES.items():
        change(ride)
        for (who, route), before in last.items():
            response = callers[who].get(urls[route], headers={"If-None-Match": before.headers["ETag"]})
            if response.status_code == 304:
                response = callers[who].get(urls[route])
                assert response.content == before.content, (name, who, route)
            if response.content != before.content:
                effective.add(name)
                assert response.headers["ETag"] != before.headers["ETag"], (name, who, route)
            last[who, route] = response

    assert effective == set(CHANGES)


def test_an_unchanged_answer_is_not_computed(ride: SmallRide) -> None:
    program = make_program(ride.user)
    for route in ROUTES:
        url = get_url(ride, route)
        etag = program.get(url).headers["ETag"]
        AccessToken.objects.filter(name="to read").update(last_used_at=None)
        program.get(url)
        with CaptureQueriesContext(connection) as queries:
            response = program.get(url, headers={"If-None-Match": etag})
        assert (response.status_code, response.content) == (304, b"")
        statements = list_statements(queries)
        assert len(statements) <= 17
        assert not [one for one in statements if "standingsrow" in one or "scorecards_entry" in one]


@pytest.mark.slow
def test_every_answer_that_is_read_has_an_etag(ride: SmallRide) -> None:
    assert {*OF_DEVICES, *OF_CLOSED} < set(READ_ROUTES)
    phone = Client(headers={"Authorization": f"Bearer {create_device(ride.captain)[1]}"})
    program = make_program(ride.user)
    for route in (route for route in READ_ROUTES if route not in OF_CLOSED):
        check_etag(ride, route, phone if route in OF_DEVICES else program)
    close(ride)
    refresh(ride)
    compute_luck(ride.ids["yahtzee"])
    for route in OF_CLOSED:
        check_etag(ride, route, program)


def check_etag(ride: SmallRide, route: str, program: Client) -> None:
    """Check that a request with the ETag of the answer is answered with 304, and one with another ETag is not."""
    first = program.get(ride.get_url(route))
    assert first.status_code == 200, route

    again = program.get(ride.get_url(route), headers={"If-None-Match": first.headers["ETag"]})

    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", first.headers["ETag"]), route
    if route != "api:schema":  # everyone gets the same
        assert "Authorization" in first.headers["Vary"], route
        assert first.headers["Cache-Control"] in ("private, no-cache", "private, no-store"), route
    for other in ('"another"', "*" * 3, "")[: scaled(3, 1)]:
        assert program.get(ride.get_url(route), headers={"If-None-Match": other}).status_code == 200, route
