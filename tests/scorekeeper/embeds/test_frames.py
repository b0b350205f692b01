"""The pages that other sites show in frames: what is in them, who may frame them, and how much they weigh."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.bikes.models import Bike
from scorekeeper.common.rights_check import list_routes
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.embeds.framing import MAX_ROWS
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.rights import ANYBODY, ROUTES
from scorekeeper.seasons.models import Season, SeasonRound
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.embeds.conftest import change_event, get_board_url
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.prizes.conftest import AddPrize
from tests.scorekeeper.rights.small_ride import make_small_ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.django_db

AddTurn = Callable[..., Any]
MAX_BYTES = 30_000  # of a frame and all that it loads, compressed
FRAMED = {"embeds:board", "embeds:class_board", "embeds:prizes", "embeds:season"}
ROW = re.compile(r"<tr\b")


def record(ride: Ride, add_turn: AddTurn, update_standings: Callable[[], object], totals: Mapping[int, int]) -> None:
    for number, points in totals.items():
        add_turn(number, 1, make_paper_turn("chance", points))
    update_standings()


def publish(ride: Ride, desk: Actor) -> None:
    publish_contest(desk, uuid4(), ride.contest.pk, "all is decided")


def get(url: str, **headers: str) -> Any:
    return Client().get(url, headers=headers)


def test_the_board_has_the_first_places_and_links_that_open_beside_the_site(
    ride: Ride, add_turn: AddTurn, update_standings: Callable[[], object]
) -> None:
    record(ride, add_turn, update_standings, {1: 10, 2: 30, 3: 20})

    response = get(get_board_url(ride, "?rows=2"))

    page = get_page_text(response)
    assert re.findall(r">(\d)</a></th> <td>(\w+)", page) == [("2", "Ben"), ("3", "Cleo")]
    assert "The leaderboard with all 8 rows" in page
    links = re.findall(r"<a ([^>]*)>", page)
    assert len(links) == 4
    assert all('target="_blank" rel="noopener"' in link for link in links)
    for address in re.findall(r'href="(/events/[^"]*)"', page):
        assert get(address).status_code == 200, address


@pytest.mark.parametrize(
    ("rows", "shown"), [("1", 1), ("8", 8), ("0", 8), ("-3", 8), ("many", 8), ("99999999999", 8), ("", 8)]
)
def test_rows_that_cannot_be_are_the_usual_ones(
    ride: Ride, add_turn: AddTurn, update_standings: Callable[[], object], rows: str, shown: int
) -> None:
    record(ride, add_turn, update_standings, {1: 10})

    page = get_page_text(get(get_board_url(ride, f"?rows={rows}")))

    assert len(ROW.findall(page)) - 1 == shown


def test_the_language_is_that_of_the_event_or_of_the_address_and_of_no_reader(ride: Ride) -> None:
    change_event(ride.event, language="de")
    reader = Client(headers={"Accept-Language": "fr"})
    reader.cookies[django_settings.LANGUAGE_COOKIE_NAME] = "es"

    for query, language in (("", "de"), ("?lang=fr", "fr"), ("?lang=xx", "de")):
        response = reader.get(get_board_url(ride, query))
        assert response.headers["Content-Language"] == language
        assert f'<html lang="{language}"' in response.content.decode()
        assert response.content == get(get_board_url(ride, query)).content


def test_a_theme_can_be_asked_for(ride: Ride) -> None:
    for query, expected in (("?theme=dark", ' data-theme="night"'), ("?theme=light", ' data-theme="day"'), ("", "")):
        html = get_page_text(get(get_board_url(ride, query)))
        assert ("data-theme" in html) is bool(expected)
        assert expected.strip() in html


def test_a_frame_neither_sets_nor_reads_a_cookie(ride: Ride, alice: User, sign_in: SignIn) -> None:
    signed_in = sign_in(alice)
    for url in (get_board_url(ride), f"/embed/events/{ride.event.slug}/", "/embed/events/none/", "/embed/frame.js"):
        own, public = signed_in.get(url), get(url)
        assert own.content == public.content
        for response in (own, public):
            assert not response.cookies
            assert "Cookie" not in response.headers.get("Vary", "")


def test_only_the_pages_for_frames_may_be_framed() -> None:
    """Every route, to somebody without an account and to its organiser; the preview of a screen by our pages only."""
    ride = make_small_ride("Quokka")
    framable, own = set(), set()
    clients = (Client(), ride.get_desk(), ride.get_phone(ride.captain))
    for route in list_routes():
        if "GET" not in ROUTES[route]:
            continue
        for client in clients:
            headers = client.get(ride.get_url(route), ride.form_data).headers
            policy, frames = headers["Content-Security-Policy"], headers.get("X-Frame-Options")
            ancestors = re.findall(r"frame-ancestors ([^;]*)", policy)
            assert len(ancestors) == 1, route
            if ancestors[0] == "*":
                assert frames is None
                framable.add(route)
            elif ancestors[0] == "'self'":
                assert frames == "SAMEORIGIN"
                own.add(route)
            else:
                assert (ancestors[0], frames) == ("'none'", "DENY"), route

    assert framable == FRAMED
    assert own == {"live:preview"}
    assert all(ROUTES[route] == {"GET": ANYBODY, "HEAD": ANYBODY} for route in FRAMED)


def test_a_frame_has_no_form_and_its_policy_lets_it_load_only_its_own_files(ride: Ride) -> None:
    response = get(get_board_url(ride))

    page = response.content.decode()
    assert not re.search(r"<(form|button|input|img|iframe)\b|\bon\w+=|style=", page)
    policy = dict(part.split(" ", 1) for part in response.headers["Content-Security-Policy"].split("; "))
    assert policy == {
        **dict.fromkeys(("default-src", "base-uri", "form-action"), "'none'"),
        **dict.fromkeys(("script-src", "style-src", "connect-src"), "'self'"),
        "frame-ancestors": "*",
    }
    expected = {
        "Access-Control-Allow-Origin": "*",
        "Cross-Origin-Embedder-Policy": "require-corp",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex",
        "X-Content-Type-Options": "nosniff",
    }
    assert {name: response.headers[name] for name in expected} == expected


def list_loaded(page: bytes) -> list[str]:
    return re.findall(r'(?:<script src|<link rel="stylesheet" href)="([^"]*)"', page.decode())


def weigh(url: str) -> int:
    """Return the bytes of a page and of all that it loads, as they are sent."""
    page = get(url, **{"Accept-Encoding": "gzip"})
    assert page.headers["Content-Encoding"] == "gzip"
    loaded = list_loaded(gzip.decompress(page.content))
    assert len(loaded) == 2
    return len(page.content) + sum(len(get(one, **{"Accept-Encoding": "gzip"}).content) for one in loaded)


def test_a_frame_with_all_its_files_is_at_most_30_kb(
    ride: Ride, add_turn: AddTurn, update_standings: Callable[[], object], season: Season
) -> None:
    """The longest frame there can be: all rows that one may ask for, each with a long name."""
    bikes = Bike.objects.bulk_create(
        [Bike(event=ride.event, number=100 + at, group=ride.group_one) for at in range(MAX_ROWS)]
    )
    Player.objects.bulk_create(
        [
            Player(event=ride.event, bike=bike, name=f"Maximiliane {uuid4().hex} Oberhuber {at}")
            for at, bike in enumerate(bikes)
        ]
    )
    record(ride, add_turn, update_standings, {1: 10})

    url = get_board_url(ride, f"?rows={MAX_ROWS}")
    assert len(ROW.findall(get(url).content.decode())) - 1 == MAX_ROWS
    assert weigh(url) < MAX_BYTES
    assert weigh(f"/embed/seasons/{season.slug}/") < MAX_BYTES


def test_the_files_of_a_frame_may_be_loaded_from_anywhere_and_are_those_of_its_page(ride: Ride) -> None:
    for address in (*list_loaded(get(get_board_url(ride)).content), "/embed/embed.js"):
        response = get(address)
        assert response.status_code == 200
        assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert response.headers["X-Frame-Options"] == "DENY"
        again = get(address, **{"If-None-Match": response.headers["ETag"]})
        assert (again.status_code, again.headers["Cross-Origin-Resource-Policy"]) == (304, "cross-origin")
    css = get("/embed/frame.css").content.decode()
    assert "@font-face" not in css, "the typeface is larger than all the rest"
    assert "url(" not in css


def test_an_unchanged_board_is_not_sent_again_and_a_new_turn_is(
    ride: Ride, add_turn: AddTurn, update_standings: Callable[[], object]
) -> None:
    record(ride, add_turn, update_standings, {1: 10})
    first = get(get_board_url(ride))
    etag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "no-cache"
    unchanged = get(get_board_url(ride), **{"If-None-Match": etag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert "frame-ancestors *" in unchanged.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in unchanged.headers

    record(ride, add_turn, update_standings, {2: 30})

    changed = get(get_board_url(ride), **{"If-None-Match": etag})
    assert changed.status_code == 200
    assert "Ben" in get_page_text(changed)


def test_a_frozen_board_stays_as_it_is_until_the_reveal(
    ride: Ride,
    desk: Actor,
    add_turn: AddTurn,
    update_standings: Callable[[], object],
    close: Callable[[], object],
) -> None:
    record(ride, add_turn, update_standings, {1: 10, 2: 20})
    freeze_standings(ride.event)
    frozen = get(get_board_url(ride))
    assert "Standings frozen" in get_page_text(frozen)

    record(ride, add_turn, update_standings, {3: 30})
    close()
    publish(ride, desk)
    for _time in range(2):
        again = get(get_board_url(ride))
        assert (again.content, again.headers["ETag"]) == (frozen.content, frozen.headers["ETag"])

    start_reveal(ride.event, list(Contest.objects.filter(pk=ride.contest.pk)))
    reveal_to_step(ride.event, 1)
    revealed = get(get_board_url(ride))
    assert revealed.content != frozen.content
    lift_freeze(ride.event)
    assert re.findall(r">(\d)</a></th>", get_page_text(get(get_board_url(ride))))[0] == "3"
    assert "Official, revision 1" in get_page_text(get(get_board_url(ride)))


def test_chances_to_win_are_not_in_a_frame(
    ride: Ride, add_turn: AddTurn, update_standings: Callable[[], object]
) -> None:
    Contest.objects.update(odds_shown=Contest.OddsShown.COACH)
    record(ride, add_turn, update_standings, {1: 10, 2: 20})

    assert "hance" not in get_visible_text(get(get_board_url(ride))).replace("Chance", "")


def test_prizes_are_shown_once_they_are_published_and_not_while_they_are_withheld(
    ride: Ride,
    desk: Actor,
    add: AddPrize,
    add_turn: AddTurn,
    update_standings: Callable[[], object],
    close: Callable[[], object],
) -> None:
    url = f"/embed/events/{ride.event.slug}/"
    add("place", place=1, name="The cup", sponsor="Ozweld's")
    record(ride, add_turn, update_standings, {1: 10, 2: 20})
    before = get(url)
    assert "The prizes are here once the results are official." in get_page_text(before)
    freeze_standings(ride.event)
    close()
    publish(ride, desk)
    assert get(url).content == before.content

    lift_freeze(ride.event)

    text = get_visible_text(get(url))
    assert "The cup" in text
    assert "Given by Ozweld's" in text
    assert "Bike 2 (Ben, Zoe)" in text


def test_a_season_shows_its_standings(first_round: SeasonRound) -> None:
    season = first_round.season

    page = get_page_text(get(f"/embed/seasons/{season.slug}/?rows=2"))

    assert re.findall(r"<td>(\w+)</td> <th scope=\"row\"><a [^>]*>([^<]*)</a></th> <td>(\d+)</td>", page) == [
        ("1", "Bike 1 (Ann)", "10"),
        ("2", "Bike 2 (Ben, Zoe)", "6"),
    ]
    assert "The season with all 3 riders" in page


def test_a_season_withholds_a_result_during_a_freeze(first_round: SeasonRound) -> None:
    url = f"/embed/seasons/{first_round.season.slug}/"
    freeze_standings(first_round.contest.event)

    assert "Bike 1" not in get_page_text(get(url))


def test_hidden_and_unknown_events_answer_as_their_public_pages_do_in_a_page_that_can_be_framed(
    ride: Ride, alice: User
) -> None:
    board, prizes = get_board_url(ride), f"/embed/events/{ride.event.slug}/"
    change_event(ride.event, is_listed=False)
    assert [get(url).status_code for url in (board, prizes)] == [200, 200]
    change_event(ride.event, state=Event.State.DRAFT)
    for url in (board, prizes, "/embed/events/no-such-ride/", "/embed/seasons/none/"):
        response = get(url)
        assert (response.status_code, get(url.removeprefix("/embed")).status_code) == (404, 404)
        assert "There is no public table at this address." in get_page_text(response)
        assert "frame-ancestors *" in response.headers["Content-Security-Policy"]
        assert "X-Frame-Options" not in response.headers
        assert "Rock the Roll" not in get_page_text(response)


def test_a_deleted_event_says_so(alice: User, db: None) -> None:
    event = Event.objects.create(name="Short run", slug="short-run", date="2026-06-20", state=Event.State.OPEN)
    delete_event(event)

    response = get("/embed/events/short-run/")

    assert response.status_code == get("/events/short-run/").status_code == 410
    assert "has been deleted" in get_page_text(response)
    assert "X-Frame-Options" not in response.headers


def test_a_practice_is_marked_as_one(ride: Ride) -> None:
    change_event(ride.event, is_practice=True)
    assert "Practice: nothing here counts" in get_page_text(get(get_board_url(ride)))
    assert "<title>Practice · " in get_page_text(get(f"/embed/events/{ride.event.slug}/"))


def test_a_name_that_looks_like_a_script_is_text(ride: Ride) -> None:
    change_event(ride.event, name="<script>alert(1)</script>")
    assert "<script>alert" not in get(get_board_url(ride)).content.decode()


def test_without_javascript_an_open_board_loads_itself_again(ride: Ride, settings: Settings) -> None:
    assert '<noscript><meta http-equiv="refresh" content="20"></noscript>' in get_page_text(get(get_board_url(ride)))
