"""Every mix of an older and a newer version of the app on one phone records without signal, and each entry counts once.

A page comes from the server, so it is as new as the server is. The service worker, the pages and the engine that it
has stored are older until someone presses "Use it now". The database is in the format of the last version that was
allowed to upgrade it. The mixes are made as they come about, if they can: a page that was opened before another window
let the new version take over; a page of the new version under the old service worker. The engine's files in the service
worker's cache and the database are replaced by hand where no phone is known to get into that state.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.page_monitor import PageMonitor
from tests.browser.phone import turn_entry
from tests.browser.phone.app_versions import make_later_tree, make_released_tree
from tests.browser.phone.conftest import MakeLink, ReadyRide, copy_profile
from tests.browser.phone.phone import Phone
from tests.browser.phone.site import Site
from tests.browser.waits import wait_until
from tests.faults.figures import Figures
from tests.faults.scale import FULL

pytestmark = pytest.mark.timeout(3600)

LIMIT = 30  # seconds until an entry is recorded, also while other tests run
ENGINE_FILES = ("/engine-worker.js", "/offline/engine.mjs", "/offline/manifest.json")
OLD, NEW = "old", "new"
PARTS = ("page", "worker", "engine", "database")

# Replaces files in the cache of the service worker that is in charge: the first that was made.
PUT_FILES = """async (files) => {
  const [name] = (await caches.keys()).filter((one) => one.startsWith("tailgunner-"));
  const cache = await caches.open(name);
  for (const [path, headers, text] of files) await cache.put(path, new Response(text, { headers }));
}"""

# Rewrites the database in another format, with all of its rows: with the store "later", or without it.
SET_FORMAT = """([format, hasLater]) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("tailgunner");
  opening.onerror = reject;
  opening.onsuccess = async () => {
    const db = opening.result;
    if (db.version === format) { db.close(); resolve(false); return; }
    const wait = (request) => new Promise((done, fail) => {
      request.onsuccess = () => done(request.result);
      request.onerror = fail;
    });
    const stores = [];
    for (const name of db.objectStoreNames) {
      const store = db.transaction(name).objectStore(name);
      const { keyPath, autoIncrement, indexNames } = store;
      const indexes = [...indexNames].map((index) => [index, store.index(index).keyPath, store.index(index).unique]);
      const [keys, rows] = await Promise.all([wait(store.getAllKeys()), wait(store.getAll())]);
      if (name !== "later") stores.push({ name, keyPath, autoIncrement, indexes, keys, rows });
    }
    db.close();
    await wait(indexedDB.deleteDatabase("tailgunner"));
    const making = indexedDB.open("tailgunner", format);
    making.onupgradeneeded = () => {
      for (const { name, keyPath, autoIncrement, indexes, keys, rows } of stores) {
        const store = making.result.createObjectStore(name, { keyPath, autoIncrement });
        indexes.forEach(([index, path, unique]) => store.createIndex(index, path, { unique }));
        rows.forEach((row, place) => (keyPath ? store.put(row) : store.put(row, keys[place])));
      }
      if (hasLater) making.result.createObjectStore("later");
    };
    await wait(making);
    making.result.close();
    resolve(true);
  };
})"""


class Versions(NamedTuple):
    """The trees of the versions that are neither this one."""

    released: Path
    later: Path


class Upgrade(NamedTuple):
    """An older and a newer version; a tree of None is this version.

    Attributes:
        profile: of a phone that is ready in the older one.
        formats: of the database in each of them.
    """

    older: Path | None
    newer: Path | None
    profile: Path
    formats: Mapping[str, int]

    def get_tree(self, age: str) -> Path | None:
        return self.newer if age == NEW else self.older


NAMES = ("from version 1.0.0", "to a later version")
MIXES = list(product((OLD, NEW), repeat=len(PARTS)))
SHORT_MIXES = {  # of each upgrade: a new page under an old service worker, and what contradicts itself most
    NAMES[0]: [(NEW, OLD, OLD, OLD), (OLD, NEW, OLD, NEW)],
    NAMES[1]: [(NEW, OLD, OLD, OLD), (OLD, OLD, NEW, NEW)],
}


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Versions:
    folder = tmp_path_factory.mktemp("versions")
    data = folder / "data"
    data.mkdir()
    return Versions(make_released_tree(folder / "released", data), make_later_tree(folder / "later", data))


@pytest.fixture(scope="module")
def profiles() -> dict[str, Path]:
    """The profiles that were prepared already, by the name of the upgrade."""
    return {}


@pytest.fixture
def upgrade(
    request: pytest.FixtureRequest,
    site: Site,
    ready_ride: ReadyRide,
    browser: Browser,
    versions: Versions,
    profiles: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Upgrade:
    """The upgrade of this name, with a phone that is ready in the older version."""
    name: str = request.param
    is_released = name == NAMES[0]
    older, newer = (versions.released, None) if is_released else (None, versions.later)
    formats = {OLD: 5, NEW: 5 if is_released else 6}
    if name not in profiles:
        profiles[name] = ready_ride.profiles["Emil"]
        if is_released:
            profiles[name] = tmp_path_factory.mktemp("profiles") / "released"
            _install(site, browser, ready_ride.profiles["Emil"], profiles[name], older)
    return Upgrade(older, newer, profiles[name], formats)


def _install(site: Site, browser: Browser, ready: Path, profile: Path, tree: Path | None) -> None:
    """Put a version of the app on the ready phone, and nothing else of another one."""
    copy_profile(ready, profile)
    site.go_online(tree)
    with Phone(browser.browser_type, site.url, profile) as phone:
        phone.open()
        phone.page.goto("/healthz")
        session = phone.page.context.new_cdp_session(phone.page)
        kinds = "indexeddb,local_storage,service_workers,cache_storage"
        session.send("Storage.clearDataForOrigin", {"origin": site.url, "storageTypes": kinds})
        phone.page.goto("/crew/ready/")
        phone.expect_ready()
        phone.wait_for_snapshot()


def _open_page(site: Site, phone: Phone, tree: Path | None, page: Page) -> None:
    """Open a page of a version with signal, and wait for its engine."""
    site.go_online(tree)
    page.goto("/crew/ready/")
    expect(page.locator("[data-check='engine'].check--yes")).to_be_visible()
    expect(page.locator("[data-check='ride'].check--yes")).to_be_visible()


def _let_take_over(site: Site, page: Page, tree: Path | None) -> None:
    site.go_online(tree)
    page.goto("/crew/ready/")
    use = page.get_by_role("button", name="Use it now")
    expect(use).to_be_visible()
    with page.expect_navigation():
        use.click()
    expect(use).to_be_hidden()
    wait_until(page, "caches.keys().then((all) => all.filter((name) => name.startsWith('tailgunner-')).length === 1)")


def _replace_engine(site: Site, page: Page, tree: Path | None) -> None:
    """Replace the engine in the service worker's cache by a version's."""
    site.go_online(tree)
    files = []
    for path in ENGINE_FILES:
        answer = page.context.request.get(f"{site.url}{path}")
        assert answer.ok
        kept = ("content-type", "content-security-policy", "x-tailgunner")
        files.append([path, {name: text for name, text in answer.headers.items() if name in kept}, answer.text()])
    page.evaluate(PUT_FILES, files)


def _set_format(page: Page, upgrade: Upgrade, age: str) -> None:
    page.evaluate(SET_FORMAT, [upgrade.formats[age], age == NEW and upgrade.formats[NEW] != upgrade.formats[OLD]])


def _mix(site: Site, phone: Phone, upgrade: Upgrade, mix: Mapping[str, str]) -> None:
    """Bring the phone into a state; its page is open, and the server is gone."""
    page_tree, engine_tree = upgrade.get_tree(mix["page"]), upgrade.get_tree(mix["engine"])
    other = phone.page.context.new_page()
    site.go_online(upgrade.older)
    other.goto("/healthz")
    if mix["page"] == NEW and mix["worker"] == NEW:
        _let_take_over(site, other, upgrade.newer)
        other.goto("/healthz")
    if mix["engine"] != (NEW if mix["page"] == mix["worker"] == NEW else OLD):
        _replace_engine(site, other, engine_tree)
    _set_format(other, upgrade, mix["database"])
    _open_page(site, phone, page_tree, phone.page)
    if mix["page"] == OLD and mix["worker"] == NEW:
        _let_take_over(site, other, upgrade.newer)
        other.goto("/healthz")
        if mix["engine"] == OLD:
            _replace_engine(site, other, engine_tree)
        _set_format(other, upgrade, mix["database"])
    phone.wait_for_snapshot()
    other.close()
    site.refuse_connections()


def _record_on_open_page(phone: Phone, number: int) -> float:
    """Register a bike on the page that is open; return after how many seconds it is stored."""
    started = time.monotonic()
    phone.page.get_by_role("link", name="Go to my group").click()
    turn_entry.register(phone.page, str(number))
    return time.monotonic() - started


def _record_after_start(phone: Phone, number: str) -> float:
    """Open the app without signal and record a turn; return after how many seconds it is stored."""
    phone.close()
    phone.open()
    started = time.monotonic()
    turn_entry.open_group(phone.page, "BBQ")
    turn_entry.record_turn_offline(phone, number, "66612", "Sixes")
    return time.monotonic() - started


def _use_new_version(site: Site, phone: Phone, upgrade: Upgrade) -> None:
    """Open the app with signal, and let the new version take over if it has not yet."""
    site.go_online(upgrade.newer)
    phone.page.goto("/crew/ready/")
    use = phone.page.get_by_role("button", name="Use it now")
    wait_until(phone.page, "navigator.serviceWorker.getRegistration().then((found) => found && !found.installing)")
    expect(phone.page.locator("[data-check='app'].check--yes")).to_be_visible()
    if use.is_visible():
        with phone.page.expect_navigation():
            use.click()
        expect(use).to_be_hidden()
    phone.expect_ready()
    expect(phone.page.locator("[data-check='sent'].check--yes")).to_be_visible()
    phone.wait_for_snapshot()  # the first start of another engine takes longer


def _try(site: Site, phone: Phone, upgrade: Upgrade, mix: Mapping[str, str]) -> list[float]:
    """Record in a state before and after the new version takes over; return the seconds of each entry."""
    _mix(site, phone, upgrade, mix)
    before = len(phone.read("operations"))
    seconds = [_record_on_open_page(phone, 500), _record_after_start(phone, "8")]
    _use_new_version(site, phone, upgrade)
    site.refuse_connections()
    seconds.append(_record_after_start(phone, "12"))
    made = phone.read("operations")[before:]
    assert len(made) == len(seconds), made
    site.go_online(upgrade.newer)
    phone.page.goto("/crew/ready/")
    phone.wait_for_states(sent=len(made) + before)
    assert site.count_recorded([one["id"] for one in made]) == [1] * len(made)
    return seconds


@pytest.fixture
def watch(site: Site) -> PageMonitor:
    """Watches the phones for violations of the content security policy."""
    return PageMonitor(site.url, may_be_offline=True)


@pytest.mark.parametrize("upgrade", NAMES, indirect=True)
def test_every_mix_of_two_versions_records_without_signal(
    request: pytest.FixtureRequest,
    site: Site,
    ready_ride: ReadyRide,
    upgrade: Upgrade,
    browser: Browser,
    watch: PageMonitor,
    tmp_path: Path,
    figures: Figures,
) -> None:
    name = NAMES[0] if upgrade.older else NAMES[1]
    mixes = MIXES if FULL else SHORT_MIXES[name]
    seconds: list[float] = []
    for number, ages in enumerate(mixes):
        mix = dict(zip(PARTS, ages, strict=True))
        site.restore(ready_ride.data)
        # The prepared phone told its memory to the server; the one with another version has a memory of its own.
        site.change("UPDATE crew_device SET memory = '', made = 0")
        profile = tmp_path / str(number)
        copy_profile(upgrade.profile, profile)
        with Phone(browser.browser_type, site.url, profile, watch) as phone:
            phone.open()
            try:
                seconds += _try(site, phone, upgrade, mix)
            except Exception as error:
                error.add_note(f"{name}: {mix}")
                error.add_note(phone.page.locator("body").inner_text())
                raise
        assert max(seconds) < LIMIT, (mix, seconds[-3:])

    figures.add(
        f"39 · old and new page, service worker, engine and database, {name}",
        f"{len(mixes)} mixes, before and after “Use it now”: {len(seconds)} entries without signal, on open pages and "
        f"after a start, each recorded within {max(seconds):.1f} s and once",
    )


@pytest.mark.parametrize("upgrade", NAMES[1:], indirect=True)
def test_a_new_page_upgrades_the_database_only_under_its_own_service_worker_and_alone(
    site: Site, upgrade: Upgrade, phone: Phone, new_link: MakeLink
) -> None:
    phone.leave_out_engine()
    _open_page_without_engine(site, phone, upgrade.newer)
    assert _read_format(phone) == upgrade.formats[OLD]

    other = phone.page.context.new_page()
    other.goto("/crew/ready/")
    _let_take_over(site, phone.page, upgrade.newer)
    phone.page.reload()
    expect(phone.page.locator("[data-check='ride'].check--yes")).to_be_visible()
    assert _read_format(phone) == upgrade.formats[OLD], "another page is open"

    other.close()
    phone.page.reload()
    wait_until(phone.page, f"indexedDB.databases().then(([one]) => one.version === {upgrade.formats[NEW]})")


def _open_page_without_engine(site: Site, phone: Phone, tree: Path | None) -> None:
    site.go_online(tree)
    phone.page.goto("/crew/ready/")
    expect(phone.page.get_by_role("button", name="Use it now")).to_be_visible()


def _read_format(phone: Phone) -> int:
    version: int = phone.page.evaluate("indexedDB.databases().then(([one]) => one.version)")
    return version
