"""The crew's main task on a phone without JavaScript."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.running_server import RunningServer


def test_a_phone_without_javascript_joins_records_a_turn_and_corrects_it(
    plain_page: Page, desk: Page, server: RunningServer
) -> None:
    ride = server.ride("ozwelds")
    crew.join(plain_page, desk, ride.desk, "Ida")
    crew.go_to_stop(plain_page, "Parks")
    crew.open_bike(plain_page, "41")

    crew.choose_input_method(plain_page, "Roll by roll")
    crew.tap_dice(plain_page, "22416")
    for place in (0, 1):
        plain_page.locator(".place--toggle input").nth(place).check(force=True)
    crew.get_again_button(plain_page).click()
    crew.tap_dice(plain_page, "222")
    crew.record_in_box(plain_page, "Yahtzee")
    expect(plain_page.locator(".turn-result")).to_contain_text("Yahtzee 50 points")

    plain_page.get_by_role("link", name="All bikes").last.click()
    crew.open_bike(plain_page, "41")
    plain_page.get_by_role("link", name="Correct it").click()
    plain_page.get_by_role("link", name="Correct Parks").click()
    plain_page.get_by_role("button", name="Delete last").click()
    crew.tap_dice(plain_page, "5")
    crew.get_box_button(plain_page, "Four of a kind").click()
    plain_page.locator(".reasons__choice", has_text="Other…").click()
    plain_page.get_by_label("Reason").fill("one die was a five")
    plain_page.get_by_role("button", name="Correct", exact=True).click()
    expect(plain_page.locator("main")).to_contain_text("Four of a kind, 13 points")
    expect(plain_page.locator("main")).to_contain_text("one die was a five")
