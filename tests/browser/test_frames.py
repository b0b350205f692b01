"""A club's website shows a board in a frame: it sizes itself, follows the ride, keeps still under a freeze.

The *site* is another origin, as far from the program as two sites are: `localhost`, where the program is at 127.0.0.1.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, BrowserContext, ElementHandle, Frame, Page, ViewportSize, expect

from tests.browser.conftest import FindCrewClient, TakePage
from tests.browser.measure import DESK, LOCALE, PHONE, list_page_problems
from tests.browser.running_server import RunningServer
from tests.browser.sessions import CrewClient
from tests.browser.site_walk import MEASURED_BY, get_route
from tests.demo_data import NO_TABLES, DemoRide

POLL = 25_000  # milliseconds in which an open board asks once
NARROW: ViewportSize = {"width": 320, "height": 640}
REFUSED = "chrome-error://chromewebdata/"  # what Chromium shows in a frame that it may not show

NewSite = Callable[..., Page]


class Website:
    """The website of a club, with one page."""

    def __init__(self) -> None:
        self.body = ""
        website = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                html = f"<!doctype html><title>Our club</title><h1>Our club</h1>{website.body}<p>Last line</p>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(html.encode())

            def log_message(self, *_args: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def website() -> Iterator[Website]:
    site = Website()
    yield site
    site.close()


@pytest.fixture
def open_site(browser: Browser, website: Website) -> Iterator[NewSite]:
    """Open the website in a fresh browser, with this in its page and Playwright's options."""
    contexts: list[BrowserContext] = []

    def make(body: str, *, with_clock: bool = False, **options: object) -> Page:
        website.body = body
        settings = {"viewport": PHONE, "service_workers": "block", "locale": LOCALE, **options}
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        contexts.append(context)
        if with_clock:
            context.clock.install()
        page = context.new_page()
        page.goto(website.url)
        return page

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def ride(server: RunningServer) -> DemoRide:
    """A ride between two stops for a single test."""
    own = server.load_ride("parks")
    server.wait_for_worker()
    return own


def make_frame(server: RunningServer, path: str, attributes: str = "") -> str:
    return f'<iframe src="{server.url}{path}" title="Board" width="100%" height="150" {attributes}></iframe>'


def add_script(server: RunningServer) -> str:
    return f'<script src="{server.url}/embed/embed.js" async></script>'


def get_element(page: Page, number: int = 0) -> ElementHandle:
    found = page.locator("iframe").nth(number).element_handle()
    assert found is not None
    return found


def get_frame(page: Page, number: int = 0) -> Frame:
    frame = get_element(page, number).content_frame()
    assert frame is not None
    return frame


def wait_for_height(page: Page, number: int = 0) -> int:
    """Return the height of a frame once it is as high as what is in it."""
    inner = "document.documentElement.getBoundingClientRect().height"
    frame = get_frame(page, number)
    frame.wait_for_selector("#frame")
    needed = frame.evaluate(f"Math.ceil({inner})")
    page.wait_for_function(
        "([number, height]) => document.querySelectorAll('iframe')[number].clientHeight === height",
        arg=[number, needed],
    )
    assert frame.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return int(needed)


def record_a_yahtzee(client: CrewClient, number: str) -> None:
    client.record_turn("BBQ", number, "66666", "yahtzee")


def poll(page: Page, board: str) -> None:
    """Let the open board ask once, and wait for the answer."""
    with page.expect_response(lambda response: board in response.url):
        page.context.clock.run_for(POLL)


def test_a_frame_sizes_itself_follows_the_ride_and_keeps_still_under_a_freeze(
    open_site: NewSite, server: RunningServer, desk: Page, crew_client: FindCrewClient, ride: DemoRide
) -> None:
    board = f"/embed{ride.board}"
    site = open_site(make_frame(server, f"{board}?rows=5") + add_script(server), with_clock=True)
    before = wait_for_height(site)
    frame = get_frame(site)
    first = frame.locator("tbody tr").first
    expect(first.locator("th")).not_to_have_text("17")

    record_a_yahtzee(crew_client(ride, "Emil"), "17")
    while "17" not in frame.locator("tbody th").all_inner_texts():  # the worker is a moment behind
        poll(site, board)
    assert wait_for_height(site) >= before - 1
    assert site.evaluate("document.documentElement.scrollWidth <= innerWidth")

    desk.goto(f"{ride.desk}screen/")
    desk.get_by_role("button", name="Freeze the standings").click()
    expect(desk.get_by_role("button", name="Start the reveal")).to_be_visible()
    poll(site, board)
    expect(frame.get_by_text("Standings frozen")).to_be_visible()
    assert wait_for_height(site) > before, "there is a line more"
    frozen = frame.locator("#frame").inner_html()
    record_a_yahtzee(crew_client(ride, "Emil"), "21")
    server.wait_for_worker()
    for _time in range(2):
        poll(site, board)
        assert frame.locator("#frame").inner_html() == frozen

    assert site.context.cookies() == [], "neither the frame nor its site has any"


def test_a_link_in_a_frame_opens_the_whole_page_beside_the_site(
    open_site: NewSite, server: RunningServer, ride: DemoRide, website: Website
) -> None:
    site = open_site(make_frame(server, f"/embed{ride.board}") + add_script(server))
    frame = get_frame(site)

    with site.context.expect_page() as opened:
        frame.get_by_role("link", name="The leaderboard with all").click()

    assert opened.value.url == f"{server.url}{ride.board}"
    assert opened.value.evaluate("window.opener") is None
    assert site.url == website.url


def test_frames_of_one_page_each_get_their_own_height_and_the_colours_asked_for(
    open_site: NewSite, server: RunningServer, ride: DemoRide
) -> None:
    board = f"/embed{ride.board}"
    frames = [make_frame(server, f"{board}{query}") for query in ("?rows=2", "?rows=9&theme=light", "?theme=dark")]
    site = open_site("".join(frames) + add_script(server), color_scheme="dark", viewport=NARROW)

    heights = [wait_for_height(site, number) for number in range(3)]

    assert heights[0] < heights[1] < heights[2]
    colours = [
        get_frame(site, number).evaluate("getComputedStyle(document.body).backgroundColor") for number in range(3)
    ]
    assert colours[0] == colours[2] != colours[1]


def test_a_message_of_another_frame_changes_no_height(
    open_site: NewSite, server: RunningServer, ride: DemoRide
) -> None:
    """Only our own pages count, and only for the frame that they are in."""
    lie = "setInterval(() => parent.postMessage({type: 'tailgunner:height', height: 9}, '*'))"
    liar = f'<iframe srcdoc="<script>{lie}</script>" title="liar"></iframe>'
    site = open_site(make_frame(server, f"/embed{ride.board}") + liar + add_script(server))
    wait_for_height(site)
    site.evaluate(
        """() => new Promise((resolve) => {
          let count = 0;
          window.addEventListener("message", ({ data }) => { if (data.height === 9 && (count += 1) > 20) resolve(); });
        })"""
    )

    assert wait_for_height(site) > 150
    assert get_element(site, 1).evaluate("one => one.style.height") == ""


def test_without_the_script_and_in_a_sandbox_a_board_is_there_and_follows_the_ride(
    open_site: NewSite, server: RunningServer, crew_client: FindCrewClient, ride: DemoRide
) -> None:
    """As sites that make a frame of an address do it: scripts run, but the frame has no origin of its own."""
    board = f"/embed{ride.board}"
    site = open_site(make_frame(server, board, 'sandbox="allow-scripts"'), with_clock=True)
    complaints: list[str] = []
    site.on("console", lambda message: complaints.append(message.text))
    frame = get_frame(site)
    expect(frame.get_by_role("row")).to_have_count(11)
    assert frame.evaluate("getComputedStyle(document.querySelector('#frame')).fontSize") == "16px"
    assert frame.evaluate("getComputedStyle(document.body).margin") == "0px", "its style sheet is loaded"

    record_a_yahtzee(crew_client(ride, "Emil"), "17")
    while "17" not in frame.locator("tbody th").all_inner_texts():
        poll(site, board)

    assert complaints == []


def test_without_javascript_a_board_is_a_table(open_site: NewSite, server: RunningServer, ride: DemoRide) -> None:
    site = open_site(make_frame(server, f"/embed{ride.board}") + add_script(server), java_script_enabled=False)
    expect(get_frame(site).get_by_role("row")).to_have_count(11)


def test_every_other_page_is_refused_in_the_frame_of_another_site(
    open_site: NewSite, server: RunningServer, ride: DemoRide
) -> None:
    refused = [
        ride.board,
        f"/events/{ride.slug}/",
        f"/events/{ride.slug}/screen",
        ride.desk,
        "/crew/",
        "/sign-in/",
        "/",
    ]
    frames = "".join(make_frame(server, path) for path in (*refused, f"/embed{ride.board}", "/embed/events/none/"))
    site = open_site(frames)

    for number, path in enumerate(refused):
        site.wait_for_function("number => frames.length > number", arg=number)
        frame = get_frame(site, number)
        frame.wait_for_load_state()
        assert frame.url == REFUSED, path
    expect(get_frame(site, len(refused)).get_by_role("row")).to_have_count(11)
    expect(get_frame(site, len(refused) + 1).get_by_text("There is no public table at this address.")).to_be_visible()


def test_the_desk_shows_the_frame_and_copies_its_snippet(
    new_context: Callable[..., BrowserContext], organiser_cookies: object, ride: DemoRide, server: RunningServer
) -> None:
    context = new_context(viewport=DESK, storage_state=organiser_cookies)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(ride.desk)
    page.get_by_role("link", name="Prize giving").first.click()
    page.get_by_role("link", name="Your website").click()
    page.get_by_label("Rows at most").fill("3")
    page.get_by_role("button", name="Show it").click()

    assert wait_for_height(page) < 400
    page.get_by_role("button", name="Copy").first.click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    snippet = page.get_by_label("For most websites").input_value()
    assert page.evaluate("navigator.clipboard.readText()") == snippet
    assert f'src="{server.url}/embed{ride.board}?rows=3"' in snippet


def test_where_nothing_may_be_copied_the_button_selects_the_snippet(
    new_context: Callable[..., BrowserContext], organiser_cookies: object, ride: DemoRide
) -> None:
    context = new_context(viewport=DESK, storage_state=organiser_cookies)
    refuse = "navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))"
    context.add_init_script(f"if (navigator.clipboard) {refuse}")
    page = context.new_page()
    page.goto(f"{ride.desk}website/")

    page.get_by_role("button", name="Copy").first.click()

    expect(page.get_by_role("button", name="Selected: now press Ctrl+C")).to_be_visible()
    assert page.evaluate("getSelection().toString()") == page.get_by_label("For most websites").input_value()


def test_the_pages_for_frames_are_accessible(take_page: TakePage, server: RunningServer) -> None:
    ride = server.ride(f"published{NO_TABLES}")
    page, measured, problems = take_page(PHONE), set(), []
    for path in (f"/embed{ride.board}", f"/embed/events/{ride.slug}/"):
        page.goto(path)
        measured.add(get_route(path))
        problems += list_page_problems(page)

    assert "\n".join(problems) == ""
    assert MEASURED_BY["test_frames.py"] == measured
