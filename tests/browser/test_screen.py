"""The big screen at 1920 by 1080: readable across a hall, unattended for hours, controlled by the organiser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from tests.browser.conftest import FindCrewClient, TakePage
from tests.browser.measure import list_barriers, measure
from tests.browser.running_server import RunningServer
from tests.browser.waits import wait_until
from tests.browser.walls import SMALL_WALL
from tests.demo_data import DemoRide

WALL: ViewportSize = {"width": 1920, "height": 1080}
A_WHILE = 30_000  # milliseconds
LOCKS = """
window.locks = [];
if (navigator.wakeLock) {  // an empty page has none
  const request = navigator.wakeLock.request.bind(navigator.wakeLock);
  navigator.wakeLock.request = async (kind) => {
    const lock = await request(kind);
    window.locks.push(lock);
    return lock;
  };
}
"""
REFUSED = """
if (navigator.wakeLock) navigator.wakeLock.request = async () => { throw new DOMException("", "NotAllowedError"); };
"""


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride between two stops for the tests that change it, each of which ends with live standings or is the last."""
    ride = server.load_ride("parks")
    server.wait_for_worker()
    return ride


@pytest.fixture
def unchanged_ride(server: RunningServer) -> DemoRide:
    """A ride between two stops for all tests that only read."""
    return server.ride("parks")


@pytest.fixture
def screen(take_page: TakePage, ride: DemoRide) -> Page:
    return open_screen(take_page(SMALL_WALL), ride)


def open_screen(page: Page, ride: DemoRide) -> Page:
    with page.expect_request(lambda request: "stream?" in request.url):
        page.goto(f"/events/{ride.slug}/screen")
    return page


def rows(page: Page) -> Locator:
    return page.locator("#screen tbody tr:visible")


def get_status(page: Page) -> Locator:
    return page.locator("[data-page]")


def press(desk: Page, name: str) -> None:
    with desk.expect_navigation():
        desk.get_by_role("button", name=name).click()


def wait_for_text(page: Page, shown: Locator, text: str) -> None:
    """Reload a page that does not refresh itself until it shows a text."""
    for _attempt in range(20):
        if text in shown.inner_text():
            break
        page.reload()
    expect(shown).to_contain_text(text)


def test_ten_rows_fill_it_and_nothing_overflows(take_page: TakePage, unchanged_ride: DemoRide) -> None:
    screen = open_screen(take_page(WALL), unchanged_ride)
    expect(rows(screen)).to_have_count(10)
    assert min(row.bounding_box()["height"] for row in rows(screen).all()) >= 56  # type: ignore[index]
    assert screen.evaluate("document.documentElement.scrollHeight") <= WALL["height"]
    assert [*measure(screen, "wide"), *measure(screen, "small", 48), *list_barriers(screen)] == []
    expect(screen.get_by_text(re.compile(r"To play at .+: .+"))).to_be_visible()
    expect(screen.get_by_text(re.compile(r"As of \d\d:\d\d:\d\d"))).to_be_visible()
    expect(screen.get_by_text("Unofficial, ").filter(visible=True)).to_be_visible()


def test_its_pages_turn_by_themselves_and_by_keys_and_can_be_paused(
    new_context: Callable[..., BrowserContext], unchanged_ride: DemoRide
) -> None:
    context = new_context(viewport=SMALL_WALL)
    context.clock.install()
    screen = open_screen(context.new_page(), unchanged_ride)
    expect(get_status(screen)).to_have_text(re.compile(r"^Page 1 of \d+$"))
    context.clock.fast_forward(11_000)
    expect(get_status(screen)).to_have_text(re.compile("^Page 2 "))

    screen.keyboard.press("ArrowRight")
    expect(get_status(screen)).to_have_text(re.compile("^Page 3 "))
    screen.keyboard.press("ArrowLeft")
    screen.keyboard.press("ArrowLeft")
    expect(get_status(screen)).to_have_text(re.compile("^Page 1 "))
    screen.keyboard.press("Space")
    expect(screen.get_by_role("button", name="Pause", pressed=True)).to_be_visible()
    context.clock.fast_forward(60_000)
    expect(get_status(screen)).to_have_text(re.compile("^Page 1 "))
    screen.get_by_role("button", name="Next page").click()
    expect(get_status(screen)).to_have_text(re.compile("^Page 2 "))


def test_it_stays_on_and_takes_the_lock_again_when_it_was_lost(
    browser_with_windows: Browser, server: RunningServer, unchanged_ride: DemoRide
) -> None:
    context = browser_with_windows.new_context(base_url=server.url, viewport=SMALL_WALL)
    context.add_init_script(LOCKS)
    screen = open_screen(context.new_page(), unchanged_ride)

    wait_until(screen, "locks.length === 1")
    expect(screen.locator("[data-wake-hint]")).to_be_hidden()

    screen.evaluate("locks[0].release().then(() => document.dispatchEvent(new Event('visibilitychange')))")

    wait_until(screen, "locks.length === 2 && !locks[1].released")


def test_a_browser_that_refuses_to_stay_on_is_reported(
    new_context: Callable[..., BrowserContext], unchanged_ride: DemoRide
) -> None:
    context = new_context(viewport=SMALL_WALL)
    context.add_init_script(REFUSED)
    screen = open_screen(context.new_page(), unchanged_ride)

    expect(screen.get_by_text("cannot keep the screen on")).to_be_visible()


def test_frozen_standings_stay_on_screen_and_phones_and_are_revealed_step_by_step(
    screen: Page, desk: Page, crew_client: FindCrewClient, take_page: TakePage, ride: DemoRide
) -> None:
    screen.keyboard.press("Space")
    desk.goto(f"{ride.desk}?phase=prize-giving")
    desk.get_by_role("navigation").get_by_role("link", name="Big screen").click()
    expect(desk.get_by_role("heading", name="What it shows")).to_be_visible()
    for box in desk.locator("[data-order-row]").filter(has_not_text="R.O.C.K").get_by_role("checkbox").all():
        box.uncheck()
    desk.get_by_label("Sponsor line").fill("Coffee by <b>Ozweld's</b>")
    desk.get_by_role("button", name="Save the screen").click()
    expect(screen.get_by_text("Coffee by <b>Ozweld's</b>")).to_be_visible()
    expect(get_status(screen)).to_have_text("Page 1 of 4")

    crowd = take_page({"width": 360, "height": 640})
    crowd.goto(ride.board)
    press(desk, "Freeze the standings")
    frozen = re.compile(r"^Standings frozen at \d\d:\d\d; the result is announced at the finale\.$")
    for page in (screen, desk, crowd):
        expect(page.get_by_text(frozen)).to_be_visible()
    board_before = crowd.locator("tbody").all_inner_texts()
    assert [*measure(crowd, "wide"), *list_barriers(crowd)] == []
    screen.set_viewport_size(WALL)
    assert [*measure(screen, "wide"), *list_barriers(screen)] == []
    screen.set_viewport_size(SMALL_WALL)
    leader = rows(screen).first.inner_text()
    crew_client(ride, "Emil").record_turn("BBQ", "12", "66666", "yahtzee")
    desk.goto(f"{ride.desk}cards/")
    twelve = desk.locator("tbody tr", has=desk.get_by_role("link", name="12", exact=True)).first
    wait_for_text(desk, twelve, "3 of 5")
    expect(twelve).to_contain_text(re.compile(r"Place \d+=? with \d+"))
    crowd.reload()
    assert crowd.locator("tbody").all_inner_texts() == board_before
    assert rows(screen).first.inner_text() == leader
    expect(screen.locator("tbody tr", has_text="3/5")).to_have_count(0)

    desk.goto(f"{ride.desk}screen/")
    press(desk, "Start the reveal")
    expect(screen.get_by_text("Prize giving")).to_be_visible()
    expect(screen.locator(".is-first")).to_have_count(0)
    counts = [screen.locator("tbody tr").count()]
    while desk.get_by_role("button", name="Reveal next").count():
        step = screen.locator("#screen").get_attribute("data-step")
        press(desk, "Reveal next")
        expect(screen.locator("#screen")).not_to_have_attribute("data-step", step or "")
        counts.append(screen.locator("tbody tr").count())
    places = [count for count in counts if count]
    assert places == sorted(set(places)), "with each step more"
    for part in ("#screen-announcement", "#screen-podium", ".is-first"):
        expect(screen.locator(part).first).to_be_visible()
        screen.keyboard.press("ArrowRight")
    expect(crowd.locator("tbody tr", has_text="3/5")).to_have_count(1, timeout=A_WHILE)
    expect(crowd.get_by_text(frozen)).to_have_count(0)
    press(desk, "Go back one")
    expect(screen.locator(".is-first")).to_have_count(0)

    press(desk, "Show everyone live standings again")
    expect(screen.locator("tbody tr", has_text="3/5")).to_have_count(1)


def test_a_roll_moves_a_row_and_is_announced_as_text(screen: Page, crew_client: FindCrewClient, ride: DemoRide) -> None:
    crew_client(ride, "Emil").record_turn("BBQ", "8", "66666", "yahtzee")

    expect(screen.get_by_role("status")).to_have_text(re.compile(r"^Bike 8 is now "))
    expect(rows(screen)).to_have_count(10)


def test_without_a_script_it_turns_its_pages_by_reloading(
    new_context: Callable[..., BrowserContext], unchanged_ride: DemoRide
) -> None:
    page = new_context(viewport=SMALL_WALL, java_script_enabled=False).new_page()
    page.goto(f"/events/{unchanged_ride.slug}/screen")
    expect(rows(page)).to_have_count(10)
    expect(page.get_by_text(re.compile(r"^Page 1 of "))).to_be_visible()
    first = rows(page).first.inner_text()

    seconds, _semicolon, then = (page.locator("meta[http-equiv=refresh]").get_attribute("content") or "").partition(
        "; "
    )
    assert seconds == "10"
    page.goto(then.removeprefix("url="))
    expect(page.get_by_text(re.compile(r"^Page 2 of "))).to_be_visible()
    assert rows(page).first.inner_text() != first


def test_at_a_screen_an_organiser_is_signed_in_at_a_key_reveals(desk: Page, ride: DemoRide) -> None:
    desk.goto(f"{ride.desk}screen/")
    press(desk, "Start the reveal")
    open_screen(desk, ride)
    expect(desk.locator("#screen")).to_have_attribute("data-step", "0")
    desk.keyboard.press("Enter")
    expect(desk.locator("#screen")).to_have_attribute("data-step", "1")
    desk.keyboard.press("PageUp")
    expect(desk.locator("#screen")).to_have_attribute("data-step", "0")
