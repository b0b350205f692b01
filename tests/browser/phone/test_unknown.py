"""Requests about objects created since the phone last refreshed go to the server."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import crew, rogue, table_game, tables
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import MakeLink, ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site

RIDE = "**/api/v1/ride/parts"
NUMBER = "700"
CONTEST = "Rogue till dawn"


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
def stale_phone(phone: Phone) -> Phone:
    """A phone at its group's page, which learns of nothing that is created from now on."""
    turn_entry.open_group(phone.page)
    _stop_refreshing(phone)
    return phone


def _stop_refreshing(phone: Phone) -> None:
    # The server's response from just before: nothing has changed.
    phone.page.context.route(RIDE, lambda route: route.fulfill(status=304, headers={"X-Tailgunner": "1"}))


@pytest.fixture
def unknown_bike(stale_phone: Phone, register_elsewhere: Callable[[], None]) -> Phone:
    """Open a bike at the BBQ that is missing from the phone's copy of the ride."""
    register_elsewhere()
    return _open_at_bbq(stale_phone)


@pytest.fixture
def desks_bike(stale_phone: Phone, desk: Page, ready_ride: ReadyRide) -> Phone:
    """Open a bike at the BBQ that the organiser has added since the phone last refreshed."""
    desk.goto(f"{ready_ride.ride.desk}bikes/new/")
    desk.get_by_label("Number").fill(NUMBER)
    desk.get_by_label("Rider").fill(f"Rider {NUMBER}")
    desk.get_by_label("Group").select_option(label="Early Birds")
    desk.get_by_role("button", name="Add the bike").click()
    expect(desk.get_by_role("heading", name="Add a bike")).to_have_count(0)
    return _open_at_bbq(stale_phone)


@pytest.fixture
def desks_table(phone: Phone, desk: Page, ready_ride: ReadyRide) -> Phone:
    """Open a table that the organiser has created since the phone last refreshed; the phone knows its contest."""
    table_game.add_contest(desk, ready_ride.ride, "Rogue", CONTEST, rogue.choose_short_game)
    phone.leave_out_engine()
    phone.page.goto("/crew/ready/")
    phone.wait_for_ride(CONTEST)
    _stop_refreshing(phone)
    table_game.create_tables(desk, ready_ride.ride, CONTEST, "Pam H.", "Quin W.")
    table_game.open_table(phone.page, CONTEST, "Pam H.")
    return phone


def _open_at_bbq(phone: Phone) -> Phone:
    turn_entry.go_to_stop(phone.page, "BBQ")
    turn_entry.open_bike(phone.page, NUMBER)
    return phone


def _expect_kept_draft(phone: Phone) -> None:
    """Expect that the only tap is kept, that the phone says why, and that nothing is sent again."""
    expect(phone.page.get_by_role("heading", name="Page not found")).to_be_visible()
    phone.wait_for_states(attention=1)
    assert phone.read("taps") == []
    turn_entry.open_group(phone.page)
    phone.page.get_by_role("button", name="1 need attention").click()
    item = phone.page.locator(".attention__item")
    expect(item).to_contain_text("It could not be recorded. It is kept on this phone only.")
    expect(item).to_contain_text("This tap could not be recorded. Check the scorecard and enter it again.")


def _count_entries(site: Site) -> int:
    [(count,)] = site.query("SELECT COUNT(*) FROM scorecards_entry")
    return int(count)


def test_a_turn_of_a_bike_created_since_the_last_refresh_is_recorded_with_signal_and_kept_without(
    site: Site, unknown_bike: Phone
) -> None:
    phone = unknown_bike
    before = _count_entries(site)

    crew.record_turn(phone.page, "66612", "Sixes")

    expect(phone.page.locator(".turn-result")).to_contain_text(f"Bike {NUMBER}")
    assert _count_entries(site) == before + 1
    phone.wait_for_count("taps", 0)
    assert phone.count() == {}

    # Without signal, the next one stays on the page and on the phone until it is recorded.
    turn_entry.go_back_to_group(phone.page)
    turn_entry.go_to_stop(phone.page, "Finale")
    turn_entry.open_bike(phone.page, NUMBER)
    crew.tap_dice(phone.page, "55533")
    expect(crew.get_box_button(phone.page, "Full house")).to_be_visible()
    site.go_offline()

    crew.get_box_button(phone.page, "Full house").click()

    expect(phone.page.locator("#not-sent")).to_contain_text("What you entered is still here")
    expect(phone.page.locator(".dice-row .die")).to_have_count(5)
    phone.wait_for_count("taps", 1)
    expect(phone.page.locator("#phone-bar")).to_contain_text("1 to send")

    phone.page.context.unroute(RIDE)
    phone.kill()
    site.go_online()
    phone.open()
    turn_entry.open_group(phone.page)
    phone.wait_for_count("taps", 0)
    phone.wait_for_states(sent=1)
    assert _count_entries(site) == before + 2
    turn_entry.open_group(phone.page, "Finale")
    expect(crew.get_bike_link(phone.page, NUMBER)).to_contain_text("Full house 25")


def test_a_turn_of_a_bike_added_at_the_desk_is_recorded_with_signal(site: Site, desks_bike: Phone) -> None:
    phone = desks_bike
    before = _count_entries(site)

    crew.record_turn(phone.page, "55533", "Full house")

    expect(phone.page.locator(".turn-result")).to_contain_text(f"Bike {NUMBER}")
    assert _count_entries(site) == before + 1
    phone.wait_for_count("taps", 0)
    assert phone.count() == {}


def test_a_turn_of_a_bike_that_this_phone_registered_at_the_server_is_recorded_with_signal(
    site: Site, stale_phone: Phone
) -> None:
    phone = stale_phone
    # A page whose engine cannot start: the server handles its forms.
    known = phone.page
    phone.page = known.context.new_page()
    phone.page.add_init_script("delete window.Worker;")
    known.close()
    turn_entry.open_group(phone.page)
    turn_entry.register(phone.page, NUMBER)
    assert phone.count() == {}
    without_engine, phone.page = phone.page, phone.page.context.new_page()
    without_engine.close()
    turn_entry.open_group(phone.page)
    before = _count_entries(site)

    _open_at_bbq(phone)
    crew.record_turn(phone.page, "55533", "Full house")

    assert _count_entries(site) == before + 1
    phone.wait_for_count("taps", 0)
    assert phone.count() == {}


def test_a_turn_of_a_bike_that_was_deleted_meanwhile_is_kept_with_the_reason(desks_bike: Phone, desk: Page) -> None:
    phone = desks_bike
    crew.tap_dice(phone.page, "55533")
    expect(crew.get_box_button(phone.page, "Full house")).to_be_visible()
    desk.locator("tr", has_text=f"Rider {NUMBER}").get_by_role("link").first.click()
    desk.get_by_role("link", name="Delete").click()
    desk.get_by_role("button", name="Delete").click()
    expect(desk.get_by_text(f"Rider {NUMBER}")).to_have_count(0)

    crew.get_box_button(phone.page, "Full house").click()

    _expect_kept_draft(phone)


def test_an_action_at_a_table_created_at_the_desk_is_recorded_with_signal(site: Site, desks_table: Phone) -> None:
    phone = desks_table
    before = _count_entries(site)

    rogue.roll(phone.page, "C22456")

    assert _count_entries(site) == before + 1
    phone.wait_for_count("taps", 0)
    assert phone.count() == {}


def test_an_action_at_a_table_that_was_removed_meanwhile_is_kept_with_the_reason(
    desks_table: Phone, desk: Page
) -> None:
    phone = desks_table
    tables.tap(phone.page, "roll:dice", "C22456")
    desk.get_by_role("link", name="Remove").click()
    desk.get_by_label("Reason").fill("created twice")
    desk.get_by_role("button", name="Remove the table").click()
    expect(desk.get_by_role("link", name="Remove")).to_have_count(0)

    tables.press_record(phone.page, "Record roll")

    _expect_kept_draft(phone)


def test_a_page_from_the_server_refreshes_the_phone_and_with_signal_none_says_that_there_is_no_signal(
    phone: Phone, register_elsewhere: Callable[[], None]
) -> None:
    turn_entry.open_group(phone.page)
    register_elsewhere()
    turn_entry.go_to_stop(phone.page, "BBQ")
    phone.wait_for_ride(f"Rider {NUMBER}")

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
