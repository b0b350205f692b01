"""A poker run from the empty page to the official result: a card at each of three stops, and one for sale at the end.

Four bikes, of which the last misses a stop. Their hands, by hand:

    12  K♠ K♥ 9♦, buys 9♠           two pairs, K-K-9-9
    17  A♣ 3♦ 2♥                    high card, A-3-2
    21  K♦ K♣ 4♠                    pair, K-K-4
    30  Q♠ Q♥, finale missed        pair, Q-Q
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import crew, desk
from tests.browser.measure import DESK, get_box, list_page_problems
from tests.browser.organiser import Organiser
from tests.browser.results import StandingsRow, read_board
from tests.browser.running_server import RunningServer
from tests.browser.site_walk import MEASURED_BY, get_route
from tests.demo_data import DemoRide

ROSTER = """\
number;rider;passenger;make;model;group
12;Ann Miller;;Honda;Rebel;Group one
17;Ben Novak;Zoe Novak;BMW;R 18;Group one
21;Cleo Hart;;Indian;Scout;Group one
30;Dan West;;Triumph;T120;Group one
"""
PASSWORD = "forty miles of gravel"
STOPS = ("Mill", "Bridge", "Finale")
CARDS = {
    "Mill": {"12": "KS", "17": "AC", "21": "KD", "30": "QS"},
    "Bridge": {"12": "KH", "17": "3D", "21": "KC", "30": "QH"},
    "Finale": {"12": "9D", "17": "2H", "21": "4S"},
}
PHONE_HEIGHT = 640


def test_a_poker_run_is_set_up_recorded_sold_closed_and_published(
    server: RunningServer, new_context: Callable[..., BrowserContext]
) -> None:
    server.add_organiser("olive", PASSWORD)
    alice = new_context(viewport=DESK, timezone_id="Europe/Berlin").new_page()
    desk.sign_in(alice, "olive", PASSWORD)
    home = _create_event(alice)
    organiser = Organiser(Organiser.sign_in(server.url, "olive", PASSWORD), DemoRide(home, ""))
    organiser.set_up("poker-run", STOPS, ROSTER, extra=1)
    board = new_context(viewport=DESK).new_page()
    alice.goto(home)
    board.goto(alice.get_by_label("Share link").input_value())
    board.get_by_role("link", name="Poker run", exact=True).click()
    rita = new_context(viewport={"width": 360, "height": PHONE_HEIGHT}, has_touch=True).new_page()
    crew.join(rita, alice, home, "Rita")

    for stop in STOPS:
        for bike, card in CARDS[stop].items():
            crew.go_to_stop(rita, stop)
            crew.open_bike(rita, bike)
            _expect_pad_without_scrolling(rita)
            _record_card(rita, card)
    expect(rita.locator(".turn-result")).to_contain_text("Pair, K-K-4")
    _look(rita, "result")
    _sell_a_card(rita, alice, home)
    crew.go_to_stop(rita, "Finale")
    _look(rita, "group")

    expect(board.locator("#board-rows tr", has_text="Two pairs")).to_be_visible(timeout=25_000)
    _look(board, "board")
    board.set_viewport_size({"width": 360, "height": PHONE_HEIGHT})
    assert board.evaluate("document.documentElement.scrollWidth") == 360
    board.set_viewport_size(DESK)
    assert read_board(board) == [
        StandingsRow("1", "12", "Two pairs, K-K-9-9"),
        StandingsRow("2", "21", "Pair, K-K-4"),
        StandingsRow("3", "30", "Pair, Q-Q"),
        StandingsRow("4", "17", "High card, A-3-2"),
    ]

    _close(alice, home)
    alice.get_by_role("link", name="Publish results").first.click()
    expect(alice.locator("table", has_text="Two pairs, K-K-9-9")).to_be_visible()
    _look(alice, "publish")
    alice.get_by_role("button", name="Publish results").click()
    expect(alice.get_by_text("The results of Poker run are official.")).to_be_visible()

    board.reload()
    expect(board.locator("#board-head .badge")).to_have_text(re.compile(r"Official, revision 1"))
    with board.expect_download() as download:
        board.get_by_role("link", name="Standings, CSV").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text(encoding="utf-8-sig"))))
    assert {row["Bike"]: row["Hand"] for row in rows}["12"] == "Two pairs, K-K-9-9"
    assert rows[0]["Hand, as a number"].isdigit()
    board.locator("tbody th").get_by_role("link", name="12", exact=True).click()
    expect(board.locator(".scorecard__grand td").last).to_have_text("Two pairs, K-K-9-9")
    expect(board.get_by_text("king of spades").first).to_be_attached()
    _look(board, "bike")
    screen = new_context(viewport={"width": 1920, "height": 1080}).new_page()
    screen.goto(f"/events/{home.strip('/').split('/')[-1]}/screen")
    expect(screen.get_by_text("Two pairs, K-K-9-9").first).to_be_visible(timeout=25_000)
    _look(screen, "screen")


@pytest.mark.parametrize("width", [360, 320])
def test_three_cards_a_turn_two_jokers_and_cards_on_sale_fit_a_small_phone(
    server: RunningServer, new_context: Callable[..., BrowserContext], width: int
) -> None:
    """Of the pages on which cards are tapped and sold, every button is on the screen without scrolling."""
    name = f"alice{width}"
    server.add_organiser(name, PASSWORD)
    alice = new_context(viewport=DESK).new_page()
    desk.sign_in(alice, name, PASSWORD)
    home = _create_event(alice)
    organiser = Organiser(Organiser.sign_in(server.url, name, PASSWORD), DemoRide(home, ""))
    organiser.set_up("poker-run", STOPS, ROSTER, cards=3, jokers=2, extra=2)
    rita = new_context(viewport={"width": width, "height": PHONE_HEIGHT}, has_touch=True).new_page()
    crew.join(rita, alice, home, "Rita")

    for stop, cards in (("Mill", "KS 10D JOKER"), ("Bridge", "QH 10H JOKER"), ("Finale", "2C 3C 4C")):
        crew.go_to_stop(rita, stop)
        crew.open_bike(rita, "12")
        _expect_all_on_the_screen(rita, f"empty-{width}")
        for number, card in enumerate(cards.split(), 1):
            rita.locator(".card-pad__key", has=rita.locator("input[value='10']")).click()
            _expect_all_on_the_screen(rita, f"tens-{stop}-{number}-{width}")
            _tap_card(rita, card)
            expect(rita.locator("#entry .playing-card").nth(number - 1)).to_be_visible()
        _expect_all_on_the_screen(rita, f"full-{stop}-{width}")
        rita.locator("button.box").click()
        expect(rita.locator(".turn-result")).to_be_visible()
        _look(rita, f"result-{stop}-{width}")

    crew.go_to_stop(rita, "Finale")
    crew.get_bike_link(rita, "12").click()
    rita.get_by_role("link", name="Buy a card").click()
    expect(rita.get_by_text("Extra card 1 of 2")).to_be_visible()
    _expect_all_on_the_screen(rita, f"sale-{width}")
    rita.locator(".card-pad__key", has=rita.locator("input[value='K']")).click()
    _expect_all_on_the_screen(rita, f"sale-king-{width}")
    _tap_card(rita, "KD")
    expect(rita.locator("button.box")).to_be_visible()
    _expect_all_on_the_screen(rita, f"sale-record-{width}")


def _expect_all_on_the_screen(phone: Page, name: str) -> None:
    """Nothing that can be tapped is below the screen or beside it."""
    _look(phone, name)
    outside = phone.evaluate(
        """() => [...document.querySelectorAll("main :is(a, button, label)")].filter((one) => {
          const box = one.getBoundingClientRect();
          return box.height && (box.bottom > innerHeight || box.right > innerWidth);
        }).map((one) => one.innerText)"""
    )
    assert outside == [], name


def _create_event(alice: Page) -> str:
    alice.get_by_role("link", name="New event").first.click()
    alice.get_by_label("Name", exact=True).fill("Three Stop Run")
    alice.get_by_role("button", name="Create the event").click()
    return re.sub(r"^https?://[^/]+|(?<=/events/)([^/]+)/.*$", r"\1", alice.url).rstrip("/") + "/"


def _tap_card(phone: Page, card: str) -> None:
    if card != "JOKER":
        phone.locator(".card-pad__key", has=phone.locator(f"input[value='{card[:-1]}']")).click()
    phone.locator(f"[data-card-pad] button[value='{card}']").click()


def _record_card(phone: Page, card: str) -> None:
    _tap_card(phone, card)
    phone.locator("button.box").click()
    expect(phone.locator(".turn-result")).to_be_visible()


def _expect_pad_without_scrolling(phone: Page) -> None:
    """Every rank, and the suits of each, are on the screen and large enough."""
    keys = phone.locator(".card-pad__key")
    expect(keys).to_have_count(13)
    first = get_box(keys.first)
    assert first["width"] >= 48
    assert first["height"] >= 48
    keys.last.click()
    suits = phone.locator("[data-card-pad] button:visible")
    expect(suits).to_have_count(4)
    _look(phone, "pad")
    lowest = get_box(phone.locator("#back"))
    assert lowest["y"] + lowest["height"] <= PHONE_HEIGHT
    assert all(get_box(suit)["height"] >= 64 for suit in suits.all())
    assert not phone.evaluate("document.documentElement.scrollHeight > innerHeight")


def _measure(rita: Page, alice: Page, home: str) -> None:
    """Measure the page that sells a card, on the phone and at the desk."""
    alice.goto(f"{home}cards/")
    alice.get_by_role("link", name=re.compile("^12")).first.click()
    alice.get_by_role("link", name="Buy a card").click()
    problems: list[str] = []
    measured = set()
    for page in (rita, alice):
        problems += list_page_problems(page)
        measured.add(get_route(urlsplit(page.url).path))
    assert problems == []
    assert measured == MEASURED_BY["test_poker_run.py"]


def _sell_a_card(rita: Page, alice: Page, home: str) -> None:
    crew.go_to_stop(rita, "Finale")
    crew.get_bike_link(rita, "12").click()
    rita.get_by_role("link", name="Buy a card").click()
    expect(rita.get_by_text("Extra card 1 of 1")).to_be_visible()
    _measure(rita, alice, home)
    held = rita.locator("[data-card-pad] button[value='KS']")
    rita.locator(".card-pad__key", has=rita.locator("input[value='K']")).click()
    expect(held).to_be_disabled()
    expect(held).to_contain_text("already in this hand")
    _look(rita, "held")
    _tap_card(rita, "9S")
    expect(rita.locator("button.box")).to_contain_text("Two pairs, K-K-9-9")
    _look(rita, "bought")
    rita.locator("button.box").click()
    result = rita.locator(".turn-result")
    expect(result).to_contain_text("Card bought")
    expect(result).to_contain_text("Two pairs, K-K-9-9")
    _look(rita, "sold")
    rita.get_by_role("button", name="Undo").click()
    expect(rita.get_by_text("Undone. The card is not bought.")).to_be_visible()
    rita.locator("button.box").click()
    expect(result).to_contain_text("Card bought")
    _look(rita, "sold-again")
    rita.goto(rita.url.replace("/?", "/history/?"))
    expect(rita.get_by_text(re.compile("9♠ was bought: recorded by Rita"))).to_be_visible()
    _look(rita, "history")


def _close(alice: Page, home: str) -> None:
    alice.goto(home)
    alice.get_by_role("link", name="Close and publish").click()
    alice.get_by_role("link", name="Close the contest").click()
    alice.get_by_role("button", name="Close the contest").click()


def _look(page: Page, name: str) -> None:
    if "LOOK" in os.environ:
        page.screenshot(path=Path(os.environ["LOOK"]) / f"{name}.png")
