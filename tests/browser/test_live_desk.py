"""The live desk follows what the crews record, whichever filters are set, and can be used on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, StorageState, expect

from tests.browser import crew
from tests.browser.conftest import FindCrewClient, NewPhone, TakePage
from tests.browser.measure import DESK, PHONE, get_box, list_page_problems
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide

SOON = 10_000  # milliseconds; without a stream the grid would ask after 15 seconds


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride between two stops for all tests of this file that record turns, each for other bikes."""
    return server.load_ride("parks")


def get_row(desk: Page, number: str) -> Locator:
    return desk.locator("#grid-rows tr", has=desk.get_by_role("link", name=number, exact=True))


def get_bottom(found: Locator) -> float:
    box = get_box(found)
    return box["y"] + box["height"]


def get_count(desk: Page, state: str) -> int:
    return int(desk.locator(f"[data-count='{state}'] strong").inner_text())


def open_desk(desk: Page, ride: DemoRide, **filters: str) -> None:
    """Open the live desk with filters, by their labels, and mark the document, so that a reload would be noticed."""
    with desk.expect_request(lambda request: "changes-stream" in request.url):
        desk.goto(f"{ride.desk}live/")
    for label, option in filters.items():
        desk.get_by_label(label.replace("_", " ")).select_option(label=option)
    if filters:
        with desk.expect_request(lambda request: "changes-stream" in request.url):
            desk.get_by_role("button", name="Show").click()
    desk.evaluate("window.isSameDocument = true")


def record_at_bbq(phone: Page, number: str) -> None:
    crew.go_to_stop(phone, "BBQ")
    crew.open_bike(phone, number)
    crew.record_turn(phone, "55533", "Full house")


def test_a_turn_appears_in_its_cell_without_a_reload_and_the_counts_follow(
    desk: Page, new_phone: NewPhone, ride: DemoRide
) -> None:
    phone = new_phone(ride, "Emil")
    open_desk(desk, ride)
    not_open, recorded = get_count(desk, "not_open"), get_count(desk, "recorded")
    heading = desk.get_by_role("columnheader", name="BBQ")
    expect(heading).to_contain_text("not open yet")
    get_row(desk, "17").get_by_role("link", name="17", exact=True).focus()

    record_at_bbq(phone, "17")

    cell = get_row(desk, "17").locator("td").nth(2)
    expect(cell).to_have_text("25", timeout=SOON)
    expect(cell).to_have_class("cell cell--recorded")
    expect(heading).not_to_contain_text("not open yet")
    bikes = desk.locator("#grid-rows tr").count()
    expect(get_row(desk, "12").locator("td").nth(2)).to_have_text("Missing")
    counts = [get_count(desk, state) for state in ("not_open", "missing", "recorded")]
    assert counts == [not_open - bikes, bikes - 1, recorded + 1]
    expect(get_row(desk, "17").get_by_role("link", name="17", exact=True)).to_be_focused()
    assert desk.evaluate("window.isSameDocument")


def test_a_row_that_no_longer_matches_goes_and_one_that_now_does_appears_in_its_place(
    desk: Page,
    crew_client: FindCrewClient,
    ride: DemoRide,
    take_page: TakePage,
    organiser_cookies: StorageState,
) -> None:
    crew_client(ride, "Emil").record_turn("BBQ", "21", "55533", "full_house")
    open_desk(desk, ride, Stop="BBQ", Show_bikes_with="Missing")
    other = take_page(PHONE, organiser_cookies)
    open_desk(other, ride, Stop="BBQ", Show_bikes_with="Recorded")
    expect(get_row(desk, "8")).to_be_visible()
    expect(get_row(other, "8")).to_have_count(0)

    for number in ("12", "8"):
        crew_client(ride, "Emil").record_turn("BBQ", number, "55533", "full_house")

    for number in ("12", "8"):
        expect(get_row(desk, number)).to_have_count(0, timeout=SOON)
        expect(get_row(other, number)).to_contain_text("25", timeout=SOON)
    shown = other.locator("#grid-rows th a").all_inner_texts()
    assert shown == sorted(shown, key=int)
    assert desk.evaluate("window.isSameDocument")
    assert other.evaluate("window.isSameDocument")


def test_twenty_bikes_fit_on_a_screen_below_a_head_that_stays_in_sight(desk: Page, server: RunningServer) -> None:
    desk.set_viewport_size({"width": 1280, "height": 800})
    open_desk(desk, server.ride("ozwelds"))
    table = desk.get_by_role("region", name="What every bike has recorded")
    heading, rows = desk.get_by_role("columnheader", name="Parks"), desk.locator("#grid-rows tr")

    assert get_bottom(rows.nth(19)) <= 800
    desk.set_viewport_size({"width": 1280, "height": 600})
    before = get_box(heading)["y"]
    table.evaluate("table => table.scrollTo({ top: 40 })")
    assert table.evaluate("table => table.scrollTop") == 40
    assert get_box(heading)["y"] == pytest.approx(before, abs=1)
    desk.set_viewport_size(DESK)


def test_on_a_phone_a_bike_has_two_lines_and_every_filter_and_card_is_in_reach(
    take_page: TakePage, organiser_cookies: StorageState, server: RunningServer
) -> None:
    page = take_page(PHONE, organiser_cookies)
    open_desk(page, server.ride("parks"))
    table = page.get_by_role("region", name="What every bike has recorded")
    row, heading = page.locator("#grid-rows tr").first, page.get_by_role("columnheader", name="Parks")

    assert table.evaluate("table => table.scrollWidth <= table.clientWidth")
    assert row.locator("small").evaluate("it => it.getClientRects().length") == 1, "the names are in one line"
    assert 48 <= get_box(row)["height"] <= 64
    assert get_box(row.locator("td").nth(1))["x"] == pytest.approx(get_box(heading)["x"], abs=1)
    table.evaluate("table => table.scrollTo({ top: 300 })")
    assert get_box(heading)["y"] == pytest.approx(get_box(table)["y"], abs=8)

    page.get_by_label("Group").focus()
    for name in ("Stop", "Show bikes with"):
        page.keyboard.press("Tab")
        expect(page.get_by_label(name)).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(table).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#grid-rows th a").first).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#grid-rows th a").nth(1)).to_be_focused()
    assert list_page_problems(page) == []
    row.click(position={"x": 300, "y": 50})
    expect(page.locator("h1")).to_contain_text("3")
