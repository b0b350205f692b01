"""Every page and every file of a practice event says that it is a practice."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from scorekeeper.common.rights_check import list_routes
from scorekeeper.events.models import Contest, Event
from scorekeeper.rights import ROUTES, Role
from tests.faults.scale import FULL
from tests.scorekeeper.rights.small_ride import SmallRide, enable_authority_pages, make_small_ride

pytestmark = pytest.mark.django_db

# A hidden band does not count.
BAND = re.compile(
    r'<p class="practice-band" data-practice-band data-title="Practice · ">\s*Practice: nothing here counts'
)
TITLE = re.compile(r"<title>\s*Practice · ")
# Pages that belong to no event, or that are the same for everyone: on the latter, the phone's script shows the band.
OF_NO_EVENT = {
    *("trust", "healthz", "readyz", "metrics", "authority"),
    *("results:home", "rulebooks:list", "rulebooks:book"),
    *("events:sign_in", "events:welcome", "events:new_password", "events:account", "events:sign_out_everywhere"),
    *("events:list", "events:create", "desk:copy", "events:access_tokens", "events:revoke_access_token"),
    *("events:passkeys", "events:add_passkey", "events:create_passkey", "events:sign_in_passkey"),
    *("events:rename_passkey", "events:remove_passkey"),
    "api:reference",
    # A season has no practice events.
    *("seasons:season", "seasons:rider", "seasons:list", "seasons:create", "seasons:overview", "seasons:edit"),
    *("seasons:delete", "seasons:merge", "seasons:link", "seasons:remove_round"),
    *("embeds:season", "embeds:season_snippets"),
}
SAME_FOR_EVERYONE = {"crew:open_link", "offline:shell", "offline:ready", "offline:swap", "offline:plain"}
LAYOUTS = ("base.html", "alone.html")
CSV_FILES = ("export.csv", "cards.csv", "stops.csv", "log.csv")


@pytest.fixture
def ride(settings: Settings, tmp_path: Path) -> SmallRide:
    """A practice event, with an object of every kind, and coached, so that the parts with values are there."""
    enable_authority_pages(settings, tmp_path)
    ride = make_small_ride("Quokka", is_practice=True)
    Contest.objects.update(odds_shown=Contest.OddsShown.COACH)
    return ride


def choose_client(route: str) -> str:
    """Return who opens a page: a name of the clients in `list_pages`."""
    role = ROUTES[route].get("GET")
    if route == "crew:switch" or role in (Role.CREW, Role.FORMER_CREW, Role.ROAD_CAPTAIN):
        return "phone"
    if route == "live:television":
        return "television"
    return "nobody" if role is Role.ANYBODY else "desk"


def list_pages(ride: SmallRide, only: Collection[str] | None = None) -> Iterator[tuple[str, Any]]:
    """Yield the route and the response of every page of the event that is a whole HTML page.

    Args:
        only: these routes; None for all.
    """
    clients = {
        "phone": ride.get_phone(ride.captain),
        "television": ride.get_television(),
        "nobody": Client(),
        "desk": ride.get_desk(),
    }
    for route in list_routes():
        if only is not None and route not in only:
            continue
        if ROUTES[route].get("GET") in (None, Role.MONITOR) or route in OF_NO_EVENT:
            continue
        response = clients[choose_client(route)].get(ride.get_url(route), ride.form_data, follow=True)
        is_page = response.headers.get("Content-Type", "").startswith("text/html") and not response.streaming
        if is_page and b"<html" in response.content:
            yield route, response


def choose_routes() -> Collection[str]:
    """Return the routes whose pages are opened: in a short run, of each app three for each who opens its pages."""
    chosen: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for route in list_routes():
        chosen[route.partition(":")[0], choose_client(route)].append(route)
    return SAME_FOR_EVERYONE | {route for routes in chosen.values() for route in (routes if FULL else routes[:3])}


@pytest.mark.slow
def test_every_page_has_the_band_and_the_title(ride: SmallRide) -> None:
    pages = dict(list_pages(ride, choose_routes()))
    without = [
        route
        for route, response in pages.items()
        if route not in SAME_FOR_EVERYONE
        and not (BAND.search(response.content.decode()) and TITLE.search(response.content.decode()))
    ]

    assert len(pages) > (70 if FULL else 30)
    assert without == []
    for route in SAME_FOR_EVERYONE:
        assert "data-practice-band" in pages[route].content.decode()

    Event.objects.update(is_practice=False)
    by_layout = {get_layout(response): route for route, response in pages.items()}
    assert len(by_layout) > 3
    shown = dict(list_pages(ride, None if FULL else by_layout.values()))
    assert len(shown) == len(pages if FULL else by_layout)
    assert [route for route, response in shown.items() if BAND.search(response.content.decode())] == [], "of a ride"


def get_layout(response: Any) -> frozenset[str]:
    """Return the templates that a page extends, or its own. In a short run, one page of each layout stands for all."""
    names = [template.name or "" for template in response.templates]
    return frozenset(name for name in names if name.endswith(LAYOUTS)) or frozenset(names[:1])


def test_refusals_that_show_a_form_again_have_the_band(ride: SmallRide) -> None:
    for route, status in (("events:edit", 409), ("players:add_bike", 422), ("desk:practice_play", 422)):
        response = ride.get_desk().post(ride.get_url(route), {"name": ""})

        assert response.status_code == status
        assert BAND.search(response.content.decode()), route


def get_files(ride: SmallRide) -> Mapping[str, Any]:
    desk, base = ride.get_desk(), ride.get_url("results:desk_export").removesuffix("export.csv")
    return {name: desk.get(f"{base}{name}") for name in (*CSV_FILES, "export.xlsx", "export.json")}


def read(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def test_every_file_says_so_in_its_name_and_in_every_row(ride: SmallRide) -> None:
    files = get_files(ride)

    for name, response in files.items():
        assert f'filename="practice-{ride.slugs["event"]}' in response.headers["Content-Disposition"], name
    for name in CSV_FILES:
        heading, *rows = read(files[name]).decode().removeprefix("\ufeff").splitlines()
        assert heading.startswith("Practice,"), name
        assert rows
        assert all(row.startswith("Practice,") for row in rows), name
    assert json.loads(read(files["export.json"]))["event"]["practice"] is True
    with zipfile.ZipFile(io.BytesIO(read(files["export.xlsx"]))) as book:
        assert b"Practice" in book.read("docProps/core.xml")
        for sheet in (1, 2, 3):
            assert b"Practice" in book.read(f"xl/worksheets/sheet{sheet}.xml")


def test_no_file_of_a_ride_does(ride: SmallRide) -> None:
    Event.objects.update(is_practice=False)

    for name, response in get_files(ride).items():
        assert "practice" not in response.headers["Content-Disposition"], name
        assert b"ractice" not in read(response), name
