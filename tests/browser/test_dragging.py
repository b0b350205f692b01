"""Rows that are dragged to another place: prizes in the order of announcing, and what a screen shows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.running_server import RunningServer
from tests.demo_data import NO_TABLES, DemoRide


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride with prizes of every kind."""
    return server.load_ride(f"closed{NO_TABLES}")


def _drag_below(row: Locator, other: Locator) -> None:
    """Drag a row below another; both are in sight, since a page that scrolls would drag another row."""
    other.scroll_into_view_if_needed()
    start, end = row.bounding_box(), other.bounding_box()
    assert start
    assert end
    mouse = row.page.mouse
    mouse.move(start["x"] + start["width"] / 2, start["y"] + 20)
    mouse.down()
    mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] - 20)
    mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] - 15)
    mouse.up()


def test_a_prize_is_announced_where_it_was_dropped(desk: Page, ride: DemoRide) -> None:
    desk.goto(f"{ride.desk}prizes/")
    rows = desk.locator("[data-prize-order] > li")
    first, second = rows.nth(0).locator("h3").inner_text(), rows.nth(1).locator("h3").inner_text()

    with desk.expect_navigation():
        _drag_below(rows.nth(0), rows.nth(1))

    expect(rows.nth(0).locator("h3")).to_have_text(second)
    expect(rows.nth(1).locator("h3")).to_have_text(first)


def test_a_row_of_a_screen_is_saved_where_it_was_dropped(desk: Page, ride: DemoRide) -> None:
    desk.goto(f"{ride.desk}screen/")
    rows = desk.locator("[data-order-list]").first.locator("[data-order-row]")
    first, second = rows.nth(0).inner_text(), rows.nth(1).inner_text()

    _drag_below(rows.nth(0), rows.nth(1))

    expect(rows.nth(0)).to_have_text(second, use_inner_text=True)
    desk.get_by_role("button", name="Save the screen").click()
    expect(desk.get_by_text("saved").first).to_be_visible()
    desk.goto(f"{ride.desk}screen/")
    assert (rows.nth(0).inner_text(), rows.nth(1).inner_text()) == (second, first)
