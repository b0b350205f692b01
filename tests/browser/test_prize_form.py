"""The form of a prize in a ride with several contests, with scripts and without."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, StorageState, expect

from tests.browser.conftest import TakePage
from tests.browser.measure import PHONE, list_page_problems
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide

CAMPFIRE = "Rogue at the campfire"
RIDE = "R.O.C.K. Yahtzee"


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    return server.ride("setup")


def open_form(page: Page, ride: DemoRide) -> Page:
    page.goto(f"{ride.desk}prizes/")
    return page


def test_choosing_a_contest_shows_what_can_be_won_in_it_and_keeps_what_was_typed(
    take_page: TakePage, ride: DemoRide, organiser_cookies: StorageState
) -> None:
    page = open_form(take_page(PHONE, organiser_cookies), ride)
    page.get_by_label("Name of the prize").fill("Campfire mug")
    page.get_by_label("Best roll at a stop").check()
    expect(page.locator("#id_stop")).to_be_visible()

    page.get_by_label("Contest", exact=True).focus()
    page.get_by_label("Contest", exact=True).select_option(label=CAMPFIRE)

    expect(page.get_by_label("Best roll at a stop")).to_have_count(0)
    expect(page.locator("#id_stop")).to_have_count(0)
    expect(page.get_by_label("Contest", exact=True)).to_be_focused()
    expect(page.get_by_label("Name of the prize")).to_have_value("Campfire mug")
    page.get_by_label("Lowest total").check()
    page.get_by_label("Contest", exact=True).select_option(label=RIDE)
    expect(page.get_by_label("Best roll at a stop")).to_be_visible()
    expect(page.get_by_label("Lowest total")).to_be_checked()
    assert list_page_problems(page) == []


def test_without_scripts_a_button_shows_what_can_be_won_in_the_contest(
    new_context: Callable[..., BrowserContext], ride: DemoRide, organiser_cookies: StorageState
) -> None:
    context = new_context(has_touch=True, storage_state=organiser_cookies, java_script_enabled=False)
    page = open_form(context.new_page(), ride)
    page.get_by_label("Name of the prize").fill("Campfire mug")
    page.get_by_label("Contest", exact=True).select_option(label=CAMPFIRE)
    page.get_by_label("Best roll at a stop").check()
    page.get_by_role("button", name="Add the prize").last.click()
    expect(page.get_by_role("alert")).to_contain_text("is played at tables, so it has no turns at stops")
    expect(page.get_by_role("alert")).to_contain_text(f"“{RIDE}” as the contest")

    page.get_by_role("button", name="Show the kinds of prizes of this contest").click()

    expect(page.get_by_label("Best roll at a stop")).to_have_count(0)
    expect(page.get_by_label("Name of the prize")).to_have_value("Campfire mug")
