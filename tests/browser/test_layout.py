"""What the most used pages have to show at once, on the smallest usual phone and on the organiser's screen."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone, TakePage
from tests.browser.injections import restore_name
from tests.browser.measure import DESK, PHONE, get_box
from tests.browser.running_server import RunningServer
from tests.demo_data import DATABASE, DemoRide


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    return server.ride("bbq")


COLOUR_SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# One word, so that it can only be broken within.
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"


def get_bottom(found: Locator) -> float:
    box = get_box(found)
    return box["y"] + box["height"]


def test_the_roster_shows_four_bikes_without_scrolling_and_all_stops_in_one_row(
    new_phone: NewPhone, server: RunningServer
) -> None:
    phone = new_phone(server.ride("parks"), "Emil")
    crew.show_group(phone, "Finale")
    stops = phone.get_by_role("navigation", name="Stops")

    assert get_bottom(phone.locator(".bike-row").nth(3)) <= PHONE["height"]
    assert len({get_box(stop)["y"] for stop in stops.get_by_role("link").all()}) == 1
    current = get_box(stops.locator("[aria-current]"))
    assert current["x"] >= 0
    assert current["x"] + current["width"] <= PHONE["width"]


def test_the_search_for_a_bike_is_folded_until_it_is_used(new_phone: NewPhone, server: RunningServer) -> None:
    phone = new_phone(server.ride("parks"), "Emil")
    phone.goto("/crew/")
    expect(phone.get_by_label("Bike number")).to_be_hidden()

    crew.find_bike(phone, "12")

    expect(phone.get_by_role("heading", name="Bikes numbered 12")).to_be_visible()
    expect(phone.get_by_label("Bike number")).to_be_visible()


def test_the_result_is_large_and_next_steps_are_visible(new_phone: NewPhone, ride: DemoRide) -> None:
    phone = new_phone(ride, "Emil")
    crew.show_bike(phone, "Finale", "30")
    crew.record_turn(phone, "22266", "Full house")

    result = phone.locator(".turn-result")
    expect(result).to_contain_text("Full house 25 points Bike 30")
    size = result.get_by_text("25 points").evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
    assert size >= 32
    expect(result.locator(".die__face")).to_have_count(5)
    assert len({get_box(die)["y"] for die in result.locator(".die__face").all()}) == 1
    assert get_bottom(phone.get_by_role("link", name="All bikes").last) <= PHONE["height"]


def test_a_phones_result_has_its_headings_and_each_bike_in_one_line_and_remarks_below(
    take_page: TakePage, server: RunningServer
) -> None:
    page = take_page(PHONE)
    page.goto(server.ride("published").board)
    board = page.locator(".board-table--whole")

    headings = [get_box(heading) for heading in board.locator("thead th").all() if heading.is_visible()]
    assert len(headings) == 5
    assert max(box["y"] for box in headings) < min(box["y"] + box["height"] for box in headings)
    first = board.locator("tbody tr").first
    remark = get_box(first.locator("small"))
    assert remark["y"] >= get_bottom(first.locator("td").last)
    assert remark["width"] > PHONE["width"] / 2


def test_a_phone_shows_each_prize_of_a_result_from_its_left_edge(take_page: TakePage, server: RunningServer) -> None:
    page = take_page(PHONE)
    page.goto(server.ride("published").board)
    cup = page.get_by_role("row").filter(has_text="The Tail Light Cup")

    edges = {get_box(part)["x"] for part in cup.locator("th, td, td strong, td .hint").all()}
    assert len(edges) == 1


def test_a_bike_has_one_line_on_a_phones_leaderboard_and_all_of_it_is_a_link(
    take_page: TakePage, server: RunningServer
) -> None:
    page = take_page(PHONE)
    page.goto(server.ride("parks").board)
    row = page.locator("#board-rows tr").first
    cells = [cell for cell in row.locator("th, td").all() if cell.is_visible()]

    assert len(cells) == 5
    middles = [get_box(cell)["y"] + get_box(cell)["height"] / 2 for cell in cells]
    assert max(middles) - min(middles) < 10
    assert 48 <= get_box(row)["height"] < 72
    size = get_box(row)
    row.click(position={"x": size["width"] - 10, "y": size["height"] - 5})
    expect(page.locator(".scorecard")).to_be_visible()


def test_a_name_of_one_long_word_makes_no_page_wider_than_a_phone(
    take_page: TakePage, desk: Page, server: RunningServer
) -> None:
    ride = server.load_ride("setup")
    for settings, button in (
        ("settings/", "Save the settings"),
        ("contests/rock-yahtzee/settings/", "Save the contest"),
    ):
        desk.goto(f"{ride.desk}{settings}")
        desk.get_by_label("Name", exact=True).fill(LONG_WORD)
        desk.get_by_role("button", name=button).last.click()
        expect(desk.get_by_role("status").or_(desk.locator(".notice")).first).to_be_visible()
    desk.set_viewport_size(PHONE)
    crowd = take_page(PHONE)

    public = f"/events/{ride.slug}/"
    for page, path in ((desk, ride.desk), (crowd, public), (crowd, f"{public}route/"), (crowd, ride.board)):
        page.goto(path)
        assert LONG_WORD in page.locator("body").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], path
    desk.set_viewport_size(DESK)
    restore_name(server.data / DATABASE, ride.slug)


def test_the_overview_has_two_columns_on_a_wide_screen_and_one_on_a_phone(desk: Page, server: RunningServer) -> None:
    desk.set_viewport_size(DESK)
    desk.goto(server.ride("parks").desk)
    side, main = desk.locator(".desk-columns__side"), desk.locator(".desk-columns__main")

    assert get_box(side)["y"] == get_box(main)["y"]
    expect(desk.locator(".site-bar__event")).to_have_text("Tail Light Run")
    desk.set_viewport_size(PHONE)
    assert get_bottom(side) <= get_box(main)["y"]
    desk.set_viewport_size(DESK)


def test_crew_pages_are_dark_where_the_phone_is(page: Page) -> None:
    page.goto("/crew/ready/")
    grounds = []
    for scheme in COLOUR_SCHEMES:
        page.emulate_media(color_scheme=scheme)
        red, *_ = re.findall(r"\d+", page.locator("html").evaluate("it => getComputedStyle(it).backgroundColor"))
        grounds.append(int(red))
    assert grounds[0] > 200
    assert grounds[1] < 60
