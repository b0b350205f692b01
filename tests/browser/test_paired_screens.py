"""Televisions that are paired by a code: each shows its own content, and all follow a reveal that show standings."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, StorageState, ViewportSize, expect

from tests.browser.conftest import TakePage
from tests.browser.measure import list_barriers, list_page_problems, measure
from tests.browser.running_server import RunningServer
from tests.browser.site_walk import MEASURED_BY, get_route
from tests.browser.walls import SMALL_WALL
from tests.demo_data import NO_TABLES, DemoRide

WALL: ViewportSize = {"width": 1920, "height": 1080}
OLD_TELEVISION: ViewportSize = {"width": 1366, "height": 768}
TELEVISIONS = (WALL, OLD_TELEVISION)
PHONE: ViewportSize = {"width": 360, "height": 640}
TABLET: ViewportSize = {"width": 1024, "height": 768}
WITHIN = 3_000  # milliseconds in which the screens follow
NOTICED = 12_000  # milliseconds in which a television notices that it was paired: it asks every three seconds
A_WHILE = 30_000
PAUSE = 450  # milliseconds between two taps that are not a double tap

NewContext = Callable[..., BrowserContext]


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride with results and prizes for all tests of this file, each of which pairs televisions of its own."""
    ride = server.load_ride(f"published{NO_TABLES}")
    server.wait_for_worker()
    return ride


def open_television(new_context: NewContext, viewport: ViewportSize = SMALL_WALL, **options: object) -> Page:
    page = new_context(viewport=viewport, **options).new_page()
    page.goto("/screen")
    return page


def get_code(television: Page) -> str:
    return television.locator("[data-code]").get_attribute("data-code") or ""


def pair(desk: Page, ride: DemoRide, television: Page, name: str) -> None:
    """Pair a television, and stay on the page with what it shows."""
    desk.goto(f"{ride.desk}screen/")
    desk.get_by_label("Code on the television").fill(get_code(television).lower())
    desk.get_by_label("Name of the screen").fill(name)
    desk.get_by_role("button", name="Pair", exact=True).click()
    expect(desk.get_by_role("heading", name=f"Screen “{name}”")).to_be_visible()


def choose(desk: Page, *parts: str) -> None:
    """Tick these parts, and no others, put them in order at the top, and save."""
    rows = desk.locator("[data-order-row]")
    for box in rows.get_by_role("checkbox").all():
        box.uncheck()
    for place, part in enumerate(parts):
        row = rows.filter(has=desk.get_by_role("checkbox", name=part, exact=True))
        row.get_by_role("checkbox").check()
        while rows.get_by_role("checkbox").nth(place).get_attribute("value") != row.get_by_role(
            "checkbox"
        ).get_attribute("value"):
            row.get_by_role("button", name=f"Move {part} up").click()
    desk.get_by_role("button", name="Save the screen").click()
    expect(desk.get_by_text("have been saved.")).to_be_visible()


def get_screen(television: Page) -> Locator:
    return television.locator("#screen")


def take_off_the_draw(desk: Page, ride: DemoRide) -> None:
    """End the draw of cards that screens show for minutes after the ride was loaded, in which its ties were cut."""
    desk.goto(f"{ride.desk}finish/rock-yahtzee/ties/")
    if (button := desk.get_by_role("button", name="Take the draw off the screens")).count():
        button.click()
        expect(desk.get_by_text("The draw is off the screens.")).to_be_visible()


def expect_step(screen: Locator, step: int) -> None:
    expect(screen).to_have_attribute("data-step", str(step), timeout=WITHIN)


def test_two_screens_a_microphone_and_a_phone_show_what_each_should_during_a_reveal(
    desk: Page, new_context: NewContext, take_page: TakePage, organiser_cookies: StorageState, ride: DemoRide
) -> None:
    stage, bar = open_television(new_context), open_television(new_context)
    take_off_the_draw(desk, ride)
    pair(desk, ride, stage, "Stage")
    choose(desk, "R.O.C.K. Yahtzee", "Prizes")
    pair(desk, ride, bar, "Bar")
    choose(desk, "Sponsors", "QR code to the results")
    expect(get_screen(stage).get_by_role("heading", name="R.O.C.K. Yahtzee", exact=True)).to_be_visible(timeout=NOTICED)
    expect(get_screen(bar).get_by_role("heading", name="Thank you to our sponsors")).to_be_visible(timeout=NOTICED)
    for _page in range(4):  # three of places, and one of groups
        stage.keyboard.press("ArrowRight")
    expect(get_screen(stage).get_by_role("heading", name="Prizes")).to_be_visible()
    expect(get_screen(stage).get_by_role("columnheader", name="Winner")).to_be_visible()
    bar_before = get_screen(bar).inner_html()
    crowd = take_page(PHONE)
    crowd.goto(ride.board)

    tablet = take_page(TABLET, organiser_cookies)
    tablet.goto(f"{ride.desk}microphone/")
    tablet.get_by_role("button", name="Start the reveal").click()
    expect_step(get_screen(stage), 0)
    expect(get_screen(stage)).to_have_attribute("data-phase", "revealing")
    expect(stage.get_by_text("Prize giving")).to_be_visible()
    expect(get_screen(stage).locator(".is-first")).to_have_count(0)
    expect(stage.get_by_role("heading", name="Prizes")).to_have_count(0)
    best = crowd.locator("tbody tr").first
    item = tablet.locator("[data-item]:visible")
    counts: list[int] = []
    step = 0
    while not get_screen(stage).locator(".is-first").count():
        step += 1
        if counts:
            expect(best).to_contain_text("Place not announced yet", timeout=A_WHILE)
        while item.get_attribute("data-step") != str(step):
            tablet.wait_for_timeout(PAUSE)
            tablet.get_by_role("button", name="Next", exact=True).click()
        expect_step(get_screen(stage), step)
        if rows := stage.locator("#screen tbody tr").count():  # the prizes before the places have none
            counts.append(rows)
        expect(get_screen(bar)).to_have_attribute("data-phase", "live")
        expect(bar.get_by_text("Prize giving")).to_have_count(0)
    assert counts == sorted(set(counts)), "with each step more"
    assert len(counts) > 5
    assert strip_time(get_screen(bar).inner_html()) == strip_time(bar_before), "sponsors and the code stay as they were"
    winner = get_screen(stage).locator(".is-first th").first.inner_text()
    expect(best).not_to_contain_text("Place not announced yet", timeout=A_WHILE)
    expect(best).to_contain_text(winner)
    expect(stage.locator("[data-steer]")).to_have_count(0)

    desk.goto(f"{ride.desk}screen/")
    expect(desk.locator("#paired-screens").get_by_text("On now")).to_have_count(2)
    desk.get_by_role("button", name="Show everyone live standings again").click()
    expect(get_screen(stage)).to_have_attribute("data-phase", "live", timeout=WITHIN)
    expect(crowd.get_by_text("frozen at")).to_have_count(0, timeout=A_WHILE)


def strip_time(html: str) -> str:
    """Return what is shown without the times and the page that is turned to."""
    return re.sub(r"<time.*?</time>|\d\d:\d\d:\d\d| hidden=\"\"| class=\"[^\"]*\"", "", html)


def test_changes_and_unpairing_reach_the_television_at_once(
    desk: Page, new_context: NewContext, ride: DemoRide
) -> None:
    television = open_television(new_context)
    first = get_code(television)
    with television.expect_request(lambda request: "screen-stream?" in request.url, timeout=NOTICED):
        pair(desk, ride, television, "Porch")

    desk.get_by_label("Night: light letters on dark").check()
    desk.get_by_label("Sponsor line").fill("Coffee by <b>Ozweld's</b>")
    choose(desk, "Sponsors")
    expect(get_screen(television).get_by_text("Coffee by <b>Ozweld's</b>")).to_be_visible(timeout=WITHIN)
    expect(television.locator("html")).to_have_attribute("data-theme", "night")
    expect(get_screen(television).get_by_role("heading", name="R.O.C.K. Yahtzee")).to_have_count(0)

    desk.get_by_role("link", name=re.compile("^Unpair.*Porch")).click()
    desk.get_by_role("button", name="Unpair this television").click()
    expect(television.locator("[data-code]")).to_be_visible(timeout=WITHIN)
    assert get_code(television) != first
    expect(television.locator("html")).not_to_have_attribute("data-theme", "night")


def test_without_scripts_it_shows_a_code_and_then_its_pages(
    desk: Page, new_context: NewContext, ride: DemoRide
) -> None:
    television = open_television(new_context, java_script_enabled=False)
    assert television.locator("meta[http-equiv=refresh]").get_attribute("content") == "10; url=/screen"
    pair(desk, ride, television, "Kitchen")
    choose(desk, "QR code to the results", "Prizes")

    television.goto("/screen")
    expect(television.get_by_role("img", name="QR code to the results")).to_be_visible()
    then = (television.locator("meta[http-equiv=refresh]").get_attribute("content") or "").partition("url=")[2]
    assert then == "/screen?page=2"
    television.goto(then)
    expect(television.get_by_role("heading", name="Prizes")).to_be_visible()
    expect(television.get_by_role("img", name="QR code to the results")).to_be_hidden()


def test_every_part_fits_a_television_and_can_be_read(desk: Page, new_context: NewContext, ride: DemoRide) -> None:
    television = open_television(new_context)
    for viewport in TELEVISIONS:
        television.set_viewport_size(viewport)
        code = television.locator("[data-code]")
        assert code.evaluate("element => parseFloat(getComputedStyle(element).fontSize)") >= 150
    check_page(television)
    pair(desk, ride, television, "Hall")
    choose(desk, "Prizes", "Sponsors", "QR code to the results")
    expect(get_screen(television)).to_be_visible(timeout=NOTICED)
    television.keyboard.press("Space")
    # By then it may have turned a page.
    while not television.get_by_role("heading", name="Prizes").is_visible():
        television.keyboard.press("ArrowLeft")

    while not television.get_by_role("heading", name="Follow the results on your phone").is_visible():
        check_page(television)
        television.keyboard.press("ArrowRight")
    check_page(television)


def check_page(television: Page) -> None:
    """Expect that the page fits and can be read on every television, by day and by night."""
    for viewport in TELEVISIONS:
        television.set_viewport_size(viewport)
        assert [*measure(television, "wide"), *measure(television, "small", 48), *list_barriers(television)] == []
        assert television.evaluate("document.documentElement.scrollHeight") <= viewport["height"]
    television.set_viewport_size(SMALL_WALL)
    television.emulate_media(color_scheme="dark")
    assert list_barriers(television, with_rules=("color-contrast",)) == []
    television.emulate_media(color_scheme="light")


def test_the_pages_of_pairing_fit_a_phone(desk: Page, new_context: NewContext, ride: DemoRide) -> None:
    television = open_television(new_context)
    assert [*measure(television, "wide"), *list_barriers(television), *list_page_problems(television)] == []
    measured = {get_route("/screen")}
    desk.set_viewport_size(PHONE)
    pair(desk, ride, television, "Television at the long bar of the club")
    screen = urlsplit(desk.url).path
    desk.goto(f"{ride.desk}screen/")
    desk.get_by_label("Code on the television").fill("NOSUCH")
    desk.get_by_role("button", name="Pair", exact=True).click()
    expect(desk.get_by_role("alert")).to_contain_text("Enter a name")
    assert desk.get_by_label("Code on the television").input_value() == "NOSUCH"
    refused = urlsplit(desk.url).path
    assert check_phone(desk) == []
    for path in (screen, f"{ride.desk}screen/", f"{screen}unpair/", refused):
        desk.goto(path)
        assert check_phone(desk) == []
        measured.add(get_route(path))

    assert measured - {"live:settings"} == MEASURED_BY["test_paired_screens.py"]


def check_phone(page: Page) -> list[str]:
    return [*measure(page, "wide"), *measure(page, "cut"), *list_page_problems(page)]
