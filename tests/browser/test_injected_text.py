"""What people type stays text: on every page, in streams, and in refused forms.

The browser ignores the content security policy, so that only the escaping keeps a text from running.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import pytest
from playwright.sync_api import BrowserContext, Page, Route, StorageState, expect
from playwright.sync_api import TimeoutError as TooLong

from tests.browser import injections
from tests.browser.conftest import NewPhone
from tests.browser.desk import make_link
from tests.browser.injections import FEW, INJECTIONS, LISTENER, find_injected, inject_texts, restore_name
from tests.browser.measure import DESK
from tests.browser.page_monitor import PageMonitor
from tests.browser.running_server import RunningServer
from tests.browser.site_walk import ROLES, list_routes_of, walk
from tests.demo_data import DATABASE, DemoRide
from tests.faults.figures import Figures
from tests.faults.scale import FULL

pytestmark = pytest.mark.security

STRINGS = INJECTIONS if FULL else FEW
# A short run opens the pages that show most names to most people.
SHORT = {"results:leaderboard", "results:event", "live:screen", "scorecards:group", "scorecards:card", "desk:event"}
FORMS = "form:has(textarea, input[type=text], input[type=search], input:not([type]))"
FILL = """(form, text) => {
  form.querySelectorAll("textarea, input[type=text], input[type=search], input[type=password], input:not([type])")
    .forEach((field) => { field.value = text; });
  form.noValidate = true;
  form.requestSubmit(form.querySelector("button:not([type=button])"));
}"""


def test_the_strings_are_put_into_every_column_of_free_text() -> None:
    typed = {f"{table}.{column}" for table, (columns, _where) in injections.TEXTS.items() for column in columns}
    assert set(injections.list_text_columns()) == typed | injections.OURS


class Rounds:
    """Walks over pages, and records which were opened and what was found there."""

    def __init__(self) -> None:
        self.seen: dict[str, list[str]] = {}
        self.with_forms: list[tuple[Page, str]] = []

    def walk(self, page: Page, starts: list[str], routes: set[str]) -> None:
        def look(page: Page) -> list[str]:
            if page.locator(FORMS).count():
                self.with_forms.append((page, page.url))
            return find_injected(page)

        self.seen |= walk(page, starts, (routes if FULL else routes & SHORT) - set(self.seen), look)

    def send_forms(self) -> int:
        """Send every form with the strings in all its fields; return the number of forms."""
        sent = 0
        for page, url in self.with_forms:
            page.goto(url)
            for number in range(page.locator(FORMS).count()):
                page.goto(url)
                form = page.locator(FORMS).nth(number)
                if not form.count():
                    break  # a form sent before has removed it
                with suppress(TooLong), page.expect_event("requestfinished", timeout=3_000):
                    form.evaluate(FILL, " ".join(STRINGS))
                sent += 1
                self.seen.setdefault(f"answer of {url}", []).extend(find_injected(page))
        return sent


@pytest.fixture
def load_injected_ride(server: RunningServer) -> Iterator[Callable[[str], DemoRide]]:
    """Return a ride whose texts may be overwritten; pages that list it are as before when the test is over."""
    rides: list[DemoRide] = []

    def load(point: str) -> DemoRide:
        rides.append(server.load_ride(point))
        return rides[-1]

    yield load
    for ride in rides:
        restore_name(server.data / DATABASE, ride.slug)


@pytest.fixture
def new_detector(new_context: Callable[..., BrowserContext]) -> Callable[..., Page]:
    """Return a page that detects when an injection runs; only escaping prevents that."""

    def make(**options: object) -> Page:
        context = new_context(bypass_csp=True, **options)
        context.add_init_script(LISTENER)
        return context.new_page()

    return make


def answer_unescaped(string: str, route: Route) -> None:
    route.fulfill(body=f'<!doctype html><p title="{string}">', content_type="text/html")


def test_the_strings_run_where_nothing_is_escaped(new_detector: Callable[..., Page], page_monitor: PageMonitor) -> None:
    page = new_detector()
    for number, string in enumerate(INJECTIONS[5:9]):
        page.route(f"**/unescaped/{number}", partial(answer_unescaped, string))
        page.goto(f"/unescaped/{number}")
        page.wait_for_function("() => window.ran.length")
        assert find_injected(page)
    page_monitor.complaints.clear()  # here they do what no page may do


@pytest.mark.timeout(1800)
def test_no_text_that_people_typed_ever_runs(
    server: RunningServer,
    load_injected_ride: Callable[[str], DemoRide],
    desk: Page,
    new_phone: NewPhone,
    new_detector: Callable[..., Page],
    organiser_cookies: StorageState,
    figures: Figures,
) -> None:
    points = ("parks", "bbq", "closed", "published") if FULL else ("bbq",)
    rides = {point: load_injected_ride(point) for point in points}
    parks, bbq, closed, published = (
        rides.get(point, rides["bbq"]) for point in ("parks", "bbq", "closed", "published")
    )
    link = make_link(desk, parks.desk, "Kim").removeprefix(server.url)
    phones = [new_phone(ride, name).context.storage_state() for ride, name in ((parks, "Emil"), (bbq, "Ida"))]
    server.wait_for_worker()
    texts = sum(inject_texts(server.data / DATABASE, ride.slug, STRINGS) for ride in rides.values())
    rounds = Rounds()
    public, organiser = new_detector(), new_detector(viewport=DESK, storage_state=organiser_cookies)
    crew = [new_detector(has_touch=True, storage_state=state) for state in phones]
    home = published.board.removesuffix("rock-yahtzee/")
    tabs = (
        "",
        "stops/",
        "groups/",
        "bikes/",
        "contests/",
        "contests/new/rock-yahtzee/",
        "settings/",
        "open/",
        "review/",
    )
    finishes = [f"{ride.desk}finish/rock-yahtzee/" for ride in (parks, closed)]
    tables = [bbq.table.replace("/crew/", bbq.desk), f"{bbq.desk}contests/drag-rage-knock-out/tables/"]
    desks = [f"{ride.desk}{tab}" for ride in rides.values() for tab in (*tabs, "review/")]
    starts = ["/desk/", *desks, *finishes, *tables]
    rounds.walk(crew[0], ["/crew/"], list_routes_of("crew"))
    rounds.walk(crew[1], [bbq.table, "/crew/tables/"], list_routes_of("crew"))
    rounds.walk(public, [link, "/sign-in/", published.board, f"{home}screen", "/"], list_routes_of("public"))
    for role in ROLES[:2]:
        rounds.walk(organiser, starts, list_routes_of(role))
    rounds.seen["stream"] = follow_a_stream(server, parks, public)
    sent = rounds.send_forms() if FULL else 0

    assert [what for found in rounds.seen.values() for what in found] == []
    assert sent > 30 or not FULL
    assert len(rounds.seen) > (100 if FULL else 5)
    figures.add(
        "27 · script injections in Chromium, its content policy switched off",
        f"{len(STRINGS)} strings in each of {texts} names and reasons of four rides: {len(rounds.seen)} pages and "
        f"answers, {sent} forms sent with all of them in every field, a stream: 0 run, 0 more than text",
    )


def follow_a_stream(server: RunningServer, ride: DemoRide, page: Page) -> list[str]:
    """Send other texts to an open leaderboard by a stream; return those that got through."""
    with page.expect_request(lambda request: "stream?" in request.url):
        page.goto(ride.board)
    inject_texts(server.data / DATABASE, ride.slug, STRINGS, first="later ")
    expect(page.get_by_role("main")).to_contain_text("later ")
    return find_injected(page)
