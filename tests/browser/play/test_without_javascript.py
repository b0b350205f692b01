"""A race to 5 on a phone whose browser runs no script; the fewest throws win.

Quin  3, lost by a 1 with the next 3, then 5, banked: three throws
Pam   4 and 2, banked twice over: one throw
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import evening, tables
from tests.browser.crew import join
from tests.browser.evening import Place
from tests.demo_data import Ride

CONTEST = "Pigs"


def test_a_game_is_played_without_javascript_and_the_fewest_throws_win(
    desk: Page, plain_page: Page, ride: Ride
) -> None:
    """PIG-1, PIG-2, PIG-4"""
    evening.set_up(desk, ride, "Pig race", CONTEST, _choose)
    evening.draw_up(desk, ride, CONTEST, "Pam H.", "Quin W.")
    join(plain_page, desk, ride.desk, "Ida")

    evening.open_table(plain_page, CONTEST, "Quin W.")
    _throw(plain_page, "3")
    _throw(plain_page, "13")
    expect(plain_page.get_by_role("button", name="Bank")).to_have_count(0)
    _throw(plain_page, "5")
    evening.expect_totals(plain_page, Quin=3)
    tables.note(plain_page, "Bank")
    expect(plain_page.get_by_role("heading", name="Finished.")).to_be_visible()
    evening.expect_totals(plain_page, Quin=3)

    evening.open_table(plain_page, CONTEST, "Pam H.")
    _throw(plain_page, "42")
    evening.expect_fit(plain_page)
    evening.undo(plain_page, "Throw 4 2")
    assert tables.tapped(plain_page, "throw:dice") == "42"
    tables.note(plain_page, "Throw")
    tables.expect_last_entry(plain_page, "Throw 4 2")
    plain_page.get_by_label("Twice over").check()
    tables.note(plain_page, "Bank")
    evening.expect_fit(plain_page)
    evening.expect_totals(plain_page, Pam=1)
    _refuse_a_correction(plain_page)
    evening.expect_board(plain_page, Place("1", "Pam H.", "1"), Place("2", "Quin W.", "3"))


def _choose(desk: Page) -> None:
    desk.get_by_role("button", name="Short race").click()
    expect(desk.get_by_label("Goal")).to_have_value("5")


def _throw(page: Page, dice: str) -> None:
    tables.tap(page, "throw:dice", dice)
    tables.note(page, "Throw")
    tables.expect_last_entry(page, f"Throw {' '.join(dice)}")


def _refuse_a_correction(page: Page) -> None:
    """With a 1 in the throw there was nothing to bank."""
    table = page.url
    evening.correct(page, 1)
    page.locator(".place--change").first.click()
    tables.tap(page, "throw:dice", "1")
    page.get_by_label("Reason").fill("it was a one")
    tables.note(page, "Correct")
    evening.expect_clause(page, "Then action 2 is not allowed (Pam H.: Bank, Twice over).", "PIG-2")
    page.goto(table)
