"""A phone of the crew: a Chromium with a profile on the disk, which can be killed."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from playwright.sync_api import BrowserContext, BrowserType, Error, Page, expect

from tests.browser.measure import PHONE
from tests.browser.watch import Watch
from tests.faults.scale import FULL
from tests.services import find_browser

PATIENCE = 60_000  # milliseconds: the engine starts on a machine that does other things as well


class Phone:
    """A phone.

    Attributes:
        page: what it shows.
    """

    page: Page

    def __init__(self, chromium: BrowserType, url: str, profile: Path, watch: Watch | None = None) -> None:
        self._chromium = chromium
        self._watch = watch
        self._url = url
        self._profile = profile
        self._context: BrowserContext | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def open(self) -> None:
        """Start the browser."""
        as_root = ["--no-sandbox"] if os.geteuid() == 0 else []
        quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
        self._context = self._chromium.launch_persistent_context(
            self._profile,
            executable_path=find_browser(),
            args=[*quiet, "--disable-session-crashed-bubble", *as_root],
            base_url=self._url,
            viewport=PHONE,
            has_touch=True,
        )
        self._context.set_default_timeout(PATIENCE)
        if self._watch is not None:
            self._watch.follow(self._context)
        self.page = self._context.pages[0] if self._context.pages else self._context.new_page()

    def close(self) -> None:
        """Close the browser as its owner does."""
        if self._context is not None:
            self._context.close()
            self._context = None

    def kill(self) -> None:
        """End the browser in the middle of whatever it does."""
        pid = self._find_process()
        os.kill(pid, signal.SIGKILL)
        while Path("/proc", str(pid)).exists() and "Z" not in Path("/proc", str(pid), "stat").read_text().split()[2]:
            time.sleep(0.05)
        try:
            self.close()
        except Error:
            self._context = None
        for left in self._profile.glob("Singleton*"):  # as its lock says, the browser of a killed machine still runs
            left.unlink()

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

    def join(self, link: str) -> None:
        """Open a link of the organiser's, and wait until the app is on the phone."""
        self.page.goto(link)
        self.page.get_by_role("button", name="This is my phone").click()
        expect(self.page.locator("[data-check='app'].check--yes")).to_be_visible(timeout=PATIENCE)

    def expect_ready(self) -> None:
        """Wait until the page says that the phone is ready."""
        expect(self.page.locator("[data-ready='yes']")).to_be_visible(timeout=PATIENCE)

    def expect_able_to_swap(self) -> None:
        """Wait until the phone is ready and the server knows its key."""
        self.page.goto("/crew/ready/")
        self.expect_ready()
        expect(self.page.locator("[data-check='swap'].check--yes")).to_be_visible(timeout=PATIENCE)

    def read(self, store: str) -> list[dict[str, Any]]:
        """Return all that lies in a store of the phone's database."""
        found: list[dict[str, Any]] = self.page.evaluate(READ, store)
        return found

    def queue(self, operations: list[dict[str, Any]]) -> list[str]:
        """Leave operations in the outbox as a page does that was killed before it sent them; return their ids."""
        noted = {"label": "Noted before", "path": "/crew/", "state": "waiting", "noted": 0, "tried": 0, "receipt": None}
        self.put("operations", [{"id": one["id"], "body": one, **noted} for one in operations])
        return [one["id"] for one in operations]

    def count(self) -> dict[str, int]:
        """Return how many operations are in each state."""
        return dict(Counter(one["state"] for one in self.read("operations")))

    def find_signal(self) -> None:
        """Let the page hear from its browser that the network is back, which else it finds out after a pause."""
        if not FULL:
            self.page.evaluate("dispatchEvent(new Event('online'))")

    def wait_for_states(self, **counts: int) -> None:
        """Wait until so many operations are in each state, and none in another."""
        self._wait_for("operations", lambda rows: Counter(one["state"] for one in rows) == Counter(counts))

    def wait_for_draft(self, dice: int) -> None:
        """Wait until so many dice of a turn that has been begun are in the phone's database."""
        self._wait_for("drafts", lambda rows: _count_dice(rows) == dice)

    def wait_for_ride(self, text: str) -> None:
        """Wait until the phone's copy of the ride holds a text."""
        self._wait_for("ride", lambda copies: any(text in copy["text"] for copy in copies))

    def wait_until_forgotten(self, store: str, name: str) -> None:
        """Wait until no row of a store has a field of that name."""
        self._wait_for(store, lambda rows: not any(name in row for row in rows if isinstance(row, dict)))

    def _wait_for(self, store: str, is_so: Callable[[list[dict[str, Any]]], bool]) -> None:
        last = time.monotonic() + PATIENCE / 1000
        while not is_so(rows := self.read(store)):
            assert time.monotonic() < last, rows
            self.page.wait_for_timeout(100)  # no event tells of a write to the database

    def put(self, store: str, rows: list[dict[str, Any]]) -> None:
        """Add rows to a store of the phone's database, as an earlier day would have left them."""
        self.page.evaluate(PUT, [store, rows])


def _count_dice(drafts: list[dict[str, Any]]) -> int:
    return sum(name in ("dice", "held") for draft in drafts for name, _value in draft["fields"])


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
