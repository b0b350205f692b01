"""A real Chromium, and the program serving it as in production.

Terms: a *phone* is a fresh browser of 360 x 640 with touch; the *desk* is a wide one in which the demo's organiser is
signed in. Every test in this folder, but for those in other browsers, is marked `browser`, and fails when a page it
opened writes an error to the console, violates the content security policy, calls another host or gets a response of
500 or more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, ViewportSize, expect, sync_playwright

from tests.browser.measure import DESK, LOCALE, PHONE
from tests.browser.new_installation import NewInstallation, start_new_installation
from tests.browser.organiser import Organiser
from tests.browser.page_monitor import PageMonitor
from tests.browser.page_pool import PagePool
from tests.browser.running_server import RunningServer, serve
from tests.browser.sessions import CrewClient, read_storage_state
from tests.cluster.http_client import HttpClient
from tests.demo_data import NO_TABLES, DemoRide, copy_data
from tests.faults.figures import Figures
from tests.programs import TIMEOUT_SECONDS
from tests.services import find_browser, find_headless_shell

HERE = Path(__file__).parent
OTHER_BROWSERS = HERE / "other_browsers"
TIMEOUT_MS = 30_000  # milliseconds: a busy disk was seen to take more than five seconds for one write

NewPhone = Callable[..., Page]
TakePage = Callable[..., Page]
FindCrewClient = Callable[[DemoRide, str], CrewClient]

# Demo rides that are loaded before the program starts; loading one while it runs takes some four times as long. Each of
# the two groups of tests in `tests.groups` has these, so of each stage there are as many as one of them uses.
POINTS = (
    *(*14 * ["setup"], "ozwelds", *8 * ["parks"], *2 * ["bbq"]),
    *("closed", "closed", *4 * [f"closed{NO_TABLES}"], "published", *2 * [f"published{NO_TABLES}"]),
)

# Playwright runs an event loop in this thread, which makes Django think that it runs asynchronously.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents and OTHER_BROWSERS not in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report the URLs and texts of a failed test's open pages."""
    report = yield
    page_monitor = getattr(item, "funcargs", {}).get("page_monitor")
    if report.when == "call" and report.failed and isinstance(page_monitor, PageMonitor):
        report.sections.append(("pages", page_monitor.describe_pages()))
    return report


@pytest.fixture(scope="session", autouse=True)
def _policy_figure(request: pytest.FixtureRequest) -> Iterator[None]:
    """Adds the figure on the content security policy for a part of `make security`, if all its tests passed."""
    # Not an argument: that would mark every test of the folder as one that measures a figure.
    figures: Figures = request.getfixturevalue("figures")
    yield
    tests = [item for item in request.session.items if HERE in item.path.parents and item.get_closest_marker("browser")]
    run, _space, part = os.environ.get("FULL_LENGTH_PART", "").partition(" ")
    if run == "security" and not request.session.testsfailed and not hasattr(request.config, "workerinput"):
        count = PageMonitor.policy_count
        figures.add(
            f"26 · content security policy in the browser tests of `make security PART={part}`",
            f"{count.documents:,} pages of {len(count.routes)} routes loaded in Chromium by {len(tests)} tests: "
            f"{len(count.violations)} violations",
        )


@pytest.fixture(scope="session", autouse=True)
def _timeout() -> None:
    """Wait for what a page is expected to show as long as for what it is asked to do."""
    expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """The program, once for the whole run, with the toy game, whose options have every shape."""
    data = tmp_path_factory.mktemp("served")
    loaded = copy_data(data, POINTS)
    with serve(data, EXTRA_GAMES="tests.games.toy") as running:
        running.add_loaded_rides(loaded)
        urlopen(f"{running.url}/healthz", timeout=TIMEOUT_SECONDS).close()  # the first answer waits for the start
        yield running


@pytest.fixture(scope="session")
def new_installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewInstallation]:
    """The program on which nobody has an account; each file that begins with it restores it first."""
    with start_new_installation(tmp_path_factory.mktemp("new")) as installation:
        yield installation


# Chromium may call no other host.
QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")
AS_ROOT = ("--no-sandbox",) if os.geteuid() == 0 else ()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, once for the whole run."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_headless_shell(), args=[*QUIET, *AS_ROOT])
        yield chromium
        chromium.close()


@pytest.fixture
def browser_with_windows(browser: Browser) -> Iterator[Browser]:
    """A Chromium with windows, which is needed to keep the screen on."""
    chromium = browser.browser_type.launch(executable_path=find_browser(), args=[*QUIET, *AS_ROOT])
    yield chromium
    chromium.close()


@pytest.fixture
def page_monitor(server: RunningServer) -> Iterator[PageMonitor]:
    """Collects what must not happen on any page of the test."""
    watching = PageMonitor(server.url)
    yield watching
    assert not watching.complaints


@pytest.fixture
def new_context(
    browser: Browser, server: RunningServer, page_monitor: PageMonitor
) -> Iterator[Callable[..., BrowserContext]]:
    """Return a fresh browser, with Playwright's options: `new_context(viewport=DESK)`."""
    with ExitStack() as stack:

        def make(**options: object) -> BrowserContext:
            # The phone's app has tests of its own; here every request goes to the server, as over plain HTTP.
            settings = {
                "base_url": server.url,
                "viewport": PHONE,
                "service_workers": "block",
                "locale": LOCALE,
                **options,
            }
            context = stack.enter_context(browser.new_context(**settings))  # type: ignore[arg-type]
            context.set_default_timeout(TIMEOUT_MS)
            page_monitor.follow(context, is_policy_ignored=bool(options.get("bypass_csp")))
            return context

        yield make


@pytest.fixture(scope="session")
def page_pool(browser: Browser) -> PagePool:
    """Pages that one test after the other uses."""
    return PagePool(browser, TIMEOUT_MS)


@pytest.fixture
def take_page(page_pool: PagePool, server: RunningServer, page_monitor: PageMonitor) -> Iterator[TakePage]:
    """Return a page of a browser without another test's data: `take_page(DESK, cookies)`. Only a phone has touch."""
    with ExitStack() as stack:

        def take(viewport: ViewportSize, state: StorageState | None = None) -> Page:
            has_touch = viewport == PHONE
            page = page_pool.take(server.url, viewport, state, has_touch=has_touch)
            stack.callback(page_pool.put_back, page, server.url, viewport, has_touch=has_touch)
            page_monitor.follow(page.context)
            stack.callback(page_monitor.leave, page.context)
            return page

        yield take


@pytest.fixture
def page(take_page: TakePage) -> Page:
    """A page of a fresh phone that is not signed in."""
    return take_page(PHONE)


@pytest.fixture
def plain_page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page of another fresh phone, with JavaScript off."""
    return new_context(java_script_enabled=False).new_page()


@pytest.fixture(scope="session")
def organiser_client(server: RunningServer) -> HttpClient:
    """The demo's organiser without a browser."""
    server.ride("setup")
    return Organiser.sign_in(server.url, *server.organiser)


@pytest.fixture(scope="session")
def organiser_cookies(organiser_client: HttpClient) -> StorageState:
    """The cookies of the demo's organiser."""
    return read_storage_state(organiser_client)


@pytest.fixture
def desk(take_page: TakePage, organiser_cookies: StorageState) -> Page:
    """A page of the demo's organiser."""
    return take_page(DESK, organiser_cookies)


@pytest.fixture(scope="session")
def crew_client(organiser_client: HttpClient) -> FindCrewClient:
    """Return a crew member of a ride, always the same for the same name: `crew_client(ride, "Emil")`."""
    members: dict[tuple[str, str], CrewClient] = {}

    def find(ride: DemoRide, name: str) -> CrewClient:
        key = (ride.slug, name)
        if key not in members:
            members[key] = CrewClient(organiser_client, ride, name)
        return members[key]

    return find


@pytest.fixture
def new_phone(new_context: Callable[..., BrowserContext], take_page: TakePage, crew_client: FindCrewClient) -> NewPhone:
    """Return a page of a crew member's phone at a ride, which has joined: `new_phone(ride, "Emil")`."""

    def make(ride: DemoRide, name: str, **options: object) -> Page:
        state = read_storage_state(crew_client(ride, name).client)
        if options:
            return new_context(has_touch=True, storage_state=state, **options).new_page()
        return take_page(PHONE, state)

    return make
