"""Whether the dice are fair, and testing them on a phone that loses its signal."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, StorageState, expect

from tests.browser.conftest import TakePage
from tests.browser.measure import PHONE, list_page_problems
from tests.browser.page_monitor import PageMonitor
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide

SOON = 20_000  # milliseconds: the worker counts
SHOTS = os.environ.get("DICE_SHOTS")


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride between two stops for all tests of this file; each test of dice has a name of its own."""
    return server.load_ride("parks")


@pytest.fixture
def phone(take_page: TakePage, organiser_cookies: StorageState) -> Page:
    """The organiser's phone."""
    return take_page(PHONE, organiser_cookies)


def start_test(page: Page, ride: DemoRide, name: str) -> None:
    page.goto(f"{ride.desk}dice/")
    page.get_by_role("link", name="Test these dice").click()
    page.get_by_label("Which dice").fill(name)
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Start the test").click()
    expect(page.get_by_text("0 of 500")).to_be_visible()


def tap(page: Page, faces: str) -> None:
    for face in faces:
        page.locator(f".dice-test-pad button[value='{face}']").click()


def tap_quickly(page: Page, faces: str) -> None:
    """Tap many faces without moving a finger for each."""
    page.wait_for_load_state()  # the script that counts them is there
    page.evaluate(
        """faces => {
          for (const face of faces) document.querySelector(`.dice-test-pad button[value='${face}']`).click();
        }""",
        faces,
    )


def lose_signal(route: Route) -> None:
    """Let pages through and no throws."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def shoot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)


def test_the_worker_counts_the_dice_while_the_page_waits(desk: Page, phone: Page, ride: DemoRide) -> None:
    desk.goto(f"{ride.desk}?phase=afterwards")
    desk.get_by_role("navigation").get_by_role("link", name="Are the dice fair?").click()

    expect(desk.get_by_text("Counted at")).to_be_visible(timeout=SOON)
    expect(desk.get_by_text("No dice look loaded.")).to_be_visible(timeout=SOON)
    expect(desk.get_by_text("being counted")).to_have_count(0, timeout=SOON)
    desk.locator("details.fold > summary").first.click()
    expect(desk.get_by_role("table").first).to_be_visible()
    assert list_page_problems(desk) == []
    shoot(desk, "audit-1280")
    phone.goto(f"{ride.desk}dice/")
    phone.locator("details.fold > summary").first.click()
    assert list_page_problems(phone) == []
    shoot(phone, "audit-360")


def test_throws_survive_lost_signal_and_a_reload(
    phone: Page, desk: Page, ride: DemoRide, page_monitor: PageMonitor
) -> None:
    page_monitor.may_be_offline = True
    start_test(phone, ride, "Rita’s dice")
    tap(phone, "665")
    status = phone.get_by_role("status").filter(has_text="Sent")
    expect(status).to_be_visible()
    phone.get_by_role("button", name="Undo").click()
    expect(status).to_be_visible()

    phone.route(
        "**/dice/tests/**", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    tap(phone, "1234")
    expect(phone.get_by_text("6 of 500")).to_be_visible()
    expect(phone.get_by_text("Saved on this phone, waiting to send")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("6 of 500")).to_be_visible()

    desk.goto(phone.url)
    expect(desk.get_by_text("2 of 500")).to_be_visible()
    tap(desk, "3")
    expect(desk.get_by_role("status").filter(has_text="Sent")).to_be_visible()

    phone.unroute("**/dice/tests/**")
    expect(phone.get_by_text("7 of 500")).to_be_visible(timeout=SOON)
    expect(status).to_be_visible(timeout=SOON)
    desk.reload()
    expect(desk.get_by_text("7 of 500")).to_be_visible()
    expect(desk.locator("[data-face-count]")).to_have_text(["1", "1", "2", "1", "0", "2"])
    assert list_page_problems(phone) == []
    assert list_page_problems(desk) == []
    shoot(phone, "test-360")
    shoot(desk, "test-1280")


def test_a_test_works_without_javascript(
    new_context: Callable[..., BrowserContext], organiser_cookies: StorageState, ride: DemoRide
) -> None:
    page = new_context(storage_state=organiser_cookies, java_script_enabled=False).new_page()
    start_test(page, ride, "The spare dice")

    tap(page, "66")
    page.get_by_role("button", name="Undo").click()

    expect(page.get_by_text("1 of 500")).to_be_visible()


def test_dice_that_show_too_many_sixes_are_found(phone: Page, ride: DemoRide) -> None:
    start_test(phone, ride, "Loaded dice")

    tap_quickly(phone, "6612663456" * 5)

    expect(phone.get_by_text("50 of 500")).to_be_visible()
    expect(phone.get_by_text("These throws")).to_be_visible()
    tap_quickly(phone, "6666666666666")
    expect(phone.get_by_text("These throws fit fair dice badly")).to_be_visible(timeout=SOON)
    assert list_page_problems(phone) == []
    shoot(phone, "loaded-360")
