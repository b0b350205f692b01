"""The results of tables on a phone and on a wide screen: the leaderboard, and the tables it links to."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.conftest import TakePage
from tests.browser.measure import DESK, NARROW, PHONE, list_page_problems, measure
from tests.browser.organiser import Organiser
from tests.browser.results import wait_for_board
from tests.browser.running_server import RunningServer
from tests.browser.table_setup import CONTEST, SLUG, add_contest
from tests.cluster.http_client import HttpClient
from tests.demo_data import DemoRide
from tests.scorekeeper.scorecards.card_forms import list_forms

SEATS = ("Quin W. (bike 8)", "Pam H. (bike 3)", "Cal D. (bike 12)", "Ada H. (bike 66)")


@pytest.fixture(scope="module")
def ride(server: RunningServer, organiser_client: HttpClient) -> DemoRide:
    """A ride of its own with a table of four, at which Quin has set six dice aside."""
    ride = server.load_ride("setup")
    add_contest(organiser_client, ride)
    organiser = Organiser(organiser_client, ride)
    organiser.create_table(CONTEST, *SEATS)
    organiser.open(f"contests/{SLUG}/tables/")
    organiser.follow("Quin W.")
    roll_everything(organiser)
    form = next(form for form in list_forms(organiser.page) if "seen" in form)
    answer = organiser_client.post(organiser.page.url, {**form, "note:keep:dice": "0 1 2 3 4 5"})
    assert "Set aside" in answer.text
    return ride


def roll_everything(organiser: Organiser) -> None:
    """Record a roll that scores with all its dice."""
    dice: dict[str, Any] = {"roll:dice": list("C23456")}
    organiser.submit("Record roll", **dice)


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_the_leaderboard_links_to_the_table_of_everyone_on_it(
    take_page: TakePage, ride: DemoRide, size: ViewportSize
) -> None:
    page = take_page(size)
    page.goto(f"/events/{ride.slug}/")
    expect(page.get_by_text("In the lead: Quin W., Points: 250", exact=True)).to_be_visible()
    page.get_by_role("link", name=CONTEST, exact=True).click()
    wait_for_board(page, 4, has_text="In play")
    assert [*measure(page, "wide"), *measure(page, "small", 48)] == []
    expect(page.get_by_role("columnheader", name="Bike")).to_have_count(0)

    page.get_by_role("link", name="Quin W.").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Quin W.")
    region = page.get_by_role("region", name="Table 1")
    expect(region.get_by_role("columnheader")).to_have_count(5)
    expect(region.get_by_role("row", name="Points 250 0 0 0")).to_be_visible()
    assert list_page_problems(page) == []

    page.set_viewport_size(NARROW)
    region.evaluate("one => one.scrollTo(one.scrollWidth, 0)")
    assert region.evaluate("one => one.scrollLeft") > 0, "four seats are wider than this phone"
    line, frame = region.get_by_role("rowheader", name="Points", exact=True).bounding_box(), region.bounding_box()
    assert line is not None
    assert frame is not None
    assert line["x"] >= frame["x"], "the name of the line has left the screen"


# The values of choices load by themselves.
COUNT_SWAPS = """
window.swaps = 0;
document.addEventListener("htmx:afterSwap", (event) => { window.swaps += event.detail.target.id !== "odds"; });
"""


def test_the_page_of_a_player_is_refreshed_and_keeps_its_scroll_position(
    take_page: TakePage, organiser_client: HttpClient, ride: DemoRide
) -> None:
    page = take_page(NARROW)
    page.clock.install()
    page.goto(f"/events/{ride.slug}/{SLUG}/")
    wait_for_board(page, 4, has_text="In play")
    page.get_by_role("link", name="Pam H.").click()
    region = page.get_by_role("region", name="Table 1")
    region.evaluate("one => one.scrollTo(one.scrollWidth, 0)")
    scrolled = region.evaluate("one => one.scrollLeft")
    page.evaluate(COUNT_SWAPS)

    with page.expect_response(lambda answer: "/seats/" in answer.url):
        page.clock.fast_forward(10_000)
    organiser = Organiser(organiser_client, ride)
    organiser.open(f"contests/{SLUG}/tables/")
    organiser.follow("Quin W.")
    roll_everything(organiser)
    page.clock.fast_forward(10_000)

    expect(page.locator(".rogue__turn")).to_contain_text("Pam H. to play")
    expect(page.locator(".rogue__turn .rogue__die")).to_have_count(6)
    assert page.evaluate("swaps") == 1, "what had not changed was replaced"
    assert scrolled > 0
    assert region.evaluate("one => one.scrollLeft") == scrolled
