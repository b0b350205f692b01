"""A race of two heats.

first heat    Pam 12, challenged, rolls 6 6 and keeps the move; Quin passes; Pam 11 crosses; Quin 10 and 9 fall short
second heat   Quin 12, challenged, rolls 2 3 1 and spins out; Pam 11, Quin 10, Pam 9, Quin 8, and Pam 2 crosses
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import table_game, tables
from tests.browser.conftest import FindCrewClient, NewPhone
from tests.browser.table_game import BoardLine
from tests.browser.table_setup import add_contest
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide
from tests.faults.scale import FULL

CONTEST = "Quarter mile"
# What the history says once a button was pressed.
DONE = {"Let’s roll": "Called “Let’s roll”", "Pass": "Passed"}


def test_drag_rage_is_raced_over_two_heats_and_the_most_heats_win(
    organiser_client: HttpClient, crew_client: FindCrewClient, new_phone: NewPhone, ride: DemoRide
) -> None:
    """DRAG-2, DRAG-5 to DRAG-8, DRAG-12, DRAG-16"""
    add_contest(organiser_client, ride, "drag-rage", CONTEST)
    table_game.create_tables_over_http(organiser_client, ride, CONTEST, "Pam H.", "Quin W.")
    phone, client = new_phone(ride, "Emil"), crew_client(ride, "Emil").client
    phone.goto(table_game.find_table(client, CONTEST, "Pam H."))

    _start(phone, "Pam H.")
    _advance(phone, "Pam", 11)
    table_game.undo(phone, "Advanced with 11")
    _advance(phone, "Pam", 12)
    expect(phone.get_by_text("Undone:")).to_have_count(0)
    _press(phone, "Quin", "Let’s roll")
    _defend(phone, "Pam", "66")
    table_game.expect_fit(phone)
    _press(phone, "Quin", "Pass")
    _see_used_counter(phone)
    _advance_in_turn(client, phone, ("Pam", 11), ("Quin", 10))
    _advance(phone, "Quin", 9)
    table_game.expect_totals(phone, Pam=1, Quin=0)

    _start(phone, "Quin W.")
    _advance(phone, "Quin", 12)
    _press(phone, "Pam", "Let’s roll")
    _defend(phone, "Quin", "231")
    _advance_in_turn(client, phone, ("Pam", 11), ("Quin", 10))
    table_game.expect_fit(phone)
    _advance_in_turn(client, phone, ("Pam", 9), ("Quin", 8))
    _advance(phone, "Pam", 2)
    expect(phone.get_by_role("heading", name="Pam H. has won.")).to_be_visible()
    table_game.expect_totals(phone, Pam=2, Quin=0)
    table_game.expect_fit(phone)

    table_game.expect_board(phone, BoardLine("1", "Pam H.", "1"), BoardLine("2", "Quin W.", "0"))


def _start(phone: Page, first: str) -> None:
    expect(phone.locator(".seat", has_text="to play")).to_have_count(0)
    table_game.expect_fit(phone)
    phone.locator("button.box", has_text=first).click()
    tables.expect_last_entry(phone, f"Heat started with {first}")


def _advance(phone: Page, name: str, counter: int) -> None:
    table_game.expect_turn(phone, name)
    phone.locator("button.box", has=phone.get_by_text(re.compile(rf"^\s*{counter}\s*$"))).click()
    tables.expect_last_entry(phone, f"dvanced with {counter}")


def _advance_in_turn(client: HttpClient, phone: Page, *counters: tuple[str, int]) -> None:
    """Advance by these counters, over HTTP unless FAULTS=full: the page was shown for others of them."""
    if FULL:
        for name, counter in counters:
            _advance(phone, name, counter)
    else:
        table_game.play_over_http(client, phone, *(str(counter) for _name, counter in counters))


def _press(phone: Page, name: str, button: str) -> None:
    table_game.expect_turn(phone, name)
    tables.press_record(phone, button)
    tables.expect_last_entry(phone, DONE[button])


def _defend(phone: Page, name: str, dice: str) -> None:
    table_game.expect_turn(phone, name)
    tables.tap(phone, "defend:dice", dice)
    table_game.expect_fit(phone)
    tables.press_record(phone, "Record roll")
    tables.expect_last_entry(phone, f"Rolled {' '.join(dice)}")


def _see_used_counter(phone: Page) -> None:
    """Check that the page shows a used counter as used."""
    table_game.expect_turn(phone, "Pam")
    expect(phone.locator("button.box")).to_have_count(10)
    phone.locator("summary", has_text="closed").click()
    table_game.expect_clause(phone, "Counter 12 has already been used in this heat.", "DRAG-2")
