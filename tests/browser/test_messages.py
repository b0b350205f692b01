"""Messages from the organiser, as crews and the hall see them in a browser that stores nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone, TakePage
from tests.browser.measure import list_barriers, list_page_problems
from tests.browser.running_server import RunningServer
from tests.browser.walls import SMALL_WALL, WALLS
from tests.demo_data import DemoRide

SOON = 10_000  # milliseconds
LONG = "Rain at the BBQ <b>now</b>. " * 10


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride between two stops for all tests of this file; each reads or withdraws its own message."""
    return server.load_ride("parks")


def send(desk: Page, ride: DemoRide, text: str, *, group: str = "", to_screen: bool = False) -> None:
    desk.goto(f"{ride.desk}messages/")
    desk.get_by_label("Message", exact=True).fill(text)
    if group:
        desk.get_by_label("Group").select_option(label=group)
    if to_screen:
        desk.get_by_label("Show it on the crew’s phones").uncheck()
        desk.get_by_label("Show it on the big screen").check()
    desk.get_by_role("button", name="Send").click()
    expect(desk.get_by_text("The message has been sent.")).to_be_visible()


def test_a_message_is_on_every_crew_page_until_it_is_read(desk: Page, new_phone: NewPhone, ride: DemoRide) -> None:
    send(desk, ride, LONG)
    phone = new_phone(ride, "Emil")
    crew.show_group(phone, "BBQ")
    message = phone.get_by_role("region", name="Messages from the organiser")
    expect(message).to_contain_text("Rain at the BBQ <b>now</b>.")
    assert list_page_problems(phone) == []

    crew.open_bike(phone, "8")
    expect(message).to_be_visible()
    crew.record_turn(phone, "55533", "Full house")  # it blocks nothing
    crew.show_group(phone, "BBQ")
    with phone.expect_response(lambda response: response.url.endswith("/messages-read") and response.ok):
        message.get_by_role("button", name="Got it").click()

    expect(message).to_be_hidden()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("BBQ")
    desk.goto(f"{ride.desk}messages/")
    expect(desk.get_by_text("read on 1 of")).to_be_visible()
    assert list_page_problems(desk) == []


def test_without_javascript_a_message_is_read_too(desk: Page, new_phone: NewPhone, ride: DemoRide) -> None:
    send(desk, ride, "Rain at the BBQ")
    phone = new_phone(ride, "Emil", java_script_enabled=False)
    phone.goto("/crew/")

    phone.get_by_role("button", name="Got it").click()

    expect(phone.get_by_role("heading", level=1)).to_be_visible()
    expect(phone.get_by_text("Rain at the BBQ")).to_have_count(0)


def test_a_message_to_the_screen_is_a_band_until_it_is_withdrawn(
    desk: Page, take_page: TakePage, ride: DemoRide
) -> None:
    screen = take_page(SMALL_WALL)
    with screen.expect_request(lambda request: "stream?" in request.url):
        screen.goto(f"/events/{ride.slug}/screen")

    send(desk, ride, LONG, to_screen=True)

    band = screen.locator(".screen__band")
    expect(band).to_contain_text("Rain at the BBQ <b>now</b>.", timeout=SOON)
    assert list_barriers(screen) == []
    screen.set_viewport_size(WALLS[0])
    assert screen.evaluate("document.documentElement.scrollWidth") <= WALLS[0]["width"]
    screen.set_viewport_size(SMALL_WALL)
    desk.get_by_role("button", name="Withdraw").first.click()
    expect(band).to_have_count(0, timeout=SOON)
