"""Searching a leaderboard, and a bike pinned on top of it: on a phone, by keyboard, live and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, ViewportSize, expect

from tests.browser.conftest import FindCrewClient, TakePage
from tests.browser.measure import DESK, NARROW, PHONE, get_box, list_barriers, measure
from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide

ZOOMED: ViewportSize = {"width": 640, "height": 360}  # a window of 1280 x 720 at 200 %
PIN = "This is my bike"
MOVED = re.compile(r"^Bike 12 is now (tied for )?\d+(st|nd|rd|th), up from \d+(st|nd|rd|th)\.$")


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride between two stops; each test that records a turn uses a bike of its own."""
    ride = server.load_ride("parks")
    server.wait_for_worker()
    return ride


@pytest.fixture
def pinned(page: Page) -> Locator:
    return page.locator("#mine [data-row]")


def get_search(page: Page) -> Locator:
    return page.get_by_role("searchbox")


def pin(page: Page, ride: DemoRide, number: str) -> None:
    """Find a bike on the leaderboard, and pin it."""
    page.goto(ride.board)
    get_search(page).fill(number)
    page.locator("#found").get_by_role("button", name=f"{PIN} ({number})").click()
    expect(page.locator("#mine [data-row]").filter(has=page.get_by_text(number, exact=True))).to_be_visible()


def test_a_search_filters_while_someone_types_without_a_request(page: Page, ride: DemoRide) -> None:
    page.goto(ride.board)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))

    get_search(page).press_sequentially("CÁL")

    found = page.locator("#found")
    expect(found.get_by_role("heading")).to_have_text("Found: 1")
    expect(found.get_by_role("link", name="12 Cal D.")).to_be_visible()
    expect(page.locator("#status")).to_have_text("Found: 1")
    get_search(page).fill("(.*")
    expect(found).to_contain_text("Nobody is called “(.*”. Try the number on the bike.")
    get_search(page).fill("x" * 150)
    expect(found).to_contain_text("Only the first 100 characters were searched.")
    get_search(page).fill("12")
    get_search(page).press("Enter")
    expect(found).to_be_focused()
    assert [url for url in requests if "stream?" not in url] == []
    for size in (PHONE, NARROW):
        page.set_viewport_size(size)
        assert [*measure(page, "wide"), *measure(page, "small", 48)] == []
    assert list_barriers(page) == []
    found.get_by_role("link", name="Close the search").click()
    expect(found).to_be_hidden()
    expect(get_search(page)).to_be_focused()


def test_a_pinned_bike_is_remembered_and_on_top_of_every_page_one_tap_away(
    page: Page, ride: DemoRide, pinned: Locator
) -> None:
    pin(page, ride, "17")
    expect(page.locator("#mine-note")).to_contain_text("Your bike is pinned")

    page.goto(ride.board)
    expect(pinned).to_have_count(1)
    expect(pinned).to_contain_text("Lena F.")
    expect(pinned).to_contain_text(re.compile(r"points? to \d+\w+ place"))
    expect(pinned).to_contain_text("Last turn, Parks: ")
    expect(page.locator("#board-rows tr.is-mine th")).to_have_text("17")
    for size in (PHONE, NARROW):
        page.set_viewport_size(size)
        assert [*measure(page, "wide"), *measure(page, "small", 48)] == []
    assert list_barriers(page) == []
    page.emulate_media(color_scheme="dark")
    assert list_barriers(page) == []
    page.emulate_media(color_scheme="light")

    page.goto(f"/events/{ride.slug}/")
    expect(pinned.first).to_contain_text("R.O.C.K. Yahtzee")
    assert list_barriers(page) == []
    pinned.first.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("17")
    expect(pinned).to_contain_text("Lena F.")
    assert [*measure(page, "wide"), *list_barriers(page)] == []
    page.get_by_role("button", name="Not my bike any more").click()
    expect(pinned).to_have_count(0)
    expect(page.get_by_role("button", name=PIN)).to_be_visible()
    page.goto(ride.board)
    expect(page.locator("#mine")).to_be_hidden()


def test_a_move_is_announced_once_and_nothing_on_load(
    page: Page, ride: DemoRide, pinned: Locator, crew_client: FindCrewClient
) -> None:
    pin(page, ride, "12")
    with page.expect_request(lambda request: "stream?" in request.url):
        page.goto(ride.board)
    expect(pinned).to_contain_text("Cal D.")
    page.evaluate(
        """() => {
          window.said = [];
          document.addEventListener("say", ({ detail }) => window.said.push(detail));
        }"""
    )
    assert page.locator("#status").inner_text() == ""
    before = pinned.locator("[data-rank-label]").inner_text()

    crew_client(ride, "Emil").record_turn("BBQ", "12", "66666", "yahtzee")

    expect(page.locator("#status")).to_have_text(MOVED)
    expect(pinned.locator("[data-rank-label]")).not_to_have_text(before)
    expect(pinned).to_contain_text("Last turn, BBQ: Yahtzee, 50 points")
    row = page.locator("#board-rows tr.is-mine")
    assert pinned.locator("[data-rank-label]").inner_text() == row.locator("td").first.inner_text()
    assert pinned.locator("[data-total-text]").inner_text() == row.locator("td").last.inner_text()
    assert page.evaluate("said.length") == 1


def test_the_pinned_row_stays_on_top_and_covers_nothing_that_has_the_focus(
    page: Page, ride: DemoRide, pinned: Locator
) -> None:
    pin(page, ride, "58")
    page.goto(ride.board)
    expect(pinned).to_be_visible()
    assert page.evaluate("scrollY") == 0
    top = get_box(pinned)
    assert get_box(get_search(page))["y"] >= top["y"] + top["height"], "it is above the page, not over it"

    last = page.locator("#board-rows a").last
    last.focus()
    for _row in range(8):
        page.keyboard.press("Shift+Tab")
        box, bar = get_box(page.locator(":focus")), get_box(pinned)
        assert box["y"] >= bar["y"] + bar["height"] - 1
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    assert get_box(pinned)["y"] == pytest.approx(0, abs=1)

    page.set_viewport_size(ZOOMED)
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    assert get_box(pinned)["y"] < -100, "where there is little room it scrolls away"
    assert measure(page, "wide") == []


def test_a_family_pins_five_bikes_and_is_told_that_there_is_no_room_for_a_sixth(
    page: Page, ride: DemoRide, pinned: Locator
) -> None:
    numbers = ["94", "75", "47", "34", "63", "8"]
    for number in numbers[:5]:
        pin(page, ride, number)
    get_search(page).fill(numbers[5])
    page.locator("#found").get_by_role("button", name=f"{PIN} ({numbers[5]})").click()

    expect(page.locator("#mine-note")).to_contain_text("there is room for no more. Remove one first.")
    expect(pinned).to_have_count(5)
    page.get_by_role("button", name="Remove 94 from the top").press("Enter")
    expect(pinned).to_have_count(4)
    expect(pinned.first).to_contain_text("75")
    page.reload()
    expect(pinned).to_have_count(4)


def test_a_link_from_the_family_pins_its_bike(page: Page, ride: DemoRide, pinned: Locator, take_page: TakePage) -> None:
    pin(page, ride, "21")
    bike = pinned.get_attribute("data-pin")

    other = take_page(DESK)
    other.goto(f"{ride.board}?mine={bike}")

    expect(other.locator("#mine [data-row]")).to_contain_text("Eli G.")
    expect(other).to_have_url(re.compile(r"/rock-yahtzee/$"))
    other.reload()
    expect(other.locator("#mine [data-row]")).to_contain_text("Eli G.")


def test_without_scripts_a_plain_form_searches_and_pins(
    plain_page: Page, ride: DemoRide, new_context: Callable[..., BrowserContext]
) -> None:
    plain_page.goto(ride.board)
    plain_page.get_by_role("link", name="Search on a page that does not").click()
    expect(plain_page.locator("meta[http-equiv=refresh]")).to_have_count(0)
    get_search(plain_page).fill("kit walt")
    get_search(plain_page).press("Enter")

    found = plain_page.locator("#found")
    expect(found.get_by_role("heading")).to_have_text("1 result for “kit walt”")
    expect(get_search(plain_page)).to_have_value("kit walt")
    assert [*measure(plain_page, "wide"), *measure(plain_page, "small", 48)] == []
    found.get_by_role("button", name=f"{PIN} (75)").click()
    pinned = plain_page.locator("#mine [data-row]")
    expect(pinned).to_contain_text("Kit N., Walt")
    expect(plain_page).to_have_url(re.compile(r"\?mine="))
    assert [*measure(plain_page, "wide"), *measure(plain_page, "small", 48)] == []
    plain_page.get_by_role("button", name="Remove 75 from the top").click()
    expect(pinned).to_have_count(0)
    expect(plain_page.locator("#mine")).to_be_hidden()


def test_where_the_browser_stores_nothing_the_address_does(
    new_context: Callable[..., BrowserContext], ride: DemoRide
) -> None:
    page = new_context().new_page()
    page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('blocked'); } });")
    page.goto(ride.board)
    get_search(page).fill("57")
    page.locator("#found").get_by_role("button", name=f"{PIN} (57)").click()

    expect(page).to_have_url(re.compile(r"\?mine="))
    expect(page.locator("#mine [data-row]")).to_contain_text("57")


def test_on_the_board_of_a_class_it_has_the_place_in_the_class_and_follows_its_stream(
    page: Page, desk: Page, ride: DemoRide, pinned: Locator, crew_client: FindCrewClient
) -> None:
    numbers = ("3", "8", "12", "17")
    desk.goto(f"{ride.desk}classes/")
    desk.get_by_role("button", name="Ladies", exact=True).click()
    desk.get_by_role("link", name=re.compile("^0 bikes ?, Ladies$")).click()
    for number in numbers:
        desk.get_by_role("checkbox", name=re.compile(rf"^Bike {number}\b")).check()
    desk.get_by_label("Reason").fill("Asked at the start")
    desk.get_by_role("button", name="Save").click()
    expect(desk.get_by_role("status").filter(has_text="has been saved")).to_be_visible()

    page.goto(ride.board)
    page.get_by_role("link", name="Ladies", exact=True).click()
    expect(page.locator("#board-rows tr")).to_have_count(len(numbers))
    get_search(page).fill("58")
    expect(page.locator("#found-none")).to_be_visible()
    get_search(page).fill("3")
    with page.expect_request(lambda request: "/classes/" in request.url and "mine=" in request.url):
        page.locator("#found").get_by_role("button", name=f"{PIN} (3)").click()
    rank = pinned.locator("[data-rank-label]")
    row = page.locator("#board-rows tr.is-mine")
    expect(row.locator("th")).to_have_text("3")
    expect(rank).to_have_text(row.locator("td").first.inner_text())
    before = rank.inner_text()
    assert before != "1"
    expect(pinned.locator("[data-gap-text]")).to_have_text(re.compile(r"to (1st|2nd|3rd) place$"))
    assert [*measure(page, "wide"), *list_barriers(page)] == []

    crew_client(ride, "Dora").record_turn("BBQ", "3", "66666", "yahtzee")

    expect(pinned).to_contain_text("Last turn, BBQ: Yahtzee, 50 points")
    expect(rank).not_to_have_text(before)
    assert rank.inner_text() == row.locator("td").first.inner_text()
    assert pinned.locator("[data-total-text]").inner_text() == row.locator("td").last.inner_text()
