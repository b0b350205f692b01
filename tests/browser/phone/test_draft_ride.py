"""A ride that was a draft when the phone last refreshed: it may be open by now, which only the server knows."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import crew
from tests.browser.phone import turn_entry
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

STATE = "UPDATE events_event SET state = ?"


@pytest.fixture
def draft(site: Site, phone: Phone) -> Phone:
    """A phone whose copy of the ride says that it is a draft, at the page of a bike."""
    site.change(STATE, "draft")
    turn_entry.open_group(phone.page)
    phone.wait_for_ride('"draft"')
    turn_entry.open_bike(phone.page, "8")
    return phone


def test_with_signal_an_entry_is_recorded_as_soon_as_the_ride_is_open(site: Site, draft: Phone) -> None:
    site.change(STATE, "open")

    crew.record_turn(draft.page, "55533", "Full house")

    expect(draft.page.locator(".turn-result")).to_contain_text("Bike 8")
    draft.wait_for_states(sent=1)


def test_with_signal_a_draft_ride_accepts_no_entry_and_preserves_the_input(draft: Phone) -> None:
    crew.tap_dice(draft.page, "55533")
    crew.get_box_button(draft.page, "Full house").click()

    expect(draft.page.locator("main")).to_contain_text("The ride is not open")
    expect(draft.page.locator(".dice-row .die")).to_have_count(5)
    assert draft.count() == {}


def test_without_signal_an_entry_is_saved_and_sent_once_the_ride_is_open(site: Site, draft: Phone) -> None:
    site.go_offline()

    crew.record_turn(draft.page, "55533", "Full house")

    expect(draft.page.locator(".turn-result")).to_contain_text("Bike 8")
    expect(draft.page.locator("#phone-bar")).to_contain_text("1 to send")

    site.go_online()
    site.change(STATE, "open")
    draft.go_online()
    draft.wait_for_states(sent=1)


def test_a_phone_that_has_sent_nothing_yet_knows_whether_its_clock_is_right(draft: Phone) -> None:
    draft.delete_fact("clock")

    draft.page.goto("/crew/ready/")

    expect(draft.page.locator("[data-check='clock']")).to_have_class(re.compile("check--yes"))
