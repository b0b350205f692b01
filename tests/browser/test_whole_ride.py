"""A ride from the empty page to the prize, as an organiser and a road captain experience it.

The organiser fills in most of the forms that set it up over HTTP; `test_ready_in_sixty.py` does all of it in a browser.

The ride is small: two stops with a turn each, three bikes of a roster and one that turns up. Its totals, by hand:

    12  Mill 64515 chance 21, finale missed                                       21
    17  Mill 22416, keep 22, 243 three of a kind 13, finale 23456 large straight  53
    21  Mill 66665 four of a kind 29, finale 66642 chance 24                      53
    30  Mill 11111 Yahtzee 50, finale missed                                      50
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import crew, desk
from tests.browser.measure import DESK
from tests.browser.organiser import Organiser
from tests.browser.results import StandingsRow, read_board, read_csv, read_json
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide

ROSTER = """\
number;rider;passenger;make;model;group
12;Ann Miller;;Honda;Rebel;Group one
17;Ben Novak;Zoe Novak;BMW;R 18;Group one
21;Cleo Hart;;Indian;Scout;Group one
"""
PASSWORD = "forty miles of gravel"
AWAY = 25_000  # milliseconds in which an open leaderboard has certainly polled again


def test_a_ride_is_set_up_recorded_closed_cut_published_and_downloaded(
    server: RunningServer, new_context: Callable[..., BrowserContext]
) -> None:
    server.add_organiser("alice", PASSWORD)
    alice = new_context(viewport=DESK, timezone_id="Europe/Berlin").new_page()
    desk.sign_in(alice, "alice", PASSWORD)
    home = _create_event(alice)
    organiser = Organiser(Organiser.sign_in(server.url, "alice", PASSWORD), DemoRide(home, ""))
    organiser.set_up("rock-yahtzee", ("Mill", "Finale"), ROSTER)
    assert "Two Stop Run is open." in organiser.page.text
    board = new_context(viewport=DESK).new_page()
    _open_board(alice, board, home)
    rita = new_context(has_touch=True).new_page()
    crew.join(rita, alice, home, "Rita")

    _record_at_the_mill(rita)
    expect(board.locator("tbody tr")).to_have_count(4, timeout=AWAY)
    _record_at_the_finale(rita)
    expect(board.locator("#board-rows tr", has_text="2/2")).to_have_count(2, timeout=AWAY)
    assert read_board(board) == [
        StandingsRow("1=", "17", "53"),
        StandingsRow("1=", "21", "53"),
        StandingsRow("3", "30", "50"),
        StandingsRow("4", "12", "21"),
    ]
    expect(board.locator("#board-head .badge")).to_contain_text("Unofficial")

    _close(alice, home)
    _cut(alice, {"17": "Queen", "21": "Queen"}, "Spades", "Hearts")
    expect(alice.get_by_role("heading", name="tied again")).to_be_visible()
    _cut(alice, {"17": "7", "21": "King"}, "Diamonds", "Clubs")
    alice.get_by_role("link", name="Continue to publishing").click()
    _publish(alice)

    board.reload()
    expect(board.locator("#board-head .badge")).to_have_text(re.compile(r"Official, revision 1, (.+, )?\d\d:\d\d"))
    official = [
        StandingsRow("1", "21", "53"),
        StandingsRow("2", "17", "53"),
        StandingsRow("3", "30", "50"),
        StandingsRow("4", "12", "21"),
    ]
    assert read_board(board) == official
    expect(board.locator("tr", has_text="Cleo Hart").locator("small")).to_have_text(
        "Cut cards: queen of hearts, then king of clubs"
    )
    assert read_csv(_download(board, "Standings, CSV")) == official
    assert read_json(_download(board, "For programs, JSON")) == official
    for row in official:
        board.locator("tbody th").get_by_role("link", name=row.bike, exact=True).click()
        expect(board.locator(".scorecard__grand td").last).to_have_text(row.total)
        board.go_back()
    cards = list(csv.DictReader(io.StringIO(_download(board, "Scorecards, CSV"))))
    assert {card["Bike"]: card["Grand total"] for card in cards} == {row.bike: row.total for row in official}


def _create_event(alice: Page) -> str:
    alice.get_by_role("link", name="New event").first.click()
    alice.get_by_label("Name", exact=True).fill("Two Stop Run")
    expect(alice.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    alice.get_by_label("Time zone").fill("America/Edmonton")
    alice.get_by_role("button", name="Create the event").click()
    return re.sub(r"^https?://[^/]+|(?<=/events/)([^/]+)/.*$", r"\1", alice.url).rstrip("/") + "/"


def _open_board(alice: Page, board: Page, home: str) -> None:
    alice.goto(home)
    board.goto(alice.get_by_label("Share link").input_value())
    board.get_by_role("link", name="R.O.C.K. Yahtzee", exact=True).click()
    expect(board.get_by_role("heading", name="R.O.C.K. Yahtzee")).to_be_visible()


def _record_at_the_mill(rita: Page) -> None:
    crew.go_to_stop(rita, "Mill")
    crew.open_bike(rita, "12")
    assert crew.count_taps(rita, lambda: crew.record_turn(rita, "64515", "Chance")) == 6
    expect(rita.locator(".turn-result")).to_contain_text("Chance 21 points Bike 12, Ann Miller, at Mill")
    rita.locator("#next").click()
    expect(rita.locator("h1")).to_contain_text("Ben Novak and Zoe Novak")
    crew.choose_input_method(rita, "Roll by roll")
    crew.tap_dice(rita, "22416")
    for place in (0, 1):
        rita.locator(".place--toggle").nth(place).tap()
    crew.get_again_button(rita).tap()
    expect(rita.locator(".place--held")).to_have_count(2)
    crew.tap_dice(rita, "243")
    crew.record_in_box(rita, "Three of a kind")
    expect(rita.locator(".turn-result")).to_contain_text("Three of a kind 13 points")
    rita.locator("#next").click()
    crew.record_turn(rita, "66665", "Sixes")
    rita.get_by_role("button", name="Undo").click()
    expect(rita.get_by_text("Undone. Mill is empty again.")).to_be_visible()
    crew.record_in_box(rita, "Four of a kind")
    rita.get_by_role("link", name="All bikes: 3 of 3 played").click()
    rita.get_by_role("link", name="Add a walk-up bike").last.click()
    rita.get_by_label("Number").fill("30")
    rita.get_by_label("Rider").fill("Dan West")
    rita.get_by_role("button", name="Add the bike").click()
    crew.record_turn(rita, "11111", "Yahtzee")


def _record_at_the_finale(rita: Page) -> None:
    for bike, dice, box in (("17", "23456", "Large straight"), ("21", "66642", "Chance")):
        crew.go_to_stop(rita, "Finale")
        crew.open_bike(rita, bike)
        crew.record_turn(rita, dice, box)


def _close(alice: Page, home: str) -> None:
    alice.goto(home)
    alice.get_by_role("link", name="Close and publish").click()
    alice.get_by_role("link", name="Close the contest").click()
    expect(alice.get_by_text("2 bikes have turns missing", exact=True)).to_be_visible()
    alice.get_by_role("button", name="Close the contest").click()
    alice.get_by_role("link", name="Enter the cards").click()


def _cut(alice: Page, ranks: dict[str, str], *suits: str) -> None:
    for (bike, rank), suit in zip(ranks.items(), suits, strict=True):
        seat = alice.get_by_role("group", name=bike)
        seat.get_by_label("Card").select_option(label=rank)
        seat.get_by_label("Suit").select_option(label=suit)
    alice.get_by_label("Witness").first.fill("Wim Watcher")
    alice.get_by_role("button", name="Record cards").click()


def _publish(alice: Page) -> None:
    alice.get_by_role("link", name="Publish results").click()
    expect(alice.get_by_role("heading", level=1)).to_contain_text("as revision 1?")
    alice.get_by_role("button", name="Publish results").click()
    expect(alice.get_by_text("The results of R.O.C.K. Yahtzee are official.")).to_be_visible()


def _download(board: Page, name: str) -> str:
    with board.expect_download() as download:
        board.get_by_role("link", name=name).click()
    return download.value.path().read_text(encoding="utf-8-sig")
