"""A circuit of two turns with sections of 3, 2 and 3 spaces: from the flag to the flag are 9.

Pam   4th gear: 1 2 3 4 6 6 with include, both 6s again as 1 and 5: space 5; 5th gear: 1 2 3 4 6 6: the flag, place 0
Quin  2nd gear: six 6s; 3rd gear: 1 2 3 4 5 6: space 2, which is 7 before the flag
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import table_game, tables
from tests.browser.conftest import FindCrewClient, NewPhone
from tests.browser.table_game import BoardLine
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide

CONTEST = "Sunday drive"


def test_grand_prix_is_driven_to_the_flag_and_the_lowest_place_wins(
    desk: Page, organiser_client: HttpClient, crew_client: FindCrewClient, new_phone: NewPhone, ride: DemoRide
) -> None:
    """GP-1, GP-3, GP-8 to GP-10"""
    table_game.add_contest(desk, ride, "Grand Prix", CONTEST, _choose)
    table_game.create_tables_over_http(organiser_client, ride, CONTEST, "Pam H.", "Quin W.")
    phone, client = new_phone(ride, "Emil"), crew_client(ride, "Emil").client

    phone.goto(table_game.find_table(client, CONTEST, "Pam H."))
    _select_gear(phone, "4th gear")
    tables.tap(phone, "roll:dice", "123466")
    phone.locator(".ask__flag", has_text="Include dice equal to the gear").tap()
    table_game.expect_fit(phone)
    tables.press_record(phone, "Record roll")
    tables.expect_last_entry(phone, "Rolled 1 2 3 4 6 6, Include dice equal to the gear")
    table_game.expect_fit(phone)
    _select(phone)
    _move(phone)
    _see_closed_gears(phone)
    _drive(phone, "5th gear", "123466")
    expect(phone.get_by_role("heading", name="Finished.")).to_be_visible()
    table_game.expect_totals(phone, Pam=0)

    phone.goto(table_game.find_table(client, CONTEST, "Quin W."))
    _drive(phone, "2nd gear", "666666")
    _drive(phone, "3rd gear", "123456")
    expect(phone.get_by_role("heading", name="Finished.")).to_be_visible()
    table_game.expect_totals(phone, Quin=7)
    table_game.expect_fit(phone)

    table_game.expect_board(phone, BoardLine("1", "Pam H.", "0"), BoardLine("2", "Quin W.", "7"))
    expect(phone.get_by_text("the lowest wins")).to_be_visible()


def _choose(desk: Page) -> None:
    desk.get_by_role("button", name="One circuit").click()
    circuit = desk.get_by_role("group", name="Circuit 1")
    for label, text in (("Name", "Oval"), ("Time", "2"), ("Damage", "5"), ("Sections", "3, 2, 3")):
        circuit.get_by_label(label).fill(text)


def _select(phone: Page) -> None:
    """Roll both 6s again: without selecting them it is refused, and the tapped dice stay visible."""
    phone.locator("summary", has_text="Re-roll some dice").click()
    offer = phone.locator("[data-offer][open]")
    tables.tap(phone, "select:dice", "15")
    offer.get_by_role("button", name="Re-roll some dice").click()
    expect(phone.locator(".error-summary")).to_contain_text("Choose the dice.")
    table_game.expect_fit(phone)
    tables.expect_tapped_dice(phone, "select:dice", "15")
    for place in (4, 5):
        offer.locator(".place--toggle").nth(place).tap()
    tables.expect_tapped_dice(phone, "select:dice", "15")
    offer.get_by_role("button", name="Re-roll some dice").click()
    tables.expect_last_entry(phone, "Re-rolled some dice for free, Dice to roll again 6 6, Dice rolled 1 5")


def _see_closed_gears(phone: Page) -> None:
    """Check that the page names the closed gears and says why they are closed."""
    expect(phone.locator("button.box").first).to_contain_text("3rd gear")
    phone.locator("summary", has_text="closed").first.click()
    table_game.expect_clause(phone, "4th gear", "GP-3")
    table_game.expect_fit(phone)


def _drive(phone: Page, gear: str, dice: str) -> None:
    _select_gear(phone, gear)
    tables.tap(phone, "roll:dice", dice)
    tables.press_record(phone, "Record roll")
    tables.expect_last_entry(phone, f"Rolled {' '.join(dice)}")
    _move(phone)


def _select_gear(phone: Page, gear: str) -> None:
    phone.locator("[data-offer]").first.locator("button.box", has_text=gear).click()
    tables.expect_last_entry(phone, f"Selected {gear}")


def _move(phone: Page) -> None:
    tables.press_record(phone, "Move the car")
    tables.expect_last_entry(phone, "Car moved")
