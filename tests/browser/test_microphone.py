"""The page at the microphone on a tablet, with a big screen that follows it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, StorageState, ViewportSize, expect

from tests.browser.conftest import TakePage
from tests.browser.measure import get_box, list_barriers, list_page_problems, measure
from tests.browser.organiser import Organiser
from tests.browser.page_monitor import PageMonitor
from tests.browser.running_server import RunningServer
from tests.browser.walls import SMALL_WALL
from tests.cluster.http_client import HttpClient
from tests.demo_data import NO_TABLES, DemoRide

TABLET: ViewportSize = {"width": 1024, "height": 768}
WITHIN = 2_000  # milliseconds in which the screens follow
A_WHILE = 15_000  # milliseconds: longer than the page waits before it tries again
PAUSE = 450  # milliseconds between two taps that are not a double tap


@pytest.fixture(scope="module")
def published_ride(server: RunningServer) -> DemoRide:
    """A ride with results and prizes for all tests of this file."""
    ride = server.load_ride(f"published{NO_TABLES}")
    server.wait_for_worker()
    return ride


@pytest.fixture
def ride(published_ride: DemoRide, organiser_client: HttpClient) -> Iterator[DemoRide]:
    """That ride, whose reveal is ended after the test."""
    yield published_ride
    organiser, end = Organiser(organiser_client, published_ride), "Show everyone live standings again"
    organiser.open("screen/")
    if end in organiser.page.text:
        organiser.submit(end)


@pytest.fixture
def tablet(take_page: TakePage, organiser_cookies: StorageState) -> Page:
    return take_page(TABLET, organiser_cookies)


def start(tablet: Page, ride: DemoRide) -> Page:
    tablet.goto(f"{ride.desk}microphone/")
    tablet.get_by_role("button", name="Start the reveal").click()
    expect(get_status(tablet)).to_have_text("The screens follow.")
    return tablet


def open_screen(page: Page, ride: DemoRide) -> Locator:
    """Open the big screen and return its content, which says at which step it is."""
    with page.expect_request(lambda request: "stream?" in request.url):
        page.goto(f"/events/{ride.slug}/screen")
    return page.locator("#screen")


def get_status(tablet: Page) -> Locator:
    return tablet.locator("[data-status]")


def get_item(tablet: Page) -> Locator:
    return tablet.locator("[data-item]:visible")


def tap(tablet: Page, name: str) -> None:
    """Tap a button once, as a person does who waits for the response."""
    tablet.wait_for_timeout(PAUSE)
    tablet.get_by_role("button", name=name, exact=True).click()


def go_to_places(tablet: Page) -> int:
    """Go to the first place that is announced, and return its step."""
    while get_item(tablet).get_by_role("heading").inner_text() != "10th place":
        tap(tablet, "Next")
    return get_step(tablet)


def get_step(tablet: Page) -> int:
    return int(get_item(tablet).get_attribute("data-step") or "")


def expect_step(screen: Locator, step: int, timeout: int = WITHIN) -> None:
    expect(screen).to_have_attribute("data-step", str(step), timeout=timeout)


def test_next_and_back_move_the_screen_at_once(tablet: Page, take_page: TakePage, ride: DemoRide) -> None:
    screen = open_screen(take_page(SMALL_WALL), ride)
    start(tablet, ride)
    expect_step(screen, 0)
    tenth = go_to_places(tablet)
    expect_step(screen, tenth)
    heading = get_item(tablet).get_by_role("heading")
    expect(heading).to_have_text("10th place")
    number = get_item(tablet).locator(".script__number").inner_text()
    expect(screen.locator(".announcement__number")).to_have_text(number)
    coming = tablet.locator("[data-coming]").inner_text()

    began = time.monotonic()
    tap(tablet, "Next")
    expect_step(screen, tenth + 1)
    assert time.monotonic() - began < (WITHIN + PAUSE) / 1000
    assert coming.startswith(heading.inner_text())
    tap(tablet, "Back")
    expect_step(screen, tenth)

    tablet.wait_for_timeout(PAUSE)
    tablet.keyboard.press("ArrowRight")
    expect_step(screen, tenth + 1)
    tablet.wait_for_timeout(PAUSE)
    tablet.keyboard.press("PageUp")
    expect_step(screen, tenth)
    assert tablet.evaluate("window.scrollY") == 0


def test_without_network_it_goes_on_and_the_screen_catches_up(
    tablet: Page, take_page: TakePage, page_monitor: PageMonitor, ride: DemoRide
) -> None:
    page_monitor.may_be_offline = True
    screen = open_screen(take_page(SMALL_WALL), ride)
    start(tablet, ride)
    tenth = go_to_places(tablet)
    expect_step(screen, tenth)

    tablet.context.set_offline(True)
    for place in ("9th place", "8th place", re.compile("^6th place")):
        tap(tablet, "Next")
        expect(get_item(tablet).get_by_role("heading")).to_have_text(place)
    expect(get_status(tablet)).to_have_text("No connection: the screens will follow.")
    expect_step(screen, tenth)
    tablet.context.set_offline(False)

    expect_step(screen, tenth + 3, timeout=A_WHILE)
    expect(get_status(tablet)).to_have_text("The screens follow.")
    expect(get_item(tablet).get_by_role("heading")).to_have_text(re.compile("^6th place"))


def test_a_move_whose_response_is_lost_counts_once(
    tablet: Page, take_page: TakePage, page_monitor: PageMonitor, ride: DemoRide
) -> None:
    page_monitor.may_be_offline = True
    screen = open_screen(take_page(SMALL_WALL), ride)
    start(tablet, ride)
    tenth = go_to_places(tablet)
    expect_step(screen, tenth)
    lost: list[int] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()

    tablet.route("**/microphone/step/", lose)
    tap(tablet, "Next")
    expect_step(screen, tenth + 1)
    expect(get_status(tablet)).to_have_text("No connection: the screens will follow.")
    tap(tablet, "Back")
    expect_step(screen, tenth, timeout=A_WHILE)
    expect(get_item(tablet)).to_have_attribute("data-step", str(tenth))
    assert lost == [200]


def test_a_double_tap_and_a_second_tablet_move_it_once(
    tablet: Page, take_page: TakePage, organiser_cookies: StorageState, ride: DemoRide
) -> None:
    screen = open_screen(take_page(SMALL_WALL), ride)
    start(tablet, ride)
    tenth = go_to_places(tablet)
    expect_step(screen, tenth)
    second = take_page(TABLET, organiser_cookies)
    second.goto(f"{ride.desk}microphone/")
    expect(get_item(second)).to_have_attribute("data-step", str(tenth))

    tablet.wait_for_timeout(PAUSE)
    tablet.get_by_role("button", name="Next", exact=True).dblclick()
    expect_step(screen, tenth + 1)
    second.get_by_role("button", name="Next", exact=True).click()
    expect(get_status(second)).to_have_text("The screens follow.")

    for page in (tablet, second):
        expect(get_item(page)).to_have_attribute("data-step", re.compile(f"^({tenth + 1}|{tenth + 2})$"))
    tap(tablet, "Next")
    expect_step(screen, tenth + 2)
    expect(get_item(second)).to_have_attribute("data-step", str(tenth + 2), timeout=A_WHILE)


def test_a_reveal_that_has_ended_is_not_started_again(
    tablet: Page, desk: Page, take_page: TakePage, ride: DemoRide
) -> None:
    screen = open_screen(take_page(SMALL_WALL), ride)
    start(tablet, ride)
    desk.goto(f"{ride.desk}screen/")
    desk.get_by_role("button", name="Show everyone live standings again").click()
    expect(screen).to_have_attribute("data-phase", "live")
    tap(tablet, "Next")
    expect(get_status(tablet)).to_have_text("The reveal was started again or has ended. Load this page again.")
    expect(screen).to_have_attribute("data-phase", "live")


def test_it_is_large_readable_and_prints_as_a_script(tablet: Page, ride: DemoRide) -> None:
    tablet.goto(f"{ride.desk}microphone/")
    assert [*list_barriers(tablet), *list_page_problems(tablet)] == []
    start(tablet, ride)
    go_to_places(tablet)

    for name in ("Back", "Next"):
        box = get_box(tablet.get_by_role("button", name=name, exact=True))
        assert min(box["width"], box["height"]) >= 96
        assert box["y"] + box["height"] <= TABLET["height"]
    winner = get_item(tablet).locator(".script__name").first
    assert winner.evaluate("element => parseFloat(getComputedStyle(element).fontSize)") >= 56
    assert [*list_barriers(tablet), *list_page_problems(tablet)] == []
    tablet.set_viewport_size({"width": 360, "height": 640})
    assert [*measure(tablet, "wide"), *measure(tablet, "cut")] == []
    tablet.set_viewport_size(TABLET)

    count = tablet.locator("[data-item]").count()
    tablet.emulate_media(media="print")
    expect(tablet.locator("[data-item]:visible")).to_have_count(count)
    for hidden in ("Next", "Back", "Print the script"):
        expect(tablet.get_by_role("button", name=hidden, exact=True)).to_have_count(0)
    expect(tablet.locator(".script-bar")).to_be_hidden()
    assert tablet.evaluate("getComputedStyle(document.querySelector('.script__name')).color") == "rgb(0, 0, 0)"


def test_without_scripts_its_buttons_go_from_item_to_item(
    new_context: Callable[..., BrowserContext], organiser_cookies: StorageState, ride: DemoRide
) -> None:
    context = new_context(viewport=TABLET, storage_state=organiser_cookies, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{ride.desk}microphone/")
    page.get_by_role("button", name="Start the reveal").click()
    first = get_item(page).get_by_role("heading").inner_text()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(get_item(page)).to_have_count(1)
    expect(get_item(page).get_by_role("heading")).not_to_have_text(first)
    expect(page.get_by_text(re.compile(r"^2 of \d+$"))).to_be_visible()
    page.get_by_role("button", name="Back", exact=True).click()
    expect(get_item(page).get_by_role("heading")).to_have_text(first)
