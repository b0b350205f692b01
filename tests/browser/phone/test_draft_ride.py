"""A ride that was a draft when the phone last refreshed: it may be open by now, which only the server knows."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

STATE = "UPDATE events_event SET state = ?"


def _expect_clock_check(phone: Phone) -> None:
    """Expect that a phone that has sent nothing yet learns whether its clock is right."""
    phone.leave_out_engine()
    phone.page.goto("/crew/ready/")
    phone.wait_for_ride('"draft"')
    phone.delete_fact("clock")
    phone.page.goto("/crew/ready/")
    expect(phone.page.locator("[data-check='clock']")).to_have_class(re.compile("check--yes"))


def test_an_entry_is_recorded_as_soon_as_the_ride_is_open_and_without_signal_saved_until_then(
    site: Site, phone: Phone
) -> None:
    page = phone.page
    site.change(STATE, "draft")
    _expect_clock_check(phone)
    turn_entry.open_group(page)
    phone.wait_for_ride('"draft"')
    turn_entry.open_bike(page, "8")

    # With signal, a draft ride accepts no entry and preserves the input.
    crew.tap_dice(page, "55533")
    crew.get_box_button(page, "Full house").click()
    expect(page.locator("main")).to_contain_text("The event is not open")
    expect(page.locator(".dice-row .die")).to_have_count(5)
    assert phone.count() == {}

    # It is recorded as soon as the ride is open.
    site.change(STATE, "open")
    crew.get_box_button(page, "Full house").click()
    expect(page.locator(".turn-result")).to_contain_text("Bike 8")
    phone.wait_for_states(sent=1)

    # It becomes a draft again while a card is open, and the engine is not called before the entry. Without signal that
    # is saved, and sent once the ride is open.
    turn_entry.go_back_to_group(page)
    turn_entry.open_bike(page, "12")
    crew.tap_dice(page, "66612")
    site.change(STATE, "draft")
    page.evaluate("dispatchEvent(new Event('online'))")  # the phone refreshes its copy of the ride
    phone.wait_for_ride('"draft"')
    site.go_offline()
    crew.record_in_box(page, "Sixes")
    expect(page.locator(".turn-result")).to_contain_text("Bike 12")
    expect(page.locator("#phone-bar")).to_contain_text("1 to send")
    site.go_online()
    site.change(STATE, "open")
    phone.go_online()
    phone.wait_for_states(sent=2)


def test_a_phone_is_not_ready_to_record_before_the_ride_is_open(site: Site, phone: Phone) -> None:
    page = phone.page
    site.change(STATE, "draft")
    page.goto("/crew/ready/")

    expect(page.locator("[data-ready='draft']")).to_be_visible()
    expect(page.locator("[data-ready-summary]")).to_contain_text("nothing can be recorded until the organiser opens it")
    expect(page.locator("[data-check='open']")).to_contain_text("Ask the organiser to open it")

    site.change(STATE, "open")
    page.evaluate("dispatchEvent(new Event('online'))")  # the phone refreshes its copy of the ride
    phone.expect_ready()
    expect(page.locator("[data-check='open']")).to_have_class(re.compile("check--yes"))
