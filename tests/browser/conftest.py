"""A real Chromium, and the program serving it as it does in use.

Terms: a *phone* is a fresh browser of 360 x 640 with touch; the *desk* is a wide one in which the demo's organiser is
signed in. Every test in this folder is marked `browser`, and fails when a page it opened writes an error to the
console, breaks the content policy, calls another host or gets an answer of 500 or more.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, sync_playwright

from tests.browser.crew import join
from tests.browser.desk import sign_in
from tests.browser.measure import DESK, PHONE
from tests.browser.served import Served, serve
from tests.browser.watch import Watch
from tests.demo_data import Ride, copy_data
from tests.services import find_browser, find_headless_shell

HERE = Path(__file__).parent
PATIENCE = 10_000  # milliseconds

NewPhone = Callable[..., Page]

# Rides of the demo that the program is started with; loading one while it runs takes twice as long.
POINTS = (*10 * ["setup"], "ozwelds", *10 * ["parks"], "bbq", "bbq", "closed", "published")

# Playwright keeps an event loop in this thread, which Django would take for its own being asynchronous.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say of a failed test where its pages were and what stood there."""
    report = yield
    watch = getattr(item, "funcargs", {}).get("watch")
    if report.when == "call" and report.failed and isinstance(watch, Watch):
        report.sections.append(("pages", watch.describe_pages()))
    return report


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The program, once for the whole run; the toy game, whose options have every shape, is one of its games."""
    data = tmp_path_factory.mktemp("served")
    loaded = copy_data(data, POINTS)
    with serve(data, EXTRA_GAMES="tests.games.toy") as running:
        running.add_loaded(loaded)
        yield running


# It calls nobody but us.
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
    """A Chromium that has windows, for what only such a one can do: keep the screen on."""
    chromium = browser.browser_type.launch(executable_path=find_browser(), args=[*QUIET, *AS_ROOT])
    yield chromium
    chromium.close()


@pytest.fixture
def watch(served: Served) -> Iterator[Watch]:
    """What must not happen in any page of the test, whatever else it is about."""
    watching = Watch(served.url)
    yield watching
    assert not watching.complaints


@pytest.fixture
def new_context(browser: Browser, served: Served, watch: Watch) -> Iterator[Callable[..., BrowserContext]]:
    """Return a fresh browser, with the options Playwright knows: `new_context(viewport=DESK)`."""
    with ExitStack() as stack:

        def make(**options: object) -> BrowserContext:
            # What a phone does by itself has tests of its own; here every request meets the server, as over plain HTTP.
            settings = {"base_url": served.url, "viewport": PHONE, "service_workers": "block", **options}
            context = stack.enter_context(browser.new_context(**settings))  # type: ignore[arg-type]
            context.set_default_timeout(PATIENCE)
            watch.follow(context)
            return context

        yield make


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page of a fresh phone that belongs to nobody."""
    return new_context(has_touch=True).new_page()


@pytest.fixture
def plain_page(new_context: Callable[..., BrowserContext]) -> Page:
    """A page of another fresh phone, with JavaScript off."""
    return new_context(java_script_enabled=False).new_page()


@pytest.fixture(scope="session")
def signed_in(browser: Browser, served: Served) -> StorageState:
    """The cookies of the demo's organiser."""
    served.ride("setup")
    with browser.new_context(base_url=served.url, service_workers="block") as context:
        sign_in(context.new_page(), *served.organiser)
        return context.storage_state()


@pytest.fixture
def desk(new_context: Callable[..., BrowserContext], signed_in: StorageState) -> Page:
    """A page of the demo's organiser."""
    return new_context(viewport=DESK, storage_state=signed_in).new_page()


@pytest.fixture(scope="session")
def joined() -> dict[tuple[str, str], StorageState]:
    """The cookies of phones that have joined, by ride and name."""
    return {}


@pytest.fixture
def new_phone(
    request: pytest.FixtureRequest,
    new_context: Callable[..., BrowserContext],
    joined: dict[tuple[str, str], StorageState],
) -> NewPhone:
    """Return a page of somebody's phone at a ride: `new_phone(ride, "Emil")`."""

    def make(ride: Ride, name: str, **options: object) -> Page:
        key = (ride.slug, name)
        if key in joined:
            options["storage_state"] = joined[key]
        phone = new_context(has_touch=True, **options).new_page()
        if key not in joined:
            join(phone, request.getfixturevalue("desk"), ride.desk, name)
            joined[key] = phone.context.storage_state()
        return phone

    return make
