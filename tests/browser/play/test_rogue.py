"""A game of Rogue to 30 points.

Pam   C 2 2 4 5 6, keeps 2 2 C for 8 and ends her turn;   then C 2 3 4 6 6, keeps 6 6 C for 24: 32, the last round
Quin  2 2 2 3 4 5, keeps 2 2 2 for 20 and ends his turn;  then 2 2 3 4 5 6, keeps 2 2 for 4, and 2 3 4 5 ends it: 24
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import rogue, table_game, tables
from tests.browser.conftest import NewPhone
from tests.browser.table_game import BoardLine
from tests.browser.table_setup import add_contest
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

CONTEST = "Rogue till dawn"


def test_rogue_is_played_to_its_last_round_and_the_most_points_win(
    organiser_client: HttpClient, new_phone: NewPhone, ride: DemoRide
) -> None:
    """ROGUE-6, ROGUE-7, ROGUE-13"""
    short_game: dict[str, Any] = {"options.target": 30, "options.war_at": 1000}
    add_contest(organiser_client, ride, "rogue", CONTEST, **short_game)
    table_game.create_tables_over_http(organiser_client, ride, CONTEST, "Pam H.", "Quin W.")
    phone = new_phone(ride, "Emil")
    table_game.open_table(phone, CONTEST, "Pam H.")

    table_game.expect_turn(phone, "Pam")
    rogue.roll(phone, "C22456")
    expect(phone.locator(".box__points")).to_have_text(["8", "4", "0"])
    table_game.expect_fit(phone)
    rogue.set_aside(phone, 4)
    table_game.undo(phone, "Set aside 2 2")
    rogue.set_aside(phone, 8)
    table_game.expect_fit(phone)
    rogue.end_turn(phone)
    table_game.expect_totals(phone, Pam=8, Quin=0)

    table_game.expect_turn(phone, "Quin")
    rogue.roll(phone, "222345")
    rogue.set_aside(phone, 20)
    rogue.end_turn(phone)
    table_game.expect_totals(phone, Pam=8, Quin=20)

    _refuse_a_correction(phone)

    table_game.expect_turn(phone, "Pam")
    rogue.roll(phone, "C66234")
    rogue.set_aside(phone, 24)
    rogue.end_turn(phone)
    table_game.expect_totals(phone, Pam=32, Quin=20)

    table_game.expect_turn(phone, "Quin")
    rogue.roll(phone, "223456")
    rogue.set_aside(phone, 4)
    rogue.roll(phone, "2345")
    expect(phone.get_by_role("heading", name="Pam H. has won.")).to_be_visible()
    table_game.expect_totals(phone, Pam=32, Quin=24)
    table_game.expect_fit(phone)
    table_game.expect_board(phone, BoardLine("1", "Pam H.", "32"), BoardLine("2", "Quin W.", "24"))


def _refuse_a_correction(phone: Page) -> None:
    """Without its two 2s, the dice set aside from the first roll would not be showing."""
    table = phone.url
    table_game.correct(phone, 1)
    for place in (2, 1):
        phone.locator(".place--change").nth(place).click()
    tables.tap(phone, "roll:dice", "33")
    phone.get_by_label("Reason").fill("they were threes")
    tables.press_record(phone, "Correct")
    table_game.expect_clause(phone, "With this change, action 2 is not allowed (Pam H.: Set aside 2 2 C).", "ROGUE-6")
    table_game.expect_fit(phone)
    phone.goto(table)
