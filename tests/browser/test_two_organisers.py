"""Two organisers in two browsers change the same stop: what both changed is shown to the second, who chooses."""

from __future__ import annotations

import pytest
from playwright.sync_api import StorageState, expect

from tests.browser.conftest import TakePage
from tests.browser.measure import DESK, PHONE, list_page_problems
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide


@pytest.fixture(scope="module")
def changed_ride(server: RunningServer) -> DemoRide:
    return server.load_ride("setup")


def test_the_second_of_two_organisers_sees_both_versions_on_a_phone_and_takes_one(
    take_page: TakePage, organiser_cookies: StorageState, changed_ride: DemoRide
) -> None:
    first, second = take_page(DESK, organiser_cookies), take_page(PHONE, organiser_cookies)
    for page in (first, second):
        page.goto(f"{changed_ride.desk}stops/")
        page.get_by_role("link", name="Parks", exact=True).click()
    first.get_by_label("Note").fill("Park behind the barn. Call Rita on arrival.")
    first.get_by_label("Address").fill("12 Main Street")
    first.get_by_role("button", name="Save the stop").click()
    expect(first.get_by_text("Parks has been changed.")).to_be_visible()

    second.get_by_label("Note").fill("Stay off the grass")
    with second.expect_response(lambda response: response.request.method == "POST") as saved:
        second.get_by_role("button", name="Save the stop").click()

    assert saved.value.status == 409
    expect(second.get_by_role("alert")).to_be_focused()
    expect(second.get_by_text("They are filled in below:")).to_be_visible()
    expect(second.get_by_label("Address")).to_have_value("12 Main Street")
    expect(second.get_by_label("Note")).to_have_value("Stay off the grass")
    assert second.get_by_label("Yours: Stay off the grass").is_checked()
    assert list_page_problems(second) == []

    second.get_by_label("Saved by someone else: Park behind the barn. Call Rita on arrival.").check()
    second.get_by_role("button", name="Save this choice").click()

    expect(second.get_by_text("Parks has been changed.")).to_be_visible()
    expect(second.get_by_text("Park behind the barn. Call Rita on arrival.")).to_be_visible()


def test_two_changes_of_different_fields_are_both_kept_and_the_second_organiser_is_told(
    take_page: TakePage, organiser_cookies: StorageState, changed_ride: DemoRide
) -> None:
    first, second = take_page(DESK, organiser_cookies), take_page(PHONE, organiser_cookies)
    for page in (first, second):
        page.goto(f"{changed_ride.desk}settings/")
    first.get_by_label("Bike numbers only").check()
    first.get_by_role("button", name="Save the settings").click()
    expect(first.get_by_text("The settings have been saved.")).to_be_visible()

    second.get_by_label("Date").fill("2026-06-21")
    second.get_by_role("button", name="Save the settings").click()

    expect(second.get_by_text("Someone else changed this while you had it open")).to_be_visible()
    expect(second.get_by_label("Bike numbers only")).to_be_checked()
    expect(second.get_by_label("Date")).to_have_value("2026-06-21")
    assert list_page_problems(second) == []
