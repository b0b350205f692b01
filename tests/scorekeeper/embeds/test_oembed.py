"""oEmbed: other sites make a frame of the address of one of our pages."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from pytest_django import Settings

from scorekeeper.events.models import Event
from scorekeeper.seasons.models import Season
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.embeds.conftest import change_event, get_board_url

pytestmark = pytest.mark.django_db

BASE = "https://rides.example.org"


@pytest.fixture(autouse=True)
def _public_address(settings: Settings) -> None:
    settings.BASE_URL = BASE


def ask(url: str | None, **parameters: str) -> Any:
    query = parameters if url is None else {"url": url, **parameters}
    return Client().get(f"/oembed?{urlencode(query)}")


def get_page(ride: Ride) -> str:
    return f"{BASE}/events/{ride.event.slug}/{ride.contest.slug}/"


def test_a_page_has_a_frame_with_what_the_specification_asks_for(ride: Ride) -> None:
    response = ask(get_page(ride))

    assert response.headers["Content-Type"] == "application/json"
    answer = json.loads(response.content)
    assert (answer["version"], answer["type"]) == ("1.0", "rich")
    assert answer["title"] == "R.O.C.K. Yahtzee, Rock the Roll"
    assert (answer["provider_name"], answer["provider_url"]) == ("Tailgunner", f"{BASE}/")
    assert (answer["width"], answer["height"]) == (600, 592)
    source = re.fullmatch(
        r'<iframe src="([^"]*)" title="R.O.C.K. Yahtzee, Rock the Roll" width="600" height="592" [^>]*></iframe>',
        answer["html"],
    )
    assert source is not None
    assert source[1] == BASE + get_board_url(ride)
    assert Client().get(source[1].removeprefix(BASE)).status_code == 200


def test_an_event_has_its_prizes_and_a_season_its_standings(ride: Ride, season: Season) -> None:
    for page in (f"/events/{ride.event.slug}/", f"/seasons/{season.slug}/"):
        assert f'src="{BASE}/embed{page}"' in json.loads(ask(BASE + page).content)["html"]


def test_a_frame_is_no_larger_than_asked_and_keeps_what_its_own_address_asks_for(ride: Ride) -> None:
    answer = json.loads(ask(get_page(ride), maxwidth="320", maxheight="200").content)
    assert (answer["width"], answer["height"]) == (320, 200)
    assert 'width="320" height="200"' in answer["html"]
    answer = json.loads(ask(get_page(ride), maxwidth="2000", maxheight="4000").content)
    assert (answer["width"], answer["height"]) == (600, 592)

    answer = json.loads(ask(f"{BASE}{get_board_url(ride)}?rows=3&theme=dark&lang=de&x=1").content)
    assert unescape(answer["html"]).startswith(f'<iframe src="{BASE}{get_board_url(ride)}?rows=3&theme=dark&lang=de"')


@pytest.mark.parametrize(
    "url",
    [
        "https://elsewhere.example/events/{event}/{contest}/",
        "https://rides.example.org.elsewhere.example/events/{event}/{contest}/",
        "https://rides.example.org@elsewhere.example/events/{event}/{contest}/",
        "https://rides.example.org:8443/events/{event}/{contest}/",
        "ftp://rides.example.org/events/{event}/{contest}/",
        "//rides.example.org/events/{event}/{contest}/",
        "/events/{event}/{contest}/",
        "https://[rides.example.org/events/{event}/{contest}/",
        BASE,
        f"{BASE}/",
        f"{BASE}/desk/events/{{event}}/",
        f"{BASE}/events/{{event}}/{{contest}}/export.csv",
        f"{BASE}/events/no-such-event/",
        f"{BASE}/seasons/no-such-season/",
        f"{BASE}/events/{{event}}/no-such-contest/",
        "nonsense",
    ],
)
def test_an_address_that_is_not_ours_or_has_no_frame_is_not_found(ride: Ride, url: str) -> None:
    response = ask(url.format(event=ride.event.slug, contest=ride.contest.slug))

    assert (response.status_code, response.headers["Content-Type"]) == (404, "text/plain; charset=utf-8")


def test_a_draft_is_not_found_and_an_unlisted_event_is(ride: Ride) -> None:
    change_event(ride.event, is_listed=False)
    assert ask(get_page(ride)).status_code == 200
    change_event(ride.event, state=Event.State.DRAFT)
    assert ask(get_page(ride)).content == ask(f"{BASE}/events/no-such-event/").content


def test_bad_questions_are_refused_in_a_line_of_text(ride: Ride) -> None:
    for parameters, status in (
        ({"format": "xml"}, 501),
        ({"format": "yaml"}, 501),
        ({"maxwidth": "wide"}, 400),
        ({"maxheight": "-1"}, 400),
        ({"maxwidth": "0"}, 400),
        ({"maxwidth": "9" * 5000}, 400),
    ):
        response = ask(get_page(ride), **parameters)
        assert (response.status_code, response.content.count(b"\n")) == (status, 1), parameters
    assert ask(None).status_code == 400


def test_pages_say_where_their_frame_and_their_feed_are(ride: Ride, season: Season) -> None:
    for path, feed in (
        (get_page(ride).removeprefix(BASE), "/feeds/results.atom"),
        (f"/events/{ride.event.slug}/", "/feeds/results.atom"),
        (f"/seasons/{season.slug}/", f"/seasons/{season.slug}/results.atom"),
    ):
        page = Client().get(path).content.decode()
        found = re.search(r'<link rel="alternate" type="application/json\+oembed" href="([^"]*)"', page)
        assert found is not None
        address = unescape(found[1])
        assert address.startswith(f"{BASE}/oembed?url=https%3A%2F%2Frides.example.org%2F")
        assert f'src="{BASE}/embed{path}"' in json.loads(Client().get(address.removeprefix(BASE)).content)["html"]
        assert f'<link rel="alternate" type="application/atom+xml" href="{feed}"' in page
        assert Client().get(feed).status_code == 200


def test_titles_and_addresses_are_escaped(ride: Ride) -> None:
    change_event(ride.event, name='"><script>alert(1)</script>')

    assert "<script" not in json.loads(ask(get_page(ride)).content)["html"]
