"""A tap that bounces undoes nothing on a phone that answers by itself, with signal and without."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import ViewportSize, expect

from tests.browser import crew, table_game, tables
from tests.browser.bouncing_taps import find_box_at, tap_twice
from tests.browser.measure import PHONE, get_box
from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

CONTEST = "Rogue in the rain"
OPTIONS: dict[str, Any] = {"options.target": 200, "options.war_at": 1000}
LANDSCAPE: ViewportSize = {"width": 640, "height": 360}
PAUSE = 450  # milliseconds
BELOW_RESULT = 370  # CSS pixels from the top


def test_a_second_tap_undoes_nothing_at_a_stop_and_at_a_table(site: Site, phone: Phone, organiser: Organiser) -> None:
    organiser.open("contests/new/rogue/")
    organiser.submit("Add the contest", name=CONTEST, **OPTIONS)
    organiser.create_table(CONTEST, "Pam H. (bike 3)", "Quin W. (bike 8)")
    phone.leave_out_engine()
    phone.page.goto("/crew/ready/")
    phone.wait_for_ride(CONTEST)
    page = phone.page
    for number, dice in (("8", "222345"), ("12", "C22456")):
        page.set_viewport_size(PHONE)
        turn_entry.open_group(page, "Finale")
        turn_entry.open_bike(page, number)
        crew.tap_dice(page, "55533")
        expect(page.locator("button.box").first).to_be_visible()
        tap_twice(page, find_box_at(page, BELOW_RESULT), PAUSE)
        expect(page.locator(".turn-result")).to_contain_text(f"Bike {number}")
        expect(page.get_by_role("button", name="Undo")).to_be_visible()

        table_game.open_table(page, CONTEST, "Pam H.")
        page.set_viewport_size(LANDSCAPE)
        tables.tap(page, "roll:dice", dice)
        record = page.get_by_role("button", name="Record roll", exact=True)
        page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
        page.evaluate("(y) => window.scrollBy(0, y - 150)", get_box(record)["y"])
        tap_twice(page, record, PAUSE)
        tables.expect_last_entry(page, f"Rolled {' '.join(dice)}")
        expect(page.get_by_role("button", name="Undo")).to_be_visible()
        table_game.undo(page, "Rolled")

        site.go_offline()
