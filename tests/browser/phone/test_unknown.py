"""Requests about objects created since the phone last refreshed go to the server."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

RIDE = "**/api/v1/ride/parts"
NUMBER = "700"


@pytest.fixture
def register_elsewhere(browser: Browser, site: Site, new_link: MakeLink) -> Callable[[], None]:
    """Register a walk-up bike on another phone, which stores nothing."""

    def register() -> None:
        with browser.new_context(base_url=site.url, service_workers="block") as context:
            page = context.new_page()
            page.goto(new_link())
            page.get_by_role("button", name="This is my phone").click()
            page.wait_for_url("**/crew/ready/")
            turn_entry.open_group(page)
            turn_entry.register(page, NUMBER)

    return register


@pytest.fixture
def unknown_bike(phone: Phone, register_elsewhere: Callable[[], None]) -> Phone:
    """Open a bike at the BBQ that is missing from the phone's copy of the ride."""
    turn_entry.open_group(phone.page)
    # The server's response from just before the registration: nothing has changed.
    phone.page.route(RIDE, lambda route: route.fulfill(status=304, headers={"X-Tailgunner": "1"}))
    register_elsewhere()
    turn_entry.go_to_stop(phone.page, "BBQ")
    turn_entry.open_bike(phone.page, NUMBER)
    return phone


def _count_entries(site: Site) -> int:
    [(count,)] = site.query("SELECT COUNT(*) FROM scorecards_entry")
    return int(count)


def test_a_turn_of_a_bike_created_since_the_last_refresh_is_recorded_with_signal(
    site: Site, unknown_bike: Phone
) -> None:
    phone = unknown_bike
    before = _count_entries(site)

    crew.record_turn(phone.page, "55533", "Full house")

    expect(phone.page.locator(".turn-result")).to_contain_text(f"Bike {NUMBER}")
    assert _count_entries(site) == before + 1
    phone.wait_for_count("taps", 0)
    assert phone.count() == {}


def test_without_signal_it_stays_on_the_page_and_on_the_phone_until_it_is_recorded(
    site: Site, unknown_bike: Phone
) -> None:
    phone = unknown_bike
    crew.tap_dice(phone.page, "55533")
    expect(crew.get_box_button(phone.page, "Full house")).to_be_visible()
    before = _count_entries(site)
    site.go_offline()

    crew.get_box_button(phone.page, "Full house").click()

    expect(phone.page.locator("#not-sent")).to_contain_text("What you entered is still here")
    expect(phone.page.locator(".dice-row .die")).to_have_count(5)
    phone.wait_for_count("taps", 1)
    expect(phone.page.locator("#phone-bar")).to_contain_text("1 to send")

    phone.page.unroute(RIDE)
    phone.kill()
    site.go_online()
    phone.open()
    turn_entry.open_group(phone.page)
    phone.wait_for_count("taps", 0)
    phone.wait_for_states(sent=1)
    assert _count_entries(site) == before + 1
    turn_entry.open_group(phone.page)
    expect(crew.get_bike_link(phone.page, NUMBER)).to_contain_text("Full house 25")


def test_a_page_from_the_server_refreshes_the_phone(phone: Phone, register_elsewhere: Callable[[], None]) -> None:
    turn_entry.open_group(phone.page)
    register_elsewhere()

    turn_entry.go_to_stop(phone.page, "BBQ")

    phone.wait_for_ride(f"Rider {NUMBER}")


def test_with_signal_no_page_says_that_there_is_none(phone: Phone) -> None:
    turn_entry.open_group(phone.page)
    turn_entry.open_bike(phone.page, "8")
    crew.record_turn(phone.page, "55533", "Full house")
    phone.wait_for_states(sent=1)
    phone.page.locator("details.menu summary").click()
    phone.page.get_by_role("link", name="History and corrections").click()
    phone.page.get_by_role("link", name=re.compile("^Correct BBQ")).click()
    phone.page.get_by_label("Other dice").check()
    phone.page.get_by_role("textbox", name="Dice").fill("55544")
    phone.page.get_by_label("Reason").fill("two fours, not threes")

    phone.page.get_by_role("button", name="Correct").click()

    expect(phone.page.locator("main")).to_contain_text("two fours, not threes")
    phone.wait_for_states(sent=2)
    expect(phone.page.locator("#phone-bar")).to_contain_text("All sent")
    expect(phone.page.locator("#phone-bar")).not_to_contain_text("No signal")
