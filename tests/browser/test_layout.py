"""What the most used pages have to show at once, on the smallest usual phone and on the organiser's screen."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Literal

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser import crew
from tests.browser.conftest import NewPhone, TakePage
from tests.browser.injections import restore_name
from tests.browser.measure import DESK, NARROW, PHONE, get_box, list_page_problems
from tests.browser.running_server import RunningServer
from tests.browser.test_walls import RENAME
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


def test_stops_that_are_done_beyond_the_edge_do_not_widen_the_page(new_phone: NewPhone, server: RunningServer) -> None:
    phone = new_phone(server.ride("closed"), "Emil")
    crew.show_group(phone, "Finale")
    stops = phone.get_by_role("navigation", name="Stops")
    expect(stops.locator(".visually-hidden").get_by_text("done")).to_have_count(4)

    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


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

    _expect_the_whole_name_in_the_head(desk, ride)
    public = f"/events/{ride.slug}/"
    for page, path in ((desk, ride.desk), (crowd, public), (crowd, f"{public}route/"), (crowd, ride.board)):
        page.goto(path)
        assert LONG_WORD in page.locator("body").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], path
    desk.set_viewport_size(DESK)
    restore_name(server.data / DATABASE, ride.slug)


def _expect_the_whole_name_in_the_head(desk: Page, ride: DemoRide) -> None:
    """Expect that the head of a page shows a long name without covering anything, at twice the size, too."""
    for viewport in (NARROW, PHONE):
        desk.set_viewport_size(viewport)
        desk.goto(ride.desk)
        head = desk.locator(".site-bar__in > *:visible")
        for size in ("100%", "200%"):
            desk.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
            name = desk.locator(".site-bar__event")
            expect(name).to_have_text(LONG_WORD)
            assert name.evaluate("it => it.scrollWidth <= it.clientWidth + 1 && it.scrollHeight <= it.clientHeight + 1")
            boxes = [get_box(part) for part in head.all()]
            assert max(box["x"] + box["width"] for box in boxes) <= viewport["width"]
            assert not any(_overlap(one, other) for one, other in combinations(boxes, 2)), (viewport, size)
    desk.set_viewport_size(PHONE)


def _overlap(one: FloatRect, other: FloatRect) -> bool:
    is_beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
    is_below = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
    return not (is_beside or is_below)


def test_a_chart_wider_than_a_phone_shows_that_it_scrolls_and_does_with_the_keyboard(
    take_page: TakePage, server: RunningServer
) -> None:
    page = take_page(PHONE)
    page.goto(server.ride("published").board)
    chart = page.locator(".place-chart")

    assert chart.evaluate("it => it.scrollWidth > it.clientWidth")
    assert chart.evaluate("it => getComputedStyle(it).backgroundImage").count("linear-gradient") == 4
    assert chart.evaluate("it => getComputedStyle(it).scrollbarWidth") == "thin"
    chart.focus()
    page.keyboard.press("ArrowRight")
    chart.evaluate(
        "it => it.scrollLeft || new Promise((done) => { it.addEventListener('scroll', done, { once: true }); })"
    )
    assert chart.evaluate("it => it.scrollLeft > 0")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_what_was_recorded_takes_at_most_a_third_of_a_phone_and_a_tap_shows_all(
    desk: Page, server: RunningServer
) -> None:
    ride = server.load_ride("setup")
    server.manage("shell", "-c", RENAME.format(slug=ride.slug, names=("W" * 60,), count=1))
    desk.set_viewport_size(PHONE)
    desk.goto(f"{ride.desk}contests/rogue-at-the-campfire/tables/new/")
    for number, seat in enumerate(desk.get_by_role("combobox").all()[:3], 1):
        seat.select_option(index=number)
    desk.get_by_role("button", name="Create", exact=True).click()
    said = desk.locator(".notice--success")

    expect(said).to_contain_text("has been created")
    assert get_box(said)["height"] <= PHONE["height"] / 3
    said.locator("summary").click()
    assert said.locator("summary").evaluate("it => it.scrollHeight <= it.clientHeight")
    desk.set_viewport_size(DESK)


def test_fields_are_beside_each_other_and_a_contest_is_beside_its_preview_on_a_wide_screen(
    desk: Page, server: RunningServer
) -> None:
    ride = server.ride("parks")
    desk.set_viewport_size(DESK)
    desk.goto(f"{ride.desk}bikes/new/")
    number, rider, make = (get_box(desk.get_by_label(label)) for label in ("Number", "Rider", "Make"))
    assert number["x"] + number["width"] < rider["x"]
    assert rider["y"] + rider["height"] == pytest.approx(number["y"] + number["height"], abs=1)
    assert make["y"] > rider["y"]
    desk.goto(f"{ride.desk}contests/go-500-wet/settings/")
    name, preview = get_box(desk.get_by_label("Name", exact=True).first), get_box(desk.locator(".drawing"))
    assert name["x"] + name["width"] < preview["x"]
    assert preview["y"] < name["y"]
    desk.set_viewport_size(PHONE)
    desk.goto(f"{ride.desk}bikes/new/")
    assert get_bottom(desk.get_by_label("Number")) < get_box(desk.get_by_label("Rider"))["y"]
    desk.set_viewport_size(DESK)


def test_the_overview_has_two_columns_on_a_wide_screen_and_one_on_a_phone(desk: Page, server: RunningServer) -> None:
    desk.set_viewport_size(DESK)
    desk.goto(server.ride("parks").desk)
    side, main = desk.locator(".desk-columns__side"), desk.locator(".desk-columns__main")

    assert get_box(side)["y"] == get_box(main)["y"]
    expect(desk.locator(".site-bar__event")).to_have_text("Tail Light Run")
    desk.set_viewport_size(PHONE)
    assert get_bottom(side) <= get_box(main)["y"]
    desk.set_viewport_size(DESK)


def test_a_wide_screen_has_sections_side_by_side_and_lists_over_its_whole_width(
    desk: Page, server: RunningServer
) -> None:
    ride = server.ride("parks")
    for width in (1280, 1920):
        desk.set_viewport_size({"width": width, "height": 1080})
        desk.goto(f"{ride.desk}settings/")
        form, last = get_box(desk.get_by_label("Name", exact=True)), get_box(desk.locator("main section").last)
        assert form["x"] + form["width"] < last["x"]
        assert form["width"] <= 672, "a line of a form stays readable"
        assert get_box(desk.get_by_role("heading", level=1))["y"] < min(form["y"], last["y"])
        desk.goto(f"{ride.desk}bikes/")
        table = get_box(desk.locator("#roster .table-wrap"))
        assert table["width"] == pytest.approx(width, abs=40)
    desk.set_viewport_size(PHONE)
    desk.goto(f"{ride.desk}settings/")
    assert (
        get_bottom(desk.get_by_role("button", name="Save the settings")) < get_box(desk.locator("section").nth(1))["y"]
    )
    desk.set_viewport_size(DESK)


def test_the_bikes_are_found_while_typing_sorted_by_a_heading_and_opened_anywhere_in_their_row(
    desk: Page, server: RunningServer
) -> None:
    desk.goto(f"{server.ride('parks').desk}bikes/")
    rows = desk.locator("#roster tbody tr")
    expect(rows).to_have_count(25)
    edges = {get_box(cell)["x"] for cell in desk.locator("#roster tbody td:nth-child(3)").all()}
    assert len(edges) == 1

    search = desk.get_by_role("searchbox", name="Number, name, machine or group")
    search.press_sequentially("coffee kit")
    expect(rows).to_have_count(1)
    expect(search).to_be_focused()
    expect(desk).to_have_url(re.compile("q=coffee"))
    search.fill("5")
    expect(rows).to_have_count(4)
    desk.get_by_role("columnheader", name="Number").get_by_role("link").press("Enter")
    expect(desk.get_by_role("columnheader", name="Number")).to_have_attribute("aria-sort", "descending")
    assert [row.get_by_role("link").inner_text() for row in rows.all()] == ["58", "57 (2)", "57", "52"]
    size = get_box(rows.first)
    rows.first.click(position={"x": size["width"] - 10, "y": size["height"] - 5})
    expect(desk.get_by_role("heading", name="Bike 58")).to_be_visible()


def test_a_phone_shows_a_bike_of_the_roster_in_a_few_lines_and_can_sort_it(desk: Page, server: RunningServer) -> None:
    desk.set_viewport_size(PHONE)
    desk.goto(f"{server.ride('parks').desk}bikes/")
    row = desk.locator("#roster tbody tr").first

    expect(row).to_contain_text("Indian Scout")
    assert 48 <= get_box(row)["height"] <= 110
    desk.get_by_role("link", name="Group", exact=True).click()
    expect(desk.get_by_role("columnheader", name="Group")).to_have_attribute("aria-sort", "ascending")
    assert list_page_problems(desk) == []
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
