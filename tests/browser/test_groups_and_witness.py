"""Groups on the leaderboard and the big screen, and the witness of a cut, from the organiser's form to the result."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import FindCrewClient, TakePage
from tests.browser.measure import DESK, PHONE, list_barriers, list_page_problems, measure
from tests.browser.running_server import RunningServer
from tests.demo_data import NO_TABLES, DemoRide

WALL: ViewportSize = {"width": 1920, "height": 1080}
SMALL_WALL: ViewportSize = {"width": 1366, "height": 768}


@pytest.fixture(scope="module")
def compared_ride(server: RunningServer) -> DemoRide:
    ride = server.load_ride("parks")
    server.wait_for_worker()
    return ride


def compare_groups(desk: Page, ride: DemoRide, choice: str, best: str = "3") -> None:
    desk.goto(f"{ride.desk}contests/rock-yahtzee/settings/")
    desk.get_by_label("Compare groups").select_option(choice)
    desk.get_by_label("Totals that count for a group").fill(best)
    desk.get_by_role("button", name="Save the contest").last.click()
    expect(desk.get_by_text("R.O.C.K. Yahtzee has been changed.")).to_be_visible()


def test_groups_follow_an_open_leaderboard_and_have_pages_on_the_screen(
    take_page: TakePage, desk: Page, crew_client: FindCrewClient, compared_ride: DemoRide
) -> None:
    compare_groups(desk, compared_ride, "By the mean of all totals")
    page = take_page(DESK)
    screen = take_page(SMALL_WALL)
    with page.expect_request(lambda request: "stream?" in request.url):
        page.goto(compared_ride.board)
    with screen.expect_request(lambda request: "stream?" in request.url):
        screen.goto(f"/events/{compared_ride.slug}/screen")
    screen.keyboard.press("Space")
    groups = screen.get_by_role("heading", name="R.O.C.K. Yahtzee: groups")
    for _turn in range(12):
        if groups.is_visible():
            break
        screen.keyboard.press("ArrowRight")
    expect(groups).to_be_visible()
    of_group = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Early Birds"))
    shown = screen.get_by_role("row").filter(has=screen.get_by_role("rowheader", name="Early Birds"))
    before = of_group.locator("td").last.inner_text()
    assert shown.locator("td").last.inner_text() == before
    page.evaluate("window.isSame = true")

    crew_client(compared_ride, "Dora").record_turn("BBQ", "3", "66666", "yahtzee")

    expect(of_group.locator("td").last).not_to_have_text(before)
    expect(shown.locator("td").last).to_have_text(of_group.locator("td").last.inner_text())
    expect(groups).to_be_visible()
    assert page.evaluate("isSame"), "the page was not loaded again"
    for size in (WALL, SMALL_WALL):
        screen.set_viewport_size(size)
        assert [*measure(screen, "wide"), *list_barriers(screen)] == []
    assert list_page_problems(page) == []
    page.set_viewport_size(WALL)
    assert list_barriers(page, with_rules=("color-contrast",)) == []


def test_the_form_explains_a_number_that_is_missing(desk: Page, compared_ride: DemoRide) -> None:
    desk.goto(f"{compared_ride.desk}contests/rock-yahtzee/settings/")
    desk.get_by_label("Compare groups").select_option("By the sum of the best totals")
    desk.get_by_label("Totals that count for a group").fill("")
    desk.get_by_role("button", name="Save the contest").last.click()

    link = desk.get_by_role("alert").get_by_role("link", name="Enter how many totals count for a group, from 1 to 50.")
    link.click()
    expect(desk.get_by_label("Totals that count for a group")).to_be_focused()
    assert list_barriers(desk) == []


def test_cards_are_entered_with_a_witness_whom_the_result_names(
    take_page: TakePage, server: RunningServer, desk: Page
) -> None:
    ride = server.load_ride(f"closed{NO_TABLES}")
    server.wait_for_worker()
    desk.set_viewport_size(PHONE)
    desk.goto(f"{ride.desk}finish/rock-yahtzee/ties/")
    for number, card in enumerate(("King", "2")):
        desk.get_by_label("Card").nth(number).select_option(card)
        desk.get_by_label("Suit").nth(number).select_option("Hearts")
    assert [*measure(desk, "small", 48), *list_page_problems(desk)] == []

    desk.get_by_role("button", name="Record cards").click()
    desk.get_by_role("alert").get_by_role("link", name="Enter the name of the witness.").click()
    expect(desk.get_by_label("Witness")).to_be_focused()
    expect(desk.get_by_label("Card").first).to_have_value("K")
    desk.get_by_label("Witness").fill("Wim Watcher")
    desk.get_by_role("button", name="Record cards").click()
    expect(desk.get_by_text("No ties left")).to_be_visible()
    expect(desk.get_by_text("Witness: Wim Watcher")).to_be_visible()
    server.wait_for_worker()

    page = take_page(PHONE)
    page.goto(ride.board)
    result = page.get_by_role("region", name="How ties were decided")
    expect(result.get_by_text("king of hearts")).to_be_visible()
    expect(result.get_by_text("Witness: Wim Watcher")).to_be_visible()
    assert list_page_problems(page) == []
