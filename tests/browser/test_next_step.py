"""What is next at a table, on a phone of 360 x 640 with its status bar: a line above the buttons, and the buttons."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.browser import table_game, tables
from tests.browser.conftest import FindCrewClient, NewPhone
from tests.browser.measure import get_box
from tests.browser.running_server import RunningServer
from tests.browser.table_setup import add_contest
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

HEIGHT = 640
MIN_FACE, MIN_GAP = 64, 8  # CSS pixels


class Played(NamedTuple):
    """A game up to the moment at which a roll is recorded, the line that says what is next, and its players."""

    until_roll: Callable[[Page], None]
    next_step: str
    players: tuple[str, ...] = ("Pam H.",)


def _keep_two(phone: Page) -> None:
    tables.tap(phone, "roll:dice", "C22456")
    tables.press_record(phone, "Record roll")
    phone.locator("button.box").first.click()


def _choose_all_dice(phone: Page) -> None:
    tables.choose(phone, "start:black", "5")
    tables.choose(phone, "start:green", "1")
    tables.press_record(phone, "Choose the dice")


def _challenge(phone: Page) -> None:
    phone.locator("button.box", has_text="Pam H.").click()
    phone.locator("button.box", has_text="12").click()
    tables.press_record(phone, "Let’s roll")


GAMES = {
    "rogue": Played(_keep_two, "Pam H.: throw 3 dice or end the turn", ("Pam H.", "Quin W.")),
    "go-500": Played(_choose_all_dice, "Pam H.: throw 7 dice"),
    "grand-prix": Played(lambda phone: phone.locator("button.box").first.click(), "Pam H.: throw 6 dice"),
    "drag-rage": Played(_challenge, "Pam H.: throw 2 or 3 dice", ("Pam H.", "Quin W.")),
}


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride of its own, since contests are added to it."""
    return server.load_ride("setup")


@pytest.fixture
def open_table(
    organiser_client: HttpClient, crew_client: FindCrewClient, new_phone: NewPhone, ride: DemoRide
) -> Callable[[str], Page]:
    """Open a new table of a game, on a phone that shows its status bar: `open_table("rogue")`."""

    def open_new(game: str) -> Page:
        contest = f"{game} {uuid4().hex[:8]}"
        add_contest(organiser_client, ride, game, contest)
        table_game.create_tables_over_http(organiser_client, ride, contest, *GAMES[game].players)
        phone = new_phone(ride, "Emil")
        phone.goto(table_game.find_table(crew_client(ride, "Emil").client, contest, "Pam H."))
        phone.evaluate("document.getElementById('phone-bar').hidden = false")
        return phone

    return open_new


def _list_small_or_close_faces(phone: Page) -> list[str]:
    found = []
    # All boxes of a pad at one moment, since the page may still be settling.
    pads: list[list[dict[str, float]]] = phone.locator(".dice-pad, .ask__faces").evaluate_all(
        """pads => pads.map((pad) => [...pad.querySelectorAll(".dice-pad__face")]
            .map((face) => face.getBoundingClientRect().toJSON()))"""
    )
    for boxes in pads:
        found += [f"{box}" for box in boxes if min(box["width"], box["height"]) < MIN_FACE]
        for one, other in pairwise(boxes):
            gap = other["x"] - one["right"] if one["y"] == other["y"] else other["y"] - one["bottom"]
            found += [f"{gap} between {one} and {other}"] if gap < MIN_GAP - 0.1 else []
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_line_above_the_buttons_says_what_is_next_and_the_roll_is_recorded_without_scrolling(
    open_table: Callable[[str], Page], game: str
) -> None:
    phone = open_table(game)
    GAMES[game].until_roll(phone)
    line = phone.locator("#next")
    expect(line).to_have_text(GAMES[game].next_step)
    assert line.evaluate("line => Number(getComputedStyle(line).fontWeight)") >= 700
    assert phone.evaluate("scrollY") == 0
    expect(line).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("button", name="Record roll")).to_be_in_viewport(ratio=1)
    first = get_box(phone.locator("#entry button:visible").first)
    assert get_box(line)["y"] < first["y"]
    assert _list_small_or_close_faces(phone) == []


def test_the_green_die_is_locked_with_others_in_one_tap(open_table: Callable[[str], Page]) -> None:
    phone = open_table("go-500")
    _choose_all_dice(phone)
    for value in ("10", "15", "20", "25", "30"):
        tables.get_face_button(phone, "roll:black", value).click()
    tables.choose(phone, "roll:green", "15")
    tables.choose(phone, "roll:flag", "green")
    tables.press_record(phone, "Record roll")
    expect(phone.locator("#next")).to_have_text("Pam H.: lock dice or spend a reroll")
    phone.locator("button.box").first.click()
    tables.expect_last_entry(phone, "Locked 30 25 20 15 10, Green die")
