"""`?q=` on a leaderboard and on the page of an event: a plain form that finds only what is shown there."""

from __future__ import annotations

import re
import unicodedata

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings
from scorekeeper.bikes.models import Bike
from scorekeeper.common.search_text import MAX_KEPT
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import Player
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text

pytestmark = pytest.mark.database


@pytest.fixture(autouse=True)
def scored(tied_bikes, update_standings) -> None:
    """Bikes 1 to 3 lead with 24 points, bike 4 follows with 20."""
    update_standings()


@pytest.fixture
def board(ride: Ride) -> str:
    return reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])


@pytest.fixture
def event_page(ride: Ride) -> str:
    return reverse("results:event", args=[ride.event.slug])


def list_found(client: Client, url: str, text: str) -> list[str]:
    """Return the numbers of the bikes that were found, in order."""
    page = get_page_text(client.get(url, {"q": text})).split('id="found-rows"', 1)[1].split("<template", 1)[0]
    return re.findall(r"<b data-number>(.*?)</b>", page)


def get_found_text(client: Client, url: str, text: str) -> str:
    page = get_page_text(client.get(url, {"q": text})).split('id="found"', 1)[1].split("</section>", 1)[0]
    shown = re.sub(r"<p [^>]*\bhidden>.*?</p>|<span data-label-pinned hidden>.*?</span>", "", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", "", f"<x {shown}").split())


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("2", ["2"]),
        ("#2", ["2"]),
        ("２", ["2"]),
        ("zoe", ["2"]),
        ("ZOE ben", ["2"]),
        ("an", ["1", "4"]),
        ("dan", ["4"]),
        ("999", []),
        (".*", []),
    ],
)
def test_a_number_or_words_of_a_name_find_the_row(client: Client, board: str, text: str, numbers: list[str]) -> None:
    assert list_found(client, board, text) == numbers


def test_what_was_found_links_to_its_page_and_can_be_pinned(ride: Ride, client: Client, board: str) -> None:
    page = get_page_text(client.get(board, {"q": "dan"}))
    found = page.split('id="found-rows"', 1)[1].split("<template", 1)[0]

    href = reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[4].pk])
    assert f'href="{href}"' in found
    assert f'name="mine" value="{ride.bikes[4].pk}"' in found
    assert "This is my bike" in found
    assert 'value="dan"' in page, "what was typed is kept"
    assert "1 result for “dan”" in get_found_text(client, board, "dan")


def test_the_page_of_an_event_searches_all_its_contests(
    ride: Ride, client: Client, event_page: str, pig_tables
) -> None:
    text = get_found_text(client, event_page, "dan")

    assert "2 results for “dan”" in text
    assert text.index(ride.contest.name) < text.index(Contest.objects.exclude(pk=ride.contest.pk).get().name)


def test_nobody_found_says_how_to_go_on(client: Client, board: str, event_page: str) -> None:
    for url in (board, event_page):
        assert "Nobody is called “Quim”. Try the number on the bike." in get_found_text(client, url, "Quim")


@pytest.mark.parametrize(("shown", "texts"), [("initials", ["Ann", "Zoe"]), ("numbers", ["Ann", "Zoe", "A"])])
def test_nobody_is_found_by_what_is_not_shown(
    client: Client, board: str, event_page: str, shown: str, texts: list[str]
) -> None:
    Event.objects.update(people_shown=shown)

    assert [list_found(client, board, text) for text in texts] == [[] for _text in texts]
    assert [list_found(client, event_page, text) for text in texts] == [[] for _text in texts]
    assert list_found(client, board, "2") == ["2"]
    text = get_found_text(client, board, "Ann")
    assert ("This event shows no names. Try the number on the bike." in text) is (shown == "numbers")


@pytest.mark.parametrize("name", ["Ḍäñïéł O’Brien-Ǿst", "山田太郎", "محمد بن سلمان", "Жанна Агузарова", "Ελένη Σοφός"])
@pytest.mark.parametrize("form", ["NFC", "NFD", "upper", "lower"])
def test_every_name_is_found_by_itself(client: Client, board: str, name: str, form: str) -> None:
    Player.objects.filter(name="Cleo").update(name=name)
    typed = {"upper": name.upper(), "lower": name.lower()}.get(form) or unicodedata.normalize(
        "NFD" if form == "NFD" else "NFC", name
    )

    assert list_found(client, board, typed) == ["3"]


@pytest.mark.parametrize(
    "text", ["x" * 10_000, "é" * 10_000, "a b " * 2_500, "(((((" * 2_000, "\0\r\n<script>", "%s{}"]
)
def test_bad_input_is_answered_kindly(client: Client, board: str, event_page: str, text: str) -> None:
    for url in (board, event_page):
        response = client.get(url, {"q": text})
        page = response.content.decode()
        assert response.status_code == 200
        assert "<script>" not in page
        kept = re.search(r'name="q"[^>]*? value="([^"]*)"', page)
        assert kept is not None
        assert 0 < len(kept[1].replace("&lt;", "<").replace("&gt;", ">")) <= MAX_KEPT
        is_shortened = "Only the first 100 characters were searched." in get_found_text(client, url, text)
        assert is_shortened is (len(text) > 100)


def test_without_javascript_a_page_that_searches_stands_still(client: Client, board: str, event_page: str) -> None:
    for url in (board, event_page):
        assert 'http-equiv="refresh"' in get_page_text(client.get(url))
        assert 'http-equiv="refresh"' not in get_page_text(client.get(url, {"q": ""}))
        assert 'id="found" aria-labelledby="found-title" tabindex="-1" hidden' in get_page_text(
            client.get(url, {"q": ""})
        )


def test_a_long_list_says_that_there_are_more(ride: Ride, client: Client, board: str) -> None:
    made = Bike.objects.bulk_create([Bike(event=ride.event, number=100 + n) for n in range(40)])

    assert len(list_found(client, board, "1")) == 20
    assert "There are more. Type more of the name." in get_found_text(client, board, "1")
    assert list_found(client, board, "139") == ["139"]
    assert len(made) == 40


def test_a_frozen_leaderboard_finds_only_what_it_shows(ride: Ride, client: Client, board: str, event_page: str) -> None:
    freeze_standings(ride.event)
    Player.objects.create(
        event=ride.event,
        name="Latecomer",
        bike=Bike.objects.create(event=ride.event, number=77, group=ride.bikes[1].group),
    )

    for url in (board, event_page):
        assert list_found(client, url, "77") == []
        assert list_found(client, url, "latecomer") == []
        assert "1" in list_found(client, url, "1")


def test_the_pages_of_bikes_and_players_have_the_form_too(
    ride: Ride, client: Client, board: str, pig_contest: Contest, pig_tables
) -> None:
    player = Player.objects.get(name="Ann")
    pages = {
        board: reverse("results:bike", args=[ride.event.slug, ride.contest.slug, ride.bikes[1].pk]),
        reverse("results:leaderboard", args=[ride.event.slug, pig_contest.slug]): reverse(
            "results:seats", args=[ride.event.slug, pig_contest.slug, player.pk]
        ),
    }
    for leads_to, url in pages.items():
        page = get_page_text(client.get(url))
        assert f'role="search" method="get" action="{leads_to}#found"' in page
        assert "This is my bike" in get_visible_text(client.get(url))
        assert f'data-pin-form="{ride.bikes[1].pk}"' in page, "a player is pinned with the bike"
