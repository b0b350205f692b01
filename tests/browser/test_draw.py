"""The draw of cards, from the organiser's buttons to the big screen: cards turn over together once all are recorded."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.measure import DESK, PHONE, list_barriers, list_page_problems, measure
from tests.browser.running_server import RunningServer
from tests.browser.test_screen import open_screen
from tests.browser.walls import SMALL_WALL, list_wall_problems
from tests.demo_data import NO_TABLES, DemoRide

MOTIONS = """
window.motions = [];
// The time of a timeline is the same for all that happens in one frame; that of events is not.
const note = ({ animationName }) => motions.push([animationName, document.timeline.currentTime]);
document.addEventListener("animationstart", note);
"""


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    """A closed ride whose first place is tied."""
    ride = server.load_ride(f"closed{NO_TABLES}")
    server.wait_for_worker()
    return ride


@pytest.fixture
def screen(new_context: Callable[..., BrowserContext], ride: DemoRide) -> Page:
    context = new_context(viewport=SMALL_WALL)
    context.add_init_script(MOTIONS)
    screen = open_screen(context.new_page(), ride)
    screen.keyboard.press("Space")
    return screen


def open_ties(desk: Page, ride: DemoRide) -> None:
    desk.goto(f"{ride.desk}finish/rock-yahtzee/ties/")


def record_cards(desk: Page, *cards: tuple[str, str]) -> None:
    for number, (rank, suit) in enumerate(cards):
        desk.get_by_label("Card").nth(number).select_option(rank)
        desk.get_by_label("Suit").nth(number).select_option(suit)
    desk.get_by_label("Witness").first.fill("Wim Watcher")
    desk.get_by_role("button", name="Record cards").click()
    expect(desk.get_by_text("The cut cards have been recorded.")).to_be_visible()


def wait_for_motions(screen: Page) -> None:
    """Wait until all that moves has arrived: until then, texts that appear have less contrast."""
    screen.evaluate("() => Promise.allSettled(document.getAnimations().map((one) => one.finished))")


def list_turned(screen: Page) -> list[str]:
    """The starts of the cards' turns so far."""
    motions: list[tuple[str, float]] = screen.evaluate("motions")
    return [name for name, _at in motions if name == "turn-face"]


def test_cards_turn_over_together_and_equal_ones_are_cut_again_below(screen: Page, desk: Page, ride: DemoRide) -> None:
    draw = screen.locator("[data-draw]")
    expect(draw.get_by_role("heading", name="R.O.C.K. Yahtzee: Cards for place 1")).to_be_visible()
    expect(draw.get_by_text("Card face down")).to_have_count(2)
    open_ties(desk, ride)
    desk.get_by_role("button", name="Show the draw on the screens").click()
    expect(screen.locator("[data-page]")).to_have_text("Page 1 of 1")

    record_cards(desk, ("Queen", "Hearts"), ("Queen", "Spades"))

    expect(draw.get_by_text("queen of hearts")).to_be_visible()
    expect(draw.get_by_text("queen of spades")).to_be_visible()
    expect(draw.locator("[data-round='1-1']").get_by_text("Cuts again")).to_have_count(2)
    expect(draw.locator("[data-round='2-1']").get_by_text("Card face down")).to_have_count(2)
    expect(draw.get_by_text(re.compile(r"^Equal cards: Bike \d+ .+ cut again\.$"))).to_be_visible()
    expect(screen.get_by_role("status")).to_have_text(re.compile("^Equal cards: "))
    screen.wait_for_function("() => motions.filter(([name]) => name === 'turn-face').length === 2")
    starts = screen.evaluate("motions.filter(([name]) => name === 'turn-face').map(([_name, at]) => at)")
    assert starts[0] == starts[1], "in the same frame"

    record_cards(desk, ("King", "Hearts"), ("2", "Hearts"))

    second = draw.locator("[data-round='2-1']")
    expect(second.get_by_text("king of hearts")).to_be_visible()
    expect(second.get_by_text("Witness: Wim Watcher")).to_be_visible()
    expect(draw.get_by_text(re.compile(r"^Bike \d+ .+ wins place 1\.$"))).to_be_visible()
    screen.wait_for_function("() => motions.filter(([name]) => name === 'turn-face').length === 4")
    assert len(list_turned(screen)) == 4, "those of the first round lie still"
    wait_for_motions(screen)
    assert list_wall_problems(screen) == []
    best = second.locator(".draw__holder--best .draw__face")
    expect(best).to_have_css("box-shadow", re.compile("inset"))  # beside the card, it covered the name

    desk.get_by_text("Correct these cards").last.click()
    desk.get_by_label("Card").last.select_option("Ace")
    desk.get_by_label("Reason").last.fill("misread")
    desk.get_by_role("button", name="Correct", exact=True).last.click()
    expect(second.get_by_text("Corrected")).to_be_visible()
    expect(second.get_by_text("ace of hearts")).to_be_visible()

    open_ties(desk, ride)
    desk.get_by_role("button", name="Take the draw off the screens").click()
    expect(draw).to_have_count(0)
    expect(screen.locator("#screen tbody tr:visible")).to_have_count(10)


def test_without_motion_and_without_a_script_the_cards_are_there_at_once(
    new_context: Callable[..., BrowserContext], desk: Page, ride: DemoRide, server: RunningServer
) -> None:
    still = new_context(viewport=SMALL_WALL, reduced_motion="reduce")
    still.add_init_script(MOTIONS)
    screen = open_screen(still.new_page(), ride)
    expect(screen.get_by_text("Card face down")).to_have_count(2)
    open_ties(desk, ride)
    record_cards(desk, ("King", "Hearts"), ("2", "Hearts"))
    expect(screen.get_by_text("king of hearts")).to_be_visible()
    assert list_turned(screen) == []

    plain = new_context(viewport=SMALL_WALL, java_script_enabled=False).new_page()
    plain.goto(f"/events/{ride.slug}/screen")
    expect(plain.get_by_text("king of hearts")).to_be_visible()
    expect(plain.locator("[data-draw]").get_by_text(re.compile(r"wins place 1\.$"))).to_be_visible()


def test_a_freeze_is_warned_of_and_a_frozen_screen_shows_only_the_draw_that_the_organiser_shows(
    screen: Page, desk: Page, ride: DemoRide
) -> None:
    desk.goto(f"{ride.desk}screen/")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Freeze the standings").click()
    expect(screen.get_by_text("Standings frozen at")).to_be_visible()
    expect(screen.locator("[data-draw]")).to_have_count(0)
    for size in (PHONE, DESK):
        desk.set_viewport_size(size)
        open_ties(desk, ride)
        expect(desk.get_by_text("The standings are frozen, so the screens show no cards")).to_be_visible()
        assert measure(desk, "small", 48) == []
    assert list_page_problems(desk) == []
    desk.get_by_role("button", name="Show the draw on the screens").click()
    expect(desk.get_by_text("The draw for place 1 is on the screens.")).to_be_visible()
    assert [*measure(desk, "small", 48), *list_page_problems(desk)] == []
    expect(screen.get_by_text("Card face down")).to_have_count(2)
    record_cards(desk, ("King", "Hearts"), ("2", "Hearts"))
    expect(screen.locator("[data-draw]").get_by_text(re.compile(r"wins place 1\.$"))).to_be_visible()
    wait_for_motions(screen)
    assert list_barriers(screen) == []

    desk.get_by_role("button", name="Take the draw off the screens").click()
    expect(screen.locator("#screen tbody tr:visible")).to_have_count(10)
    expect(screen.locator("#screen")).not_to_contain_text("king of hearts")
