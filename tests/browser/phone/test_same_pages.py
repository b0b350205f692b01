"""With the server stopped, a browser shows the same pages as the server did, throughout the demo's day."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import pytest
from django.urls import resolve
from playwright.sync_api import Page, expect

from scorekeeper.desk.demo.ride_player import STAGES
from scorekeeper.offline.precache import PRECACHED_PAGES
from tests.browser.organiser import Organiser
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import ReadyRide
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.faults.scale import FULL, scaled
from tests.scorekeeper.offline.offline_phone import strip_generated_values
from tools.phone_engine.page_crawler import CrawledPage as Links

# Pages of one route; the others look the same. In Node, with the same engine, `test_demo_day.py` compares more.
OF_EACH = scaled(2, 1)
# Different on the phone, or answered only by the server.
NEEDS_SIGNAL = {"crew:sign_out", "crew:switch", "tables:deal"}
FETCH = """path => fetch(path, { headers: { Accept: "text/html" } }).then(async (answer) => ({
  status: answer.status, from: answer.headers.get("X-Tailgunner-From") ?? "server", html: await answer.text(),
}))"""


class Shown(NamedTuple):
    """A page as the browser got it: who answered, and the response."""

    answered: str
    status: int
    lines: list[str]
    links: list[str]


def fetch(page: Page, path: str) -> Shown:
    response = page.evaluate(FETCH, path)
    html = response["html"]
    return Shown(response["from"], response["status"], strip_generated_values(html), list(Links(html).links))


def fetch_from_server(page: Page, path: str) -> Shown:
    """Fetch a page again if the phone responded: on a busy machine a phone may not wait long enough for a server."""
    for _attempt in range(3):
        page.evaluate("navigator.serviceWorker.controller.postMessage({ tell: 'network', isGood: true })")
        shown = fetch(page, path)
        if shown.answered == "server":
            break
    return shown


def walk(page: Page) -> dict[str, Shown]:
    """Follow the links from the group's page; return the pages by URL."""
    shown: dict[str, Shown] = {}
    waiting, routes = ["/crew/"], Counter[str]()
    while waiting:
        path = waiting.pop()
        shown[path] = fetch_from_server(page, path)
        for link in (urljoin(path, link).partition("#")[0] for link in shown[path].links):
            if not urlsplit(link).path.startswith("/crew/") or link in shown or link in waiting:
                continue
            name = resolve(urlsplit(link).path).view_name
            if name not in {*NEEDS_SIGNAL, *PRECACHED_PAGES} and routes[name] < OF_EACH:
                routes[name] += 1
                waiting.append(link)
    return shown


@pytest.mark.parametrize("until", STAGES if FULL else ["bbq"])
def test_pages_without_the_server_equal_the_servers(
    until: str, site: Site, phone: Phone, ready_ride: ReadyRide
) -> None:
    ride = site.server.load_ride(until)
    phone.leave_out_engine()
    phone.join(Organiser(ready_ride.signed_in, ride).make_link("Emil"))
    if FULL:
        phone.expect_ready()
    else:
        expect(phone.page.locator("[data-check='ride'].check--yes")).to_be_visible()
        turn_entry.open_group(phone.page)

    with_signal = walk(phone.page)
    site.go_offline()
    without = {path: fetch(phone.page, path) for path in with_signal}

    assert {one.answered for one in with_signal.values()} == {"server"}
    for path, shown in without.items():
        assert (shown.answered, shown.status) == ("away", 200), path
        assert shown.lines == with_signal[path].lines, path
    routes = {resolve(urlsplit(path).path).view_name for path in without}
    assert {"scorecards:card", "scorecards:history", "scorecards:walk_up"} <= routes
    assert ("scorecards:correct" in routes) == (until != "setup")
    assert ("tables:history" in routes) == bool(ride.table)
