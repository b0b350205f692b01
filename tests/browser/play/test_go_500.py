"""A race over two segments, the second of which has a limit of 90.

Pam   two black dice and the green one: 10 20 and 15, locks 20 and the green die, then 25: 60
      five black dice: 30 30 30 25 20 is 45 above the limit; the red die twice, -10 and a crash, for which -20: 105
Quin  no dice and the black flag: 0, and no dice and the yellow flag, -25 on the yellow die: -25
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import table_game, tables
from tests.browser.conftest import FindCrewClient, NewPhone
from tests.browser.table_game import BoardLine
from tests.demo_data import DemoRide

CONTEST = "Five hundred"
# What the history says once a button was pressed.
DONE = {
    "Accept a roll above the limit": "Roll above the limit accepted",
    "Accept the black flag": "Black flag accepted",
    "Accept the penalty roll": "Penalty roll accepted",
    "Accept the yellow flag": "Yellow flag accepted",
    "Choose the dice": "Dice chosen",
    "Record roll": "Rolled",
}


def test_go_500_is_raced_over_two_segments_and_the_most_points_win(
    desk: Page, crew_client: FindCrewClient, new_phone: NewPhone, ride: DemoRide
) -> None:
    """GO-4, GO-9 to GO-11, GO-13, GO-14"""
    table_game.add_contest(desk, ride, "Go 500", CONTEST, _choose)
    table_game.create_tables(desk, ride, CONTEST, "Pam H.", "Quin W.")
    phone, client = new_phone(ride, "Emil"), crew_client(ride, "Emil").client

    phone.goto(table_game.find_table(client, CONTEST, "Pam H."))
    _race_the_straight(phone)
    _race_the_turn(phone)

    phone.goto(table_game.find_table(client, CONTEST, "Quin W."))
    _choose_dice(phone, black=0, green=0)
    _roll(phone, flag="black")
    _press(phone, "Accept the black flag")
    table_game.expect_totals(phone, Quin=0)
    _choose_dice(phone, black=0, green=0)
    _roll(phone, flag="yellow")
    _press(phone, "Accept the yellow flag")
    _record_penalty(phone, -25)
    _press(phone, "Accept the penalty roll")
    expect(phone.get_by_role("heading", name="Finished.")).to_be_visible()
    table_game.expect_totals(phone, Quin=-25)

    table_game.expect_board(phone, BoardLine("1", "Pam H.", "165"), BoardLine("2", "Quin W.", "-25"))


def _choose(desk: Page) -> None:
    desk.get_by_role("button", name="Short course").click()
    desk.get_by_role("button", name="Remove, Segment 3").click()
    expect(desk.get_by_role("group", name="Segment 3")).to_have_count(0)
    limit = desk.get_by_role("group", name="Segment 2").get_by_label("Limit in good weather")
    expect(limit).to_have_value("90")


def _race_the_straight(phone: Page) -> None:
    _choose_dice(phone, black=2, green=1)
    _roll(phone, "10 20", green=15, flag="green")
    table_game.expect_fit(phone)
    table_game.undo(phone, "Black dice 10 20")
    tables.expect_tapped_dice(phone, "roll:black", ["10", "20"])
    tables.press_record(phone, "Record roll")
    tables.expect_last_entry(phone, "Black dice 10 20")
    table_game.expect_fit(phone)
    # One tap locks the die and the green one with it: 20 and 15.
    phone.locator("button.box", has_text="+ Green die").filter(has_text="35").click()
    tables.expect_last_entry(phone, "Locked 20, Green die")
    _refuse_a_correction(phone)
    _roll(phone, "25", flag="green")
    phone.locator("button.box").first.click()
    tables.expect_last_entry(phone, "Locked 25")
    table_game.expect_totals(phone, Pam=60)


def _race_the_turn(phone: Page) -> None:
    _choose_dice(phone, black=5, green=0)
    _roll(phone, "30 30 30 25 20", flag="green")
    _press(phone, "Accept a roll above the limit")
    phone.locator("summary", has_text="Penalty dice thrown together").click()
    for value in ("-10", "crash"):
        tables.get_face_button(phone, "penalty.2:faces", value).click()
    table_game.expect_fit(phone)
    phone.locator("[data-offer][open]").get_by_role("button", name="Record red die").click()
    tables.expect_last_entry(phone, "-10 crash")
    _record_penalty(phone, -20)
    _press(phone, "Accept the penalty roll")
    expect(phone.get_by_role("heading", name="Finished.")).to_be_visible()
    table_game.expect_totals(phone, Pam=165)
    table_game.expect_fit(phone)


def _choose_dice(phone: Page, *, black: int, green: int) -> None:
    for field, count in (("black", black), ("green", green)):
        phone.locator(f'.ask__value:has(input[name="start:{field}"][value="{count}"])').tap()
    _press(phone, "Choose the dice")


def _roll(phone: Page, black: str = "", *, flag: str, green: int | None = None) -> None:
    for value in black.split():
        tables.get_face_button(phone, "roll:black", value).click()
    if green is not None:
        phone.locator(f'label:has(input[name="roll:green"][value="{green}"])').tap()
    phone.locator(f'label:has(input[name="roll:flag"][value="{flag}"])').tap()
    _press(phone, "Record roll")


def _record_penalty(phone: Page, value: int) -> None:
    table_game.expect_fit(phone)
    phone.locator(f'label:has(input[name="penalty:face"][value="{value}"])').tap()
    offer = phone.locator("[data-offer]", has=phone.locator('[name="penalty:face"]'))
    offer.get_by_role("button").click()
    tables.expect_last_entry(phone, str(value))


def _press(phone: Page, button: str) -> None:
    tables.press_record(phone, button)
    tables.expect_last_entry(phone, DONE[button])


def _refuse_a_correction(phone: Page) -> None:
    """With a black flag nothing could have been locked."""
    table = phone.url
    table_game.correct(phone, 2)
    phone.locator('label:has(input[name="roll:flag"][value="black"])').tap()
    phone.get_by_label("Reason").fill("the flag was black")
    tables.press_record(phone, "Correct")
    table_game.expect_clause(phone, "With this change, action 3 is not allowed (Pam H.: Locked", "GO-9")
    phone.goto(table)
