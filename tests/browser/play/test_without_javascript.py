"""A race to 5 on a phone without JavaScript; the fewest throws win.

Quin  3, lost by a 1 with the next 3, then 5, banked: three throws
Pam   4 and 2, banked twice over: one throw
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import table_game, tables
from tests.browser.crew import join
from tests.browser.table_game import BoardLine
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

CONTEST = "Pigs"


def test_a_game_is_played_without_javascript_and_the_fewest_throws_win(
    desk: Page, organiser_client: HttpClient, plain_page: Page, ride: DemoRide
) -> None:
    """PIG-1, PIG-2, PIG-4"""
    table_game.add_contest(desk, ride, "Pig race", CONTEST, _choose)
    table_game.create_tables_over_http(organiser_client, ride, CONTEST, "Pam H.", "Quin W.")
    join(plain_page, desk, ride.desk, "Ida")

    table_game.open_table(plain_page, CONTEST, "Quin W.")
    _throw(plain_page, "3")
    _throw(plain_page, "13")
    expect(plain_page.get_by_role("button", name="Bank")).to_have_count(0)
    _throw(plain_page, "5")
    table_game.expect_totals(plain_page, Quin=3)
    tables.press_record(plain_page, "Bank")
    expect(plain_page.get_by_role("heading", name="Finished.")).to_be_visible()
    table_game.expect_totals(plain_page, Quin=3)

    table_game.open_table(plain_page, CONTEST, "Pam H.")
    _throw(plain_page, "42")
    table_game.expect_fit(plain_page)
    table_game.undo(plain_page, "Thrown 4 2")
    tables.expect_tapped_dice(plain_page, "throw:dice", "42")
    tables.press_record(plain_page, "Throw")
    tables.expect_last_entry(plain_page, "Thrown 4 2")
    plain_page.get_by_label("Twice over").check()
    tables.press_record(plain_page, "Bank")
    table_game.expect_fit(plain_page)
    table_game.expect_totals(plain_page, Pam=1)
    _refuse_a_correction(plain_page)
    _correct_the_throw(plain_page)
    table_game.expect_board(plain_page, BoardLine("1", "Pam H.", "1"), BoardLine("2", "Quin W.", "3"))


def _choose(desk: Page) -> None:
    desk.get_by_role("button", name="Short race").click()
    expect(desk.get_by_label("Goal")).to_have_value("5")


def _throw(page: Page, dice: str) -> None:
    tables.tap(page, "throw:dice", dice)
    tables.press_record(page, "Throw")
    tables.expect_last_entry(page, f"Thrown {' '.join(dice)}")


def _refuse_a_correction(page: Page) -> None:
    """With a 1 in the throw there would have been nothing to bank."""
    table = page.url
    _correct_first_die(page, "1", "it was a one")
    table_game.expect_clause(page, "With this change, action 2 is not allowed (Pam H.: Banked, Twice over).", "PIG-2")
    page.goto(table)


def _correct_the_throw(page: Page) -> None:
    """A 6 in place of the 4 leaves the sum even, as it must be."""
    table = page.url
    _correct_first_die(page, "6", "it was a six")
    expect(page.locator(".action:not(.action--void)").last).to_contain_text("it was a six")
    page.goto(table)


def _correct_first_die(page: Page, face: str, reason: str) -> None:
    """Send a correction of the throw."""
    table_game.correct(page, 1)
    page.locator(".place--change").first.click()
    tables.tap(page, "throw:dice", face)
    page.get_by_label("Reason").fill(reason)
    tables.press_record(page, "Correct")
