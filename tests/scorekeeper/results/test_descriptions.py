"""What search engines and previews of links say about public pages."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from scorekeeper.common.rights_check import list_routes
from scorekeeper.events.models import Contest, Event
from scorekeeper.rights import ANYBODY, ROUTES
from tests.scorekeeper.rights.small_ride import SmallRide, enable_authority_pages, make_small_ride

pytestmark = pytest.mark.django_db
MAX_LENGTH = 200  # characters; search engines cut off what is longer
# The frames of other sites
NEVER_FOUND = {"embeds:board", "embeds:class_board", "embeds:prizes", "embeds:season"}
PREVIEWED = ("results:event", "results:route", "results:leaderboard", "results:bike", "results:seats")


class MetaTags(HTMLParser):
    """The content of each meta tag of a page, by its name or property."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.contents: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = values.get("name") or values.get("property")
        if tag == "meta" and name:
            assert name not in self.contents, f"twice: {name}"
            self.contents[name] = values.get("content") or ""


@pytest.fixture
def ride(settings: Settings, tmp_path: Path) -> SmallRide:
    """A ride on a server with all optional pages enabled."""
    enable_authority_pages(settings, tmp_path)
    return make_small_ride("Quokka")


def list_public_pages(ride: SmallRide) -> dict[str, MetaTags]:
    """Return the tags of all pages that anybody can open and search engines may list, by route."""
    pages = {}
    for route in list_routes():
        if ROUTES[route].get("GET") is ANYBODY and route not in NEVER_FOUND:
            response = Client().get(ride.get_url(route))
            if response.status_code == 200 and response.headers["Content-Type"].startswith("text/html"):
                pages[route] = MetaTags(response.content.decode())
    return pages


@pytest.mark.slow
def test_every_public_page_has_a_description_of_its_own_and_results_a_preview(ride: SmallRide) -> None:
    pages = list_public_pages(ride)
    descriptions = {route: tags.contents.get("description", "") for route, tags in pages.items()}

    assert {*PREVIEWED, "results:home", "live:screen", "rulebooks:list", "rulebooks:book", "trust"} <= set(pages)
    assert {route: text for route, text in descriptions.items() if not 40 <= len(text) <= MAX_LENGTH} == {}
    of_crew = {route for route in pages if route.startswith(("crew:", "offline:"))}
    own = [text for route, text in descriptions.items() if route not in of_crew]
    assert len(set(own)) == len(own)
    assert len({descriptions[route] for route in of_crew}) == 1
    for route in PREVIEWED:
        tags = pages[route].contents
        assert tags["og:description"] == tags["description"]
        assert tags["og:url"] == f"http://testserver{ride.get_url(route)}"
        assert tags["og:site_name"] == "Tailgunner"
        assert tags["og:title"]
        assert "Quokka ride" in tags["description"]


def test_names_are_escaped_once(ride: SmallRide) -> None:
    name = 'Fish & "Chips" <b>'
    Event.objects.filter(slug=ride.slugs["event"]).update(name=name)
    Contest.objects.filter(event__slug=ride.slugs["event"]).update(name=name)

    for route in PREVIEWED:
        tags = MetaTags(Client().get(ride.get_url(route)).content.decode()).contents
        assert name in tags["description"]
        assert "&amp;" not in tags["og:description"]
