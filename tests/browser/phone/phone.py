"""A crew phone: a Chromium with a profile on the disk, which can be killed.

With FAULTS=full it is the full browser. Otherwise it is the headless shell, which needs half the CPU time
and forgets cookies when it ends: those with an expiry, which browsers keep, are saved for it here.
"""

from __future__ import annotations

import json
import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from playwright.sync_api import BrowserContext, BrowserType, Error, Page, expect

from tests.browser.measure import LOCALE, PHONE
from tests.browser.page_monitor import PageMonitor
from tests.faults.scale import FULL
from tests.services import find_browser, find_headless_shell

TIMEOUT_MS = 60_000  # milliseconds: the engine starts on a machine that is also doing other things


class Phone:
    """A phone.

    Attributes:
        page: the page it shows.

    Its camera, which it may use, shows a film; without one it has no camera. The headless shell never has one.
    """

    page: Page

    def __init__(
        self,
        chromium: BrowserType,
        url: str,
        profile: Path,
        watch: PageMonitor | None = None,
        film: Path | None = None,
    ) -> None:
        self._chromium = chromium
        self._watch = watch
        self._film = film
        self._url = url
        self._profile = profile
        self._context: BrowserContext | None = None
        self._init_scripts: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def open(self) -> None:
        """Start the browser."""
        as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
        # Half the work of starting an engine is optimising its code, which no test needs.
        hasty = [] if FULL else ["--js-flags=--liftoff-only"]
        quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
        camera = ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={self._film}"]
        self._context = self._chromium.launch_persistent_context(
            self._profile,
            executable_path=find_browser() if FULL or self._film else find_headless_shell(),
            args=[*quiet, "--disable-session-crashed-bubble", *hasty, *as_root, *(camera if self._film else [])],
            permissions=["camera"] if self._film else [],
            base_url=self._url,
            viewport=PHONE,
            has_touch=True,
            locale=LOCALE,
        )
        self._context.set_default_timeout(TIMEOUT_MS)
        if not FULL and self._cookies.exists():
            self._context.add_cookies(json.loads(self._cookies.read_text("utf-8")))
        for script in self._init_scripts:
            self._context.add_init_script(script)
        if self._watch is not None:
            self._watch.follow(self._context)
        self.page = self._context.pages[0] if self._context.pages else self._context.new_page()

    def close(self) -> None:
        """Close the browser as its owner would."""
        if self._context is not None:
            self._keep_cookies(self._context)
            self._context.close()
            self._context = None

    def kill(self) -> None:
        """Kill the browser, whatever it is doing."""
        assert self._context is not None
        self._keep_cookies(self._context)
        pid = self._find_process()
        os.kill(pid, signal.SIGKILL)
        while _is_running(pid):
            time.sleep(0.05)
        with suppress(Error):
            self._context.close()
        self._context = None
        for left in self._profile.glob(
            "Singleton*"
        ):  # according to its lock, the browser of a killed machine is still running
            left.unlink()

    @property
    def _cookies(self) -> Path:
        return self._profile / "kept-cookies.json"

    def _keep_cookies(self, context: BrowserContext) -> None:
        if not FULL:
            cookies = [cookie for cookie in context.cookies() if cookie["expires"] > 0]
            self._cookies.write_text(json.dumps(cookies), "utf-8")

    def _find_process(self) -> int:
        wanted = f"--user-data-dir={self._profile}".encode()
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if wanted in words and not any(word.startswith(b"--type=") for word in words):
                return int(folder.name)
        raise AssertionError("the browser does not run")

    def leave_out_engine(self, *, everywhere: bool = False) -> None:
        """Start no engine from now on where the test uses none, since that costs more CPU time than all else on a page.

        In a full run every page starts it.

        Args:
            everywhere: leave it out on all pages, not only on those about the phone itself.
        """
        if FULL:
            return
        self._init_scripts.append(WITHOUT_ENGINE if everywhere else WITHOUT_ENGINE_ON_STATUS_PAGES)
        assert self._context is not None
        self._context.add_init_script(self._init_scripts[-1])

    def delete_data(self) -> None:
        """Delete everything but the installed app: the phone's database and cookies."""
        assert self._context is not None
        self._context.clear_cookies()
        session = self._context.new_cdp_session(self.page)
        session.send("Storage.clearDataForOrigin", {"origin": self._url, "storageTypes": "cookies,indexeddb"})

    def join(self, link: str) -> None:
        """Open a crew link, and wait until the app is on the phone."""
        self.page.goto(link)
        self.page.get_by_role("button", name="This is my phone").click()
        expect(self.page.locator("[data-check='app'].check--yes")).to_be_visible(timeout=TIMEOUT_MS)

    def expect_ready(self) -> None:
        """Wait until the page says that the phone is ready."""
        expect(self.page.locator("[data-ready='yes']")).to_be_visible(timeout=TIMEOUT_MS)

    def expect_key_registered(self) -> None:
        """Wait until the server knows the phone's key."""
        self.page.goto("/crew/ready/")
        expect(self.page.locator("[data-check='swap'].check--yes")).to_be_visible(timeout=TIMEOUT_MS)

    def read(self, store: str) -> list[dict[str, Any]]:
        """Return all rows of a store of the phone's database."""
        found: list[dict[str, Any]] = self.page.evaluate(READ, store)
        return found

    def add_to_outbox(
        self, operations: list[dict[str, Any]], label: str = "Recorded before", **fields: object
    ) -> list[str]:
        """Put the owner's operations into the outbox, like a page killed before it sent them; return their ids.

        Args:
            label: what the phone calls each of them.
            fields: what their rows have instead of what such a page would have written.
        """
        [copy] = self.read("ride")
        common = {
            "label": label,
            "path": "/crew/",
            "owner": copy["owner"],
            "state": "waiting",
            "noted": int(time.time() * 1000),
            "tried": 0,
            "receipt": None,
        }
        self.add_rows("operations", [{"id": one["id"], "body": one, **common, **fields} for one in operations])
        return [one["id"] for one in operations]

    def count(self) -> dict[str, int]:
        """Return how many operations are in each state."""
        return dict(Counter(one["state"] for one in self.read("operations")))

    def send_now(self) -> None:
        """Tap "Send now", which disappears if the phone has found signal first."""
        self.page.locator("[data-bar-send]").dispatch_event("click")

    def go_online(self) -> None:
        """Send the page the browser's `online` event; otherwise it notices the network only after a pause."""
        if not FULL:
            self.page.evaluate("dispatchEvent(new Event('online'))")

    def wait_for_states(self, **counts: int) -> None:
        """Wait until this many operations are in each state, and none in another."""
        self._wait_for("operations", lambda rows: Counter(one["state"] for one in rows) == Counter(counts))

    def wait_for_draft(self, dice: int) -> None:
        """Wait until the draft of a turn with this many dice is in the phone's database."""
        self._wait_for("drafts", lambda rows: _count_dice(rows) == dice)

    def wait_for_ride(self, text: str) -> None:
        """Wait until the phone's copy of the ride contains a text."""
        self._wait_for("parts", lambda parts: text in json.dumps(parts, ensure_ascii=False))

    def wait_until_parts_are_whole(self) -> None:
        """Wait until no part of the ride is empty, as a test leaves them that spoils the copy."""
        self._wait_for("parts", all)

    def wait_for_count(self, store: str, count: int) -> None:
        """Wait until a store has this many rows."""
        self._wait_for(store, lambda rows: len(rows) == count)

    def wait_for_snapshot(self) -> None:
        """Wait until the snapshot of the phone's engine is stored for the next start."""
        self._ask_until(partial(self.page.evaluate, COUNT_SNAPSHOTS, SMALLEST_SNAPSHOT), lambda count: count == 1)

    def wait_until_message_is_reported(self) -> None:
        """Wait until the server knows of every message that was read on the phone."""
        self._wait_for(
            "facts",
            lambda facts: any(all(fact["ids"].values()) for fact in facts if isinstance(fact, dict) and "ids" in fact),
        )

    def wait_until_field_is_gone(self, store: str, name: str) -> None:
        """Wait until no row of a store has a field of this name."""
        self._wait_for(store, lambda rows: not any(name in row for row in rows if isinstance(row, dict)))

    def _wait_for(self, store: str, is_so: Callable[[list[dict[str, Any]]], bool]) -> None:
        self._ask_until(partial(self.read, store), is_so)

    def _ask_until(self, ask: Callable[[], Any], is_so: Callable[[Any], bool]) -> None:
        last = time.monotonic() + TIMEOUT_MS / 1000
        while not is_so(found := ask()):
            assert time.monotonic() < last, found
            self.page.wait_for_timeout(200)  # no event reports a write to the phone's database

    def add_rows(self, store: str, rows: list[dict[str, Any]]) -> None:
        """Add rows to a store of the phone's database, as if left there on an earlier day."""
        self.page.evaluate(PUT, [store, rows])

    def delete_fact(self, name: str) -> None:
        """Delete a fact from the phone's database, as if it had never been stored."""
        self.page.evaluate(DELETE_FACT, name)


def _is_running(pid: int) -> bool:
    try:
        return "Z" not in Path("/proc", str(pid), "stat").read_text().split()[2]
    except OSError:
        return False


def _count_dice(drafts: list[dict[str, Any]]) -> int:
    return sum(name in ("dice", "held") for draft in drafts for name, _value in draft["fields"])


# As in a browser without workers.
WITHOUT_ENGINE = "delete window.Worker;"
# The page's engine starts for as long as the page is open, as on the slowest of phones.
NEVER_STARTED = """window.Worker = class extends EventTarget {
  postMessage() {}
  terminate() {}
};"""
STATUS_PAGES = ("join", "ready", "sign-out", "swap", "switch")
WITHOUT_ENGINE_ON_STATUS_PAGES = f"if (location.pathname.match('^/crew/({'|'.join(STATUS_PAGES)})/')) {WITHOUT_ENGINE}"
SMALLEST_SNAPSHOT = 20_000_000  # bytes
COUNT_SNAPSHOTS = """async (smallest) => {
  const cache = await caches.open("engine-snapshots");
  const kept = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
  const sizes = await Promise.all(kept.map(async (answer) => (await answer.blob()).size));
  return sizes.filter((size) => size > smallest).length;
}"""
READ = """store => new Promise((resolve, reject) => {
  const opening = indexedDB.open("tailgunner");
  opening.onerror = reject;
  opening.onsuccess = () => {
    const asking = opening.result.transaction(store).objectStore(store).getAll();
    asking.onsuccess = () => { opening.result.close(); resolve(asking.result); };
  };
})"""
PUT = """([store, rows]) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("tailgunner");
  opening.onerror = reject;
  opening.onsuccess = () => {
    const work = opening.result.transaction(store, "readwrite");
    rows.forEach((row) => work.objectStore(store).add(row));
    work.oncomplete = () => { opening.result.close(); resolve(); };
    work.onabort = reject;
  };
})"""

DELETE_FACT = """name => new Promise((resolve, reject) => {
  const opening = indexedDB.open("tailgunner");
  opening.onerror = reject;
  opening.onsuccess = () => {
    const work = opening.result.transaction("facts", "readwrite");
    work.objectStore("facts").delete(name);
    work.oncomplete = () => { opening.result.close(); resolve(); };
    work.onabort = reject;
  };
})"""
