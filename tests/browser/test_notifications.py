"""Notifications in Chromium, from the switch to the service worker, over the real processes of the program.

What is not ours is replaced: the push service is one of this test (`tests/scorekeeper/push/conftest.py`), and so is
what a browser gets from one (`PushManager`), because the Chromium of a test has none to subscribe at. Messages come to
the service worker as Chromium delivers them, after this test has decrypted them.

The program is served at 127.0.0.1, at which browsers allow notifications without HTTPS.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, Page, Worker, expect

from tests.browser.conftest import TIMEOUT_MS
from tests.browser.measure import LOCALE, PHONE, list_page_problems
from tests.browser.organiser import Organiser
from tests.browser.page_monitor import PageMonitor
from tests.browser.running_server import RunningServer, serve
from tests.browser.sessions import CrewClient, read_storage_state
from tests.browser.waits import wait_until
from tests.demo_data import DemoRide, copy_data
from tests.programs import TIMEOUT_SECONDS
from tests.scorekeeper.push.conftest import CONTACT, Browser, PushService
from tests.scorekeeper.webhooks.conftest import run_receiver

POINT = "parks"
# A push manager that has subscribed at the push service of this test, once it is asked to. What it remembers outlives
# the page, as in a browser.
SUBSCRIBE = """(description) => {
  const subscription = {
    ...description, toJSON: () => description,
    unsubscribe: async () => { localStorage.removeItem("test-subscribed"); return true; },
  };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem("test-subscribed") ? subscription : null);
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error("no browser accepts that");
    localStorage.setItem("test-subscribed", "yes");
    return subscription;
  };
}"""
IN_WORKER = """(description) => {
  PushManager.prototype.getSubscription = async () => ({ ...description, unsubscribe: async () => true });
}"""
GET_SCOPES = """async () => {
  const found = await navigator.serviceWorker.getRegistrations();
  return found.map(({ scope }) => new URL(scope).pathname).sort();
}"""
GET_NOTIFICATIONS = """async () => {
  const found = await self.registration.getNotifications();
  return found.map(({ title, body, actions }) => ({ title, body, actions: actions.map((one) => one.action) }));
}"""
CLICK = """async (action) => {
  const [notification] = await self.registration.getNotifications();
  self.dispatchEvent(new NotificationEvent("notificationclick", { notification, action }));
}"""
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """The program with a ride between two stops, and a contact for push services."""
    data = tmp_path_factory.mktemp("notified")
    loaded = copy_data(data, [POINT])
    with serve(data, PUSH_CONTACT=CONTACT, WEBHOOKS_TO_LOOPBACK="yes") as running:
        running.add_loaded_rides(loaded)
        yield running


@pytest.fixture(scope="module")
def ride(server: RunningServer) -> DemoRide:
    ride = server.ride(POINT)
    server.wait_for_worker()
    return ride


@pytest.fixture(scope="module")
def crew(server: RunningServer, ride: DemoRide) -> CrewClient:
    """Emil, who records turns at the stop that is next."""
    return CrewClient(Organiser.sign_in(server.url, *server.organiser), ride, "Emil")


@pytest.fixture
def service() -> Iterator[PushService]:
    with run_receiver() as receiver:
        yield PushService(receiver)


@pytest.fixture
def spectator(service: PushService) -> Browser:
    """What the browser of this test has at the push service."""
    return service.add_browser()


@pytest.fixture
def new_page(
    browser_with_windows: Chromium, server: RunningServer, page_monitor: PageMonitor
) -> Iterator[Callable[..., Page]]:
    """Return a page of a browser with service workers, in which notifications are allowed.

    A headless shell allows none; so this is a whole Chromium.

    Args:
        spectator: what it can have at the push service of this test; None for a browser that finds none.
        options: of the browser.
    """
    with ExitStack() as stack:

        def make(spectator: Browser | None, **options: Any) -> Page:
            settings = {"base_url": server.url, "viewport": PHONE, "locale": LOCALE, "has_touch": True, **options}
            context = stack.enter_context(browser_with_windows.new_context(**settings))
            context.set_default_timeout(TIMEOUT_MS)
            context.grant_permissions(["notifications"], origin=server.url)
            if spectator is not None:
                context.add_init_script(f"({SUBSCRIBE})({json.dumps(spectator.description)})")
            page_monitor.follow(context)
            return context.new_page()

        yield make


@pytest.fixture
def page(new_page: Callable[..., Page], spectator: Browser) -> Page:
    """A page of a spectator's phone."""
    return new_page(spectator)


def open_bike(page: Page, ride: DemoRide, number: str) -> str:
    """Open the page of a bike; return its path."""
    page.goto(ride.board)
    link = page.locator("#board-rows tr", has=page.get_by_text(number, exact=True)).first.locator("a").first
    path = str(link.evaluate("link => link.pathname"))
    page.goto(path)
    expect(page.get_by_role("heading", name="Notifications")).to_be_visible()
    return path


def switch_on(page: Page) -> None:
    page.get_by_role("button", name="Notify me").click()
    expect(page.get_by_text("Notifications are on.")).to_be_visible()


def get_worker(page: Page) -> Worker:
    """Return the service worker of notifications."""
    return next(worker for worker in page.context.service_workers if worker.url.endswith("/push/worker.js"))


def deliver(page: Page, message: dict[str, str]) -> None:
    """Let Chromium deliver a message to the service worker, as if it came from a push service."""
    session = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    last = time.monotonic() + TIMEOUT_SECONDS
    while not any(one["scopeURL"].endswith("/push/") for one in found):
        assert time.monotonic() < last, found
        page.wait_for_timeout(50)
    registration = next(one for one in found if one["scopeURL"].endswith("/push/"))
    origin = registration["scopeURL"].removesuffix("/push/")
    parameters = {"origin": origin, "registrationId": registration["registrationId"], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", parameters)
    session.detach()


def wait_for_notifications(page: Page) -> list[dict[str, Any]]:
    last = time.monotonic() + TIMEOUT_SECONDS
    while not (found := get_worker(page).evaluate(GET_NOTIFICATIONS)):
        assert time.monotonic() < last, "no notification was shown"
        page.wait_for_timeout(50)
    return list(found)


def test_a_spectator_is_told_of_a_turn_and_stops_it_in_the_notification(
    page: Page, ride: DemoRide, crew: CrewClient, service: PushService, spectator: Browser
) -> None:
    path = open_bike(page, ride, "21")
    assert list_page_problems(page) == []
    switch_on(page)
    expect(page.get_by_role("button", name="Notify me")).to_be_hidden()
    page.get_by_text("What this device is told").click()
    expect(page.get_by_role("link", name="R.O.C.K. Yahtzee").and_(page.locator(f'[href="{path}"]'))).to_be_visible()
    assert list_page_problems(page) == []

    crew.record_turn("BBQ", "21", "55533", "full_house")
    assert service.receiver.arrived.wait(TIMEOUT_SECONDS), "no message came from the program"
    (message,) = service.get_notifications(spectator)
    assert message["title"].startswith("Bike 21")
    assert message["title"].endswith("recorded 25 at BBQ")
    assert message["url"] == path

    deliver(page, message)
    (shown,) = wait_for_notifications(page)
    assert (shown["title"], shown["body"], shown["actions"]) == (message["title"], message["body"], ["stop"])

    worker = get_worker(page)
    worker.evaluate(IN_WORKER, spectator.description)
    with page.context.expect_event("request", lambda request: request.url.endswith("/push/stop")):
        worker.evaluate(CLICK, "stop")
    wait_until(
        page,
        f"fetch('/push/told', {{ method: 'POST', body: {json.dumps(json.dumps(spectator.description))} }})"
        ".then((answer) => answer.json()).then(({ told }) => told.length === 0)",
    )
    page.reload()
    expect(page.get_by_role("button", name="Notify me")).to_be_visible()


def test_one_tap_ends_it_and_the_browser_forgets_its_address(page: Page, ride: DemoRide) -> None:
    open_bike(page, ride, "3")
    switch_on(page)
    page.reload()
    expect(page.get_by_text("Notifications are on.")).to_be_visible()
    page.goto(ride.board)
    expect(page.get_by_role("button", name="Notify me")).to_be_visible()
    switch_on(page)
    assert list_page_problems(page) == []

    page.get_by_text("What this device is told").click()
    expect(page.locator("[data-push-told] li")).to_have_count(2)
    page.locator("[data-push-told]").get_by_role("button").first.click()
    expect(page.locator("[data-push-told] li")).to_have_count(1)
    page.get_by_role("button", name="Stop notifications").click()
    expect(page.get_by_role("button", name="Notify me")).to_be_visible()
    assert page.evaluate("localStorage.getItem('test-subscribed')") is None


def test_the_crews_service_worker_and_that_of_notifications_live_on_one_phone(
    new_page: Callable[..., Page], spectator: Browser, ride: DemoRide, crew: CrewClient
) -> None:
    phone = new_page(spectator, storage_state=read_storage_state(crew.client))
    phone.goto("/crew/")
    phone.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    assert phone.evaluate(GET_SCOPES) == ["/"]

    path = open_bike(phone, ride, "3")
    switch_on(phone)
    assert phone.evaluate(GET_SCOPES) == ["/", "/push/"]
    phone.goto("/crew/")
    wait_until(phone, "navigator.serviceWorker.controller?.scriptURL.endsWith('/sw.js') ?? false")
    phone.goto(path)
    expect(phone.get_by_text("Notifications are on.")).to_be_visible()
    assert not phone.evaluate("navigator.serviceWorker.controller?.scriptURL.endsWith('/push/worker.js') ?? false")

    phone.get_by_role("button", name="Stop notifications").click()
    expect(phone.get_by_role("button", name="Notify me")).to_be_visible()
    assert "/" in phone.evaluate(GET_SCOPES), "the crew's stays"


def test_a_browser_without_its_push_service_says_so(
    new_page: Callable[..., Page], ride: DemoRide, page_monitor: PageMonitor
) -> None:
    """Nothing is replaced here: this Chromium cannot subscribe, and says so in its console."""
    page = new_page(None)
    open_bike(page, ride, "3")
    page.get_by_role("button", name="Notify me").click()

    expect(page.get_by_text("Your browser could not reach its push service.")).to_be_visible()
    expect(page.get_by_role("button", name="Notify me")).to_be_enabled()
    (complaint,) = page_monitor.complaints
    assert "does not support the Push API" in complaint
    page_monitor.complaints.clear()


def test_notifications_that_are_blocked_say_how_to_allow_them(
    new_context: Callable[..., BrowserContext], ride: DemoRide
) -> None:
    page = new_context(service_workers="allow").new_page()
    open_bike(page, ride, "3")

    expect(page.get_by_text("Notifications from this site are blocked.")).to_be_visible()
    expect(page.get_by_role("button", name="Notify me")).to_be_hidden()


@pytest.mark.parametrize(
    ("script", "options", "text"),
    [
        ("delete window.PushManager", {}, "This browser has no notifications."),
        (
            "delete window.PushManager",
            {"user_agent": IPHONE},
            "An iPhone or iPad allows notifications only from the home",
        ),
        ("Object.defineProperty(window, 'isSecureContext', { value: false })", {}, "only on pages with HTTPS"),
    ],
)
def test_where_it_cannot_work_the_switch_says_why(
    new_page: Callable[..., Page], ride: DemoRide, script: str, options: dict[str, Any], text: str
) -> None:
    page = new_page(None, **options)
    page.context.add_init_script(script)
    open_bike(page, ride, "3")

    expect(page.get_by_text(text)).to_be_visible()
    expect(page.get_by_role("button", name="Notify me")).to_be_hidden()
    assert list_page_problems(page) == []


def test_without_javascript_there_is_no_switch(plain_page: Page, ride: DemoRide) -> None:
    plain_page.goto(ride.board)

    expect(plain_page.locator("[data-push]")).to_be_hidden()
