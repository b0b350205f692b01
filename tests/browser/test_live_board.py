"""An open leaderboard and the page of its event update themselves, and say so when they cannot."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, ViewportSize, expect

from tests.browser.conftest import FindCrewClient, TakePage
from tests.browser.measure import DESK, LOCALE, PHONE, list_barriers, measure
from tests.browser.results import wait_for_board
from tests.browser.running_server import RunningServer
from tests.browser.sessions import CrewClient
from tests.browser.switchable_port import SwitchablePort
from tests.browser.walls import SMALL_WALL
from tests.cluster.ports import find_port
from tests.demo_data import DemoRide

SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => list.getEntries().forEach((shift) => {
  if (!shift.hadRecentInput) window.shifted += shift.value;
})).observe({ type: "layout-shift", buffered: true });
"""
MOTIONS = """
window.motions = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  window.motions.push({ row: this.id, duration: options.duration });
  return animate.call(this, frames, options);
};
"""
TELL_CHANCES = """UPDATE events_contest SET odds_shown = 'screen'
WHERE game_key = 'rock-yahtzee' AND event_id = (SELECT id FROM events_event WHERE slug = ?)"""
RENAME = """UPDATE players_player SET name = 'Calla D.'
WHERE name = 'Cal D.' AND event_id = (SELECT id FROM events_event WHERE slug = ?)"""
WALL: ViewportSize = {"width": 1920, "height": 1080}
A_WHILE = 30_000  # milliseconds until a page has to say that it is stale
SOON = 5_000  # milliseconds until it is right again


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    """A ride between two stops, for most tests of this file; each test that records a turn uses a bike of its own."""
    ride = server.load_ride("parks")
    server.wait_for_worker()
    return ride


@pytest.fixture
def own_ride(server: RunningServer) -> DemoRide:
    """A ride between two stops for a single test."""
    ride = server.load_ride("parks")
    server.wait_for_worker()
    return ride


def places(page: Page) -> list[str]:
    """Return the bikes that have rolled, in the order shown."""
    rows = page.locator("#board-rows tr").all()
    return [row.locator("th").inner_text() for row in rows if row.locator("td").first.inner_text() != "–"]


def open_board(page: Page, ride: DemoRide) -> Page:
    """Open the leaderboard and wait until its stream is open."""
    with page.expect_request(lambda request: "stream?" in request.url):
        page.goto(ride.board)
    page.evaluate(f"() => {{ {SHIFTS} {MOTIONS} }}")
    return page


def record_a_yahtzee(client: CrewClient, number: str) -> None:
    client.record_turn("BBQ", number, "66666", "yahtzee")


def turns_of(page: Page, number: str) -> Locator:
    return page.locator("tbody tr", has=page.get_by_role("link", name=number, exact=True)).locator("td").nth(-2)


def count_seconds(clock: str) -> int:
    """Return the second of the day at "17:42:10"."""
    hours, minutes, seconds = map(int, clock.split(":"))
    return hours * 3600 + minutes * 60 + seconds


def stale(page: Page) -> Locator:
    return page.locator("[data-stale]")


def test_a_roll_changes_an_open_board_without_a_reload(
    take_page: TakePage, crew_client: FindCrewClient, ride: DemoRide
) -> None:
    page = open_board(take_page(DESK), ride)
    before = places(page)
    last = before[-1]
    link = page.get_by_role("link", name=last, exact=True)
    link.focus()
    page.evaluate("window.isSame = true")
    page.evaluate("scrollTo(0, 40)")

    record_a_yahtzee(crew_client(ride, "Emil"), "12")

    expect(turns_of(page, "12")).to_have_text("3/5")
    assert places(page) != before
    assert page.evaluate("isSame")
    expect(page.locator("#status")).to_have_text(re.compile(r"^Bike 12 is now (tied for )?\d+(st|nd|rd|th)\."))
    assert page.evaluate("document.activeElement.textContent") == last
    assert page.evaluate("scrollY") == 40
    motions = page.evaluate("motions")
    assert motions
    assert max(motion["duration"] for motion in motions) <= 500
    assert page.evaluate("shifted") < 0.1


def test_a_new_leader_changes_the_open_page_of_the_event_and_pages_without_javascript_when_they_refresh(
    take_page: TakePage, plain_page: Page, crew_client: FindCrewClient, own_ride: DemoRide
) -> None:
    page = take_page(PHONE)
    with page.expect_request(lambda request: "stream?" in request.url):
        page.goto(f"/events/{own_ride.slug}/")
    page.evaluate(f"() => {{ {SHIFTS} }}")
    panel = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="R.O.C.K. Yahtzee", exact=True))
    before = panel.inner_text()
    link = panel.get_by_role("link", name="R.O.C.K. Yahtzee", exact=True)
    link.focus()
    page.evaluate("window.isSame = true")
    expect(page.get_by_text(re.compile(r"As of \d\d:\d\d:\d\d"))).to_be_visible()
    expect(stale(page)).to_be_hidden()
    plain_event = plain_page.context.new_page()
    plain_event.goto(f"/events/{own_ride.slug}/")
    expect(plain_event.get_by_text("In the lead: Bike 12")).to_have_count(0)
    plain_page.goto(own_ride.board)
    expect(turns_of(plain_page, "12")).to_have_text("2/5")
    expect(plain_page.get_by_text(re.compile(r"As of \d\d:\d\d:\d\d"))).to_be_visible()

    record_a_yahtzee(crew_client(own_ride, "Emil"), "12")

    expect(panel).to_contain_text("In the lead: Bike 12")
    assert "Bike 12" not in before
    assert page.evaluate("isSame")
    said = re.compile(r"^R\.O\.C\.K\. Yahtzee, in the lead: Bike 12 .*, Total: \d+\.$")
    expect(page.locator("#status")).to_have_text(said)
    expect(link).to_be_focused()
    assert page.evaluate("shifted") < 0.1
    assert [*measure(page, "wide"), *measure(page, "small", 48)] == []
    for plain in (plain_page, plain_event):
        expect(plain.locator("meta[http-equiv=refresh]")).to_have_attribute("content", "10")
    wait_for_board(plain_page, 1, has_text="3/5")
    expect(turns_of(plain_page, "12")).to_have_text("3/5")
    plain_event.reload()
    expect(plain_event.get_by_text("In the lead: Bike 12")).to_be_visible()


def test_the_scorecard_of_a_bike_refreshes_and_polls_at_once_when_it_is_visible_again(
    new_context: Callable[..., BrowserContext], crew_client: FindCrewClient, ride: DemoRide
) -> None:
    page = new_context(viewport=PHONE).new_page()
    page.clock.install()
    page.goto(ride.board)
    page.get_by_role("link", name="8", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("8")
    expect(page.get_by_text(re.compile(r"As of \d\d:\d\d:\d\d"))).to_be_visible()
    page.evaluate("window.isSame = true")

    record_a_yahtzee(crew_client(ride, "Emil"), "8")
    page.clock.fast_forward("10:00")

    expect(page.get_by_role("row", name="Yahtzee BBQ 50")).to_be_visible(timeout=SOON)
    expect(stale(page)).to_be_hidden()
    assert page.evaluate("isSame")


# The page's clock must not run on before the page knows that its last try was refused.
WAIT_FOR_REFUSALS = """
let refusal = Promise.resolve();
window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    refusal = new Promise((resolve) => this.addEventListener("error", () => resolve()));
  }
};
window.waitForRefusal = () => refusal;
"""


def test_without_streams_a_page_retries_them_rarely(new_context: Callable[..., BrowserContext], ride: DemoRide) -> None:
    context, tries = new_context(viewport=DESK), []
    context.clock.install()

    def refuse(route: Route) -> None:
        tries.append(route)
        route.fulfill(status=204)

    context.route("**/stream?*", refuse)
    context.add_init_script(WAIT_FOR_REFUSALS)
    page = open_board(context.new_page(), ride)
    opened = page.evaluate("Date.now()")
    for _ in range(60):
        context.clock.run_for(1000)
        page.evaluate("waitForRefusal()")

    # The page's clock also runs by itself, so on a busy machine more than a minute has passed.
    seconds = (page.evaluate("Date.now()") - opened) / 1000
    assert 4 < len(tries) < seconds / 5


def test_a_viewer_who_prefers_no_motion_sees_none(
    take_page: TakePage, crew_client: FindCrewClient, ride: DemoRide
) -> None:
    page = take_page(DESK)
    page.emulate_media(reduced_motion="reduce")
    open_board(page, ride)

    record_a_yahtzee(crew_client(ride, "Emil"), "17")

    expect(turns_of(page, "17")).to_have_text("3/5")
    expect(page.locator("#status")).to_contain_text("Bike 17 is now")
    assert page.evaluate("motions") == []
    assert page.evaluate("shifted") < 0.1


def test_without_a_stream_the_page_polls(
    new_context: Callable[..., BrowserContext], crew_client: FindCrewClient, ride: DemoRide
) -> None:
    context = new_context(viewport=DESK)
    context.clock.install()
    context.route("**/stream?*", lambda route: route.fulfill(status=204))
    page = open_board(context.new_page(), ride)

    record_a_yahtzee(crew_client(ride, "Emil"), "21")
    while turns_of(page, "21").inner_text() != "3/5":  # the worker is a moment behind
        page.evaluate(
            "window.polled = new Promise((done) => addEventListener('htmx:afterRequest', done, { once: true }))"
        )
        context.clock.run_for(10_000)
        page.evaluate("polled.then(() => 0)")  # before the next ten seconds, or the page becomes stale

    expect(stale(page)).to_be_hidden()
    expect(page.locator("#status")).to_contain_text("Bike 21 is now")


def test_of_seven_visible_windows_four_have_a_stream_and_the_others_poll_and_say_why(
    new_context: Callable[..., BrowserContext], crew_client: FindCrewClient, own_ride: DemoRide
) -> None:
    """Over HTTP/1.1 a browser has six connections to a host; six streams would leave none for the seventh window."""
    context = new_context(viewport=DESK)
    windows = [context.new_page() for _window in range(7)]
    for window in windows:
        window.goto(own_ride.board)
    notices = [window.locator("[data-polling]") for window in windows]

    for notice in notices[:4]:
        expect(notice).to_be_hidden()
    for notice in notices[4:]:
        expect(notice).to_contain_text("too many live windows are open in this browser")
        expect(notice).to_be_visible()
    record_a_yahtzee(crew_client(own_ride, "Emil"), "21")
    for window in windows:
        expect(turns_of(window, "21")).to_have_text("3/5")
    for window in windows:
        expect(stale(window)).to_be_hidden()

    with windows[4].expect_request(lambda request: "stream?" in request.url):
        windows[0].close()

    expect(notices[4]).to_be_hidden()
    expect(notices[5]).to_be_visible()


def test_a_page_that_slept_is_right_again_soon_after(
    new_context: Callable[..., BrowserContext], server: RunningServer, ride: DemoRide
) -> None:
    context = new_context(viewport=DESK)
    context.clock.install()
    page = open_board(context.new_page(), ride)
    expect(page.get_by_text("Cal D.")).to_be_visible()
    as_of = page.locator("[data-as-of]")
    shown, clock = as_of.get_attribute("datetime") or "", as_of.inner_text()

    with page.expect_request(lambda request: "stream?" in request.url, timeout=SOON):
        context.clock.fast_forward("10:00")

    expect(stale(page)).to_be_hidden(timeout=SOON)
    # A poll may respond first, and its time has no milliseconds: it can be no later than what was shown.
    expect(as_of).not_to_have_attribute("datetime", shown, timeout=SOON)
    assert (count_seconds(as_of.inner_text()) - count_seconds(clock)) % 86_400 < 120, "by another clock than the ride's"


def test_a_board_that_lost_its_server_says_so_and_is_right_soon_after_it_is_back(
    browser: Browser, server: RunningServer, ride: DemoRide
) -> None:
    gate = SwitchablePort(find_port())
    gate.target = server.port
    gate.open()
    with browser.new_context(viewport=DESK, locale=LOCALE) as context:
        context.clock.install()
        page = context.new_page()
        with page.expect_request(lambda request: "stream?" in request.url):
            page.goto(f"http://127.0.0.1:{gate.port}{ride.board}")
        page.evaluate("window.isSame = true")
        expect(page.get_by_text("Cal D.")).to_be_visible()
        expect(stale(page)).to_be_hidden()

        gate.close()
        context.clock.run_for(A_WHILE)
        expect(stale(page)).to_be_visible()
        expect(stale(page)).to_have_text(re.compile(r"^\s*Not live since \d\d:\d\d:\d\d; trying again\s*$"))
        expect(page.locator("#status")).to_contain_text("Not live since")
        server.change(RENAME, ride.slug)

        gate.open()
        expect(page.get_by_text("Calla D.")).to_be_visible(timeout=SOON)
        expect(stale(page)).to_be_hidden()
        assert page.evaluate("isSame")
    gate.close()


def get_remark(page: Page, number: str) -> Locator:
    return page.locator("tbody tr", has=page.get_by_role("link", name=number, exact=True)).locator("small")


def test_chances_to_win_reach_open_boards_and_screens_and_follow_the_rolls(
    take_page: TakePage, crew_client: FindCrewClient, ride: DemoRide, server: RunningServer
) -> None:
    board = open_board(take_page(PHONE), ride)
    screens = [take_page(size) for size in (SMALL_WALL, PHONE)]
    for screen in screens:
        with screen.expect_request(lambda request: "stream?" in request.url):
            screen.goto(f"/events/{ride.slug}/screen")
    pages = [board, *screens]

    server.change(TELL_CHANCES, ride.slug)

    for page in pages:
        shown = page.get_by_text(re.compile(r"Chance to win: .+%, among the first three: .+%")).filter(visible=True)
        expect(shown.first).to_be_visible(timeout=A_WHILE)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert list_barriers(page) == []
    screens[0].set_viewport_size(WALL)
    assert screens[0].evaluate("document.documentElement.scrollHeight") <= WALL["height"]
    assert [*measure(screens[0], "wide"), *measure(screens[0], "small", 48)] == []
    screens[0].set_viewport_size(SMALL_WALL)
    before = get_remark(board, "3").inner_text()

    record_a_yahtzee(crew_client(ride, "Emil"), "3")

    expect(turns_of(board, "3")).to_have_text("3/5")
    expect(get_remark(board, "3")).to_contain_text("Chance to win")
    expect(get_remark(board, "3")).not_to_have_text(before, timeout=A_WHILE)
