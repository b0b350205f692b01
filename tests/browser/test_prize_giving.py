"""A whole prize giving: what is said at the microphone is on every screen, with names, totals, sponsors and reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, StorageState, expect

from tests.browser.conftest import TakePage
from tests.browser.measure import list_barriers, measure
from tests.browser.organiser import Organiser
from tests.browser.running_server import RunningServer
from tests.browser.test_microphone import TABLET, get_item, get_status, get_step, open_screen, start, tap
from tests.browser.walls import SMALL_WALL, WALLS, list_wall_problems
from tests.cluster.http_client import HttpClient
from tests.demo_data import NO_TABLES, DemoRide

WITHIN = 2_000  # milliseconds; Playwright looks again after 100, 250, 500 and 1,000
REACHED_WITHIN = 1_000  # milliseconds from the tap to the screen, as both pages noted them
A_WHILE = 15_000  # milliseconds
LONG_NAME = "Bartholomew Featherstonehaugh-Cholmondeley of Nether Wallop 2"[:60]
PREPARE = """
from io import BytesIO
from PIL import Image
from scorekeeper.events.models import Event
from scorekeeper.prizes.services import add_logo
event = Event.objects.get(slug={slug!r})
event.people_shown = "names"
event.save()
for number, person in enumerate(event.players.order_by("bike__number", "name")):
    person.name = {name!r} if number % 2 else "Gjypq"
    person.save()
picture = BytesIO()
Image.new("RGB", (400, 200), "navy").save(picture, "PNG")
logo = add_logo(event, "image/png", picture.getvalue())
prizes = event.prizes.filter(name__in=["H-D tyre mirror", "The Tail Light Cup"])
prizes.update(logo=logo, sponsor="Gypsy Jacks of Featherstone")
"""
# Notes when a page was tapped last, and when a screen had each step. All pages have the clock of one machine.
NOTE_TAPS = "addEventListener('click', () => { window.tappedAt = Date.now() }, true)"
NOTE_STEPS = """() => {
  window.reached = {}
  const options = {attributes: true, attributeFilter: ["data-step"], childList: true, subtree: true}
  new MutationObserver(() => {
    const step = document.querySelector("[data-step]")?.dataset.step
    if (step !== undefined) window.reached[step] ??= Date.now()
  }).observe(document.body, options)
}"""
# Each text of an announcement, in order.
TEXTS = "h2, .script__name, .script__facts > *, .script__how, .script__prizes b"


@pytest.fixture(scope="module")
def published_ride(server: RunningServer) -> DemoRide:
    """A ride with results, and prizes of every kind."""
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


def read_texts(tablet: Page) -> list[str]:
    """Return what is said now. What the screens show of places is not said on them."""
    texts = [clean(text) for text in get_item(tablet).locator(TEXTS).all_inner_texts()]
    return [text for text in texts if not text.startswith("The screens show")]


def clean(text: str) -> str:
    return " ".join(text.split())


def list_totals(tablet: Page) -> list[str]:
    return [text for text in read_texts(tablet) if text.startswith("Total: ")]


def test_every_announcement_is_on_two_screens_and_gives_nothing_away(
    tablet: Page, take_page: TakePage, ride: DemoRide
) -> None:
    first, second = take_page(SMALL_WALL), take_page(SMALL_WALL)
    screens = [open_screen(page, ride) for page in (first, second)]
    start(tablet, ride)
    for screen in screens:
        expect(screen).to_have_attribute("data-phase", "revealing", timeout=WITHIN)
    tablet.evaluate(NOTE_TAPS)
    for page in (first, second):
        page.evaluate(NOTE_STEPS)
    headings: list[str] = []
    times: list[int] = []
    last = tablet.locator("[data-item]").count() - 1
    for number in range(last + 1):
        step, texts = get_step(tablet), read_texts(tablet)
        for screen in screens:
            expect(screen).to_have_attribute("data-step", str(step), timeout=WITHIN)
        if headings:  # the first was there before
            tapped = tablet.evaluate("window.tappedAt")
            times += [page.evaluate(f"window.reached[{step}]") - tapped for page in (first, second)]
        for screen in screens:
            shown = clean(screen.inner_text())
            assert [text for text in texts if text not in shown] == []
        headings.append(texts[0])
        if len(headings) <= 5:
            assert list_totals(tablet) == [], "their places come later"
            for screen in screens:
                assert "Total: " not in screen.inner_text()
        if number < last:
            tap(tablet, "Next")
            expect(get_item(tablet)).not_to_have_attribute("data-step", str(step))
    expect(tablet.get_by_role("button", name="Next", exact=True)).to_be_disabled()
    assert headings[:6] == [
        "Booby prize: a spark plug",
        "H-D tyre mirror",
        "A six-pack for the most sixes",
        "A ham for the best group",
        "Rider’s rider",
        "R.O.C.K. Yahtzee",
    ]
    assert headings[-1] in ("1st place", "1st place, tied")  # the demo's tables are played at random
    assert max(times) < REACHED_WITHIN

    page = first
    expect(page.locator("#screen-podium")).to_be_visible(timeout=A_WHILE)
    expect(page.locator(".podium__step").first).to_be_visible()  # two or three: it depends on how the table was played
    tap(tablet, "Back")
    expect(page.locator("#screen-announcement")).to_be_visible(timeout=WITHIN)
    expect(page.locator(".podium__step")).to_have_count(0)
    tap(tablet, "Back")
    tap(tablet, "Next")
    # The places so far follow, and whoever is new among them is lit.
    expect(page.locator("tr.is-risen").first).to_be_visible(timeout=A_WHILE)
    expect(page.locator("tr.is-risen")).to_have_count(0, timeout=A_WHILE)


def test_the_reason_of_the_organisers_is_said_and_shown(tablet: Page, take_page: TakePage, ride: DemoRide) -> None:
    screen = open_screen(take_page(SMALL_WALL), ride)
    start(tablet, ride)
    while get_item(tablet).get_by_role("heading").inner_text() != "Rider’s rider":
        tap(tablet, "Next")
    reason = "Decided by the organisers: Towed bike 79 back on the road"
    expect(get_item(tablet).get_by_text(reason)).to_be_visible()
    expect(screen.get_by_text(reason)).to_be_visible(timeout=WITHIN)


def test_controls_disappear_and_come_back_and_news_does_not_stay(take_page: TakePage, ride: DemoRide) -> None:
    page = take_page(SMALL_WALL)
    open_screen(page, ride)
    buttons = page.locator("[data-pages]")
    for wake in (lambda: page.mouse.move(40, 40), lambda: page.keyboard.press("Tab")):
        expect(buttons).to_have_css("opacity", "0", timeout=A_WHILE)
        wake()
        expect(buttons).to_have_css("opacity", "1", timeout=1_000)
    page.clock.install()
    page.evaluate("document.getElementById('status').textContent = 'Bike 12 is now 3rd.'")
    page.clock.run_for(21_000)
    expect(page.locator("#status")).to_be_empty()


def test_the_longest_announcements_fit_every_wall_and_the_tablet(
    tablet: Page, take_page: TakePage, server: RunningServer, ride: DemoRide
) -> None:
    server.manage("shell", "-c", PREPARE.format(slug=ride.slug, name=LONG_NAME))
    page = take_page(WALLS[0])
    screen = open_screen(page, ride)
    start(tablet, ride)
    while True:
        heading = get_item(tablet).get_by_role("heading").inner_text()
        expect(screen).to_have_attribute("data-step", str(get_step(tablet)), timeout=A_WHILE)
        bar = tablet.locator(".script-bar").bounding_box()
        said = tablet.locator(".script--one").bounding_box()
        assert bar is not None
        assert said is not None
        assert said["y"] + said["height"] <= bar["y"] + 1, "the buttons cover nothing"
        assert bar["y"] + bar["height"] <= TABLET["height"] + 1
        if re.match("H-D|6th|1st", heading):
            expect(page.locator("#screen-announcement")).to_be_visible()
            assert list_wall_problems(page) == []
            assert [*measure(tablet, "wide"), *list_barriers(tablet)] == []
        if heading == "1st place":
            break
        tap(tablet, "Next")
    expect(get_status(tablet)).to_have_text("The screens follow.")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#screen-podium")).to_be_visible()
    assert list_wall_problems(page) == []
