"""A phone whose storage was cleared says so, and the desk does not count it as one that has sent everything."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.measure import PHONE, get_box
from tests.browser.organiser import Organiser
from tests.browser.page_monitor import PageMonitor
from tests.browser.phone import turn_entry
from tests.browser.phone.conftest import ReadyRide, copy_profile
from tests.browser.phone.phone import TIMEOUT_MS, Phone
from tests.browser.phone.site import Site
from tests.faults.figures import Figures
from tests.faults.scale import FULL

pytestmark = pytest.mark.timeout(3600)

CLEARED = "This phone’s memory was cleared"
JOINED_AGAIN = "You signed in again"

SYNCED = re.compile(r"(\d+) of (\d+) phones? ha(?:s|ve) sent everything")

CLEARED_UNDER_PAGE = re.compile(
    r"Force close delete origin|Backend aborted|transaction was aborted|AbortError|connection (was|is) clos|"
    r"Failed to fetch|wasm instantiation failed|WebAssembly compilation aborted"
)

# What may be cleared, as the browser's own names of it, and whether the phone's cookies are among it.
CLEARINGS = {
    "database": ("indexeddb", False),
    "database and what was counted": ("indexeddb,local_storage", False),
    "all but cookies": ("indexeddb,local_storage,service_workers,cache_storage", False),
    "all, and a new link": ("all", True),
    "some entries": ("", False),
}
MOMENTS = ("before its first entry", "with all sent", "with entries not sent", "while a page is open")
ALL = list(product(CLEARINGS, MOMENTS))
SHORT = [
    ("database", "while a page is open"),
    ("all but cookies", "with entries not sent"),
    ("all, and a new link", "with all sent"),
]

DELETE_ENTRY = """() => new Promise((resolve, reject) => {
  const opening = indexedDB.open("tailgunner");
  opening.onerror = reject;
  opening.onsuccess = () => {
    const work = opening.result.transaction("operations", "readwrite");
    work.objectStore("operations").delete(IDBKeyRange.bound(0, Infinity));
    work.oncomplete = () => { opening.result.close(); resolve(); };
    work.onabort = reject;
  };
})"""


def _clear(phone: Phone, url: str, clearing: str) -> None:
    """Clear the phone's storage, as its browser or its owner would."""
    kinds, has_cookies = CLEARINGS[clearing]
    if not kinds:
        phone.page.evaluate(DELETE_ENTRY)
        return
    session = phone.page.context.new_cdp_session(phone.page)
    session.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": kinds})
    if has_cookies:
        phone.page.context.clear_cookies()


@pytest.fixture
def page_monitor(page_monitor: PageMonitor) -> Iterator[PageMonitor]:
    """Collects what must not happen, but for what pages report while their storage is cleared."""
    yield page_monitor
    page_monitor.complaints[:] = [text for text in page_monitor.complaints if not CLEARED_UNDER_PAGE.search(text)]


def _add_member(site: Site, name: str) -> None:
    """Add a member to Emil's crew."""
    values = "SELECT ?, group_id, ?, role FROM crew_crewmember WHERE name = 'Emil'"
    assert site.change(f"INSERT INTO crew_crewmember (id, group_id, name, role) {values} LIMIT 1", uuid4().hex, name)


@contextmanager
def _joined_phone(browser: Browser, site: Site, profile: Path, link: str, watch: PageMonitor) -> Iterator[Phone]:
    with Phone(browser.browser_type, site.url, profile, watch) as phone:
        phone.open()
        phone.delete_data()
        phone.page.goto("/healthz")
        phone.page.evaluate("localStorage.clear()")
        phone.leave_out_engine()
        phone.join(link)
        expect(phone.page.locator("[data-check='ride'].check--yes")).to_be_visible()
        expect(phone.page.locator("[data-check='sent'].check--yes")).to_be_visible()
        yield phone


def _make_entries(site: Site, phone: Phone, moment: str, first: int) -> None:
    """Make the entries that the phone has at that moment."""
    if moment == "before its first entry":
        return
    if moment == "with all sent":
        phone.page.goto("/healthz")
        phone.add_to_outbox(site.make_walk_ups(2, first))
        phone.page.goto("/crew/ready/")
        phone.wait_for_states(sent=2)
        return
    if FULL:
        site.go_offline()
        turn_entry.register_walk_ups(phone, 2, first)
        return
    phone.page.goto("/healthz")
    phone.add_to_outbox(site.make_walk_ups(2, first))
    site.go_offline()
    phone.page.goto("/crew/ready/")
    expect(phone.page.locator("#phone-bar")).to_contain_text("2 to send")


def _expect_named_on_phone(page: Page, text: str) -> None:
    bar = page.locator("[data-bar-lost]")
    expect(bar).to_contain_text(text)
    page.goto("/crew/ready/")
    expect(bar).to_contain_text(text)
    assert get_box(bar)["height"] <= PHONE["height"] / 3
    expect(page.locator("[data-check='sent'].check--no")).to_contain_text("tell the organiser")
    expect(page.locator("[data-bar-line]")).not_to_contain_text("All sent")


def test_a_cleared_phone_is_named_on_the_phone_and_at_the_desk_until_it_is_confirmed(
    site: Site,
    ready_ride: ReadyRide,
    organiser: Organiser,
    browser: Browser,
    page_monitor: PageMonitor,
    new_link: Callable[[str], str],
    tmp_path: Path,
    figures: Figures,
) -> None:
    before = _read_synced(organiser)
    cases = ALL if FULL else SHORT
    named = 0
    for number, (clearing, moment) in enumerate(cases):
        name = f"Crew {number:02}"
        _add_member(site, name)
        site.go_online()
        profile = tmp_path / name
        copy_profile(ready_ride.profiles["Emil"], profile)
        with _joined_phone(browser, site, profile, new_link(name), page_monitor) as phone:
            _make_entries(site, phone, moment, 500 + 10 * number)
            if clearing == "some entries" and moment == "before its first entry":
                phone.add_to_outbox(site.make_walk_ups(1, 500 + 10 * number))
                phone.page.goto("/crew/ready/")
                phone.wait_for_states(sent=1)
            _clear(phone, site.url, clearing)
            if moment != "while a page is open":
                phone.close()
                phone.open()
            site.go_online()
            if CLEARINGS[clearing][1]:
                phone.join(new_link(name))
                _expect_named_on_phone(phone.page, JOINED_AGAIN)
            else:
                phone.page.goto("/crew/ready/")
                _expect_named_on_phone(phone.page, CLEARED)
            named += 1
            _wait_until_named_at_desk(phone.page, organiser, name)
        lost = site.query("SELECT count(*) FROM crew_device WHERE lost_at IS NOT NULL")[0][0]
        assert lost == number + 1, (clearing, moment)

    rejoined = sum(CLEARINGS[clearing][1] for clearing, _moment in cases)
    assert _read_synced(organiser) == (before[0] + rejoined, before[1] + len(cases) + rejoined)
    figures.add(
        "38 · storage cleared on phones",
        f"{len(cases)} phones at {len(cases)} moments ({len(CLEARINGS)} ways, {len(MOMENTS)} points of a day): "
        f"{named} named on the phone and at the desk, 0 counted as having sent everything",
    )


def _wait_until_named_at_desk(page: Page, organiser: Organiser, name: str) -> None:
    """Wait until the desk names the phone's owner above its table; the phone may have found its loss first."""
    last = time.monotonic() + TIMEOUT_MS / 1000
    while name not in organiser.read(f"{organiser.desk}phones/").split("<table")[0]:
        assert time.monotonic() < last, name
        page.wait_for_timeout(200)


def _read_synced(organiser: Organiser) -> tuple[int, int]:
    """Return how many phones have sent everything, and how many there are, as the desk says."""
    organiser.open("phones/")
    matched = SYNCED.search(organiser.page.text)
    assert matched is not None, organiser.page.text
    return int(matched[1]), int(matched[2])


def test_the_phone_says_without_signal_how_many_entries_are_lost(site: Site, phone: Phone) -> None:
    phone.leave_out_engine()
    phone.page.goto("/healthz")
    phone.add_to_outbox(site.make_walk_ups(3))
    site.go_offline()
    phone.page.goto("/crew/ready/")
    expect(phone.page.locator("#phone-bar")).to_contain_text("3 to send")

    _clear(phone, site.url, "database")
    phone.page.reload()

    expect(phone.page.locator("[data-bar-lost]")).to_contain_text("Unsent entries lost: 3")


def test_the_message_goes_away_once_an_organiser_has_confirmed(site: Site, phone: Phone, organiser: Organiser) -> None:
    phone.leave_out_engine()
    phone.page.goto("/crew/ready/")
    expect(phone.page.locator("[data-check='sent'].check--yes")).to_be_visible()
    _clear(phone, site.url, "all but cookies")
    phone.page.goto("/crew/ready/")
    expect(phone.page.locator("[data-bar-lost]")).to_contain_text(CLEARED)

    _wait_until_named_at_desk(phone.page, organiser, "Emil")
    organiser.open("phones/")
    organiser.submit("Confirm that nothing is missing: Emil")

    phone.page.goto("/crew/ready/")
    expect(phone.page.locator("[data-check='sent'].check--yes")).to_be_visible()
    expect(phone.page.locator("[data-bar-lost]")).to_be_hidden()
