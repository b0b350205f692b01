"""Open pages that follow a ride as a browser does: a page, its stream, and the updates it applies to the page.

A page applies an event by the ids in it, as htmx would: it cannot change a row that it does not have, and does not
insert one that is already there. So a screen that missed something stays wrong, and a test sees it.
"""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from html import unescape
from typing import Any
from urllib.parse import urlsplit

from tests.programs import TIMEOUT_SECONDS

# As in static/js/live.js, in seconds.
BEAT_MISSED = 12.0
TRY_AGAIN = 2.0
LONGEST = 2**24  # bytes in a line of an event

STREAM = re.compile(r'sse-connect="([^"]+)\?last=([^"]*)"')
# On the big screen the contest's id comes before the entrant's.
ROW = re.compile(r'<tr [^>]*?id="row-(?:[0-9a-f-]{36}-)?([0-9a-f-]{36})"(.*?)</tr>', re.DOTALL)
# The first cell, and the last.
PLACE = re.compile(r"<td>\s*([^<\s]+)\s*</td>")
TOTAL = re.compile(r"<td>\s*([^<]*?)\s*</td>\s*$")
PIECE = re.compile(r"<template>(.*?)</template>")
GONE = re.compile(r'<div id="row-(?:[0-9a-f-]{36}-)?([0-9a-f-]{36})" hx-swap-oob="delete">')
ELEMENT = re.compile(r'<\w+ [^>]*?id="((?:draw|head|rows|screen)[^"]*)"')

Table = dict[str, tuple[int, int]]  # place and points, by entrant
Row = tuple[str, str]  # the label of its place, and its points, as they are shown


class StreamLost(Exception):
    """The stream has ended."""


class Screen:
    """An open page.

    Attributes:
        rows: the rows it shows, by entrant.
        shown: when it first showed an entrant with those points, by `time.monotonic`.
        opened: how many streams it has opened.
        wholes: how often it received the whole page instead of a diff.
    """

    def __init__(self, url: str, page: str, changed: threading.Condition) -> None:
        self.rows: dict[str, Row] = {}
        self.shown: dict[tuple[str, str], float] = {}
        self.opened = 0
        self.wholes = 0
        self._heard = time.monotonic()
        self._elements: list[str] = []
        self._page = page
        self._stream = ""
        self._last = ""
        self._pause = TRY_AGAIN
        self._address = urlsplit(url)
        self._changed = changed
        self._awake = asyncio.Event()
        self._awake.set()
        self._has_slept = False
        self._writer: asyncio.StreamWriter | None = None

    @property
    def table(self) -> Table:
        """Place and points of everyone who has a place."""
        rows = dict(self.rows)
        return {
            entrant: (int(place.rstrip("=")), int(total)) for entrant, (place, total) in rows.items() if place != "–"
        }

    def describe_difference(self, wanted: Table) -> str:
        """Describe how it differs from what it should show, and what it received last, to help find the fault."""
        shown = self.table
        lacks = {entrant: row for entrant, row in wanted.items() if shown.get(entrant) != row}
        more = {entrant: row for entrant, row in shown.items() if wanted.get(entrant) != row}
        silent = time.monotonic() - self._heard
        counts = f"{len(self.rows)} rows, {self.opened} streams, {self.wholes} wholes, silent for {silent:.1f} s"
        return f"lacks {lacks}, shows {more}; {counts}; the last whole has {self._elements}"

    def has_shown(self, entrant: str, total: int) -> bool:
        """Whether it has ever shown the entrant with those points."""
        return (entrant, str(total)) in self.shown

    async def run(self) -> None:
        """Open the page and follow its stream until cancelled."""
        while not await self._open_page():
            await asyncio.sleep(TRY_AGAIN)
        while True:
            pause = TRY_AGAIN
            try:
                await self._follow()
            except StreamLost:
                pause = self._pause
            except (OSError, TimeoutError):
                pass
            if self._has_slept:
                await self._awake.wait()
                self._has_slept = False
            else:
                await asyncio.sleep(pause)

    def sleep(self, *, keeps_connection: bool) -> None:
        """Stop reading, with the connection left open or cut."""
        self._has_slept = True
        self._awake.clear()
        if self._writer is None:
            return
        if keeps_connection:
            transport: Any = self._writer.transport
            transport.pause_reading()
        else:
            self._writer.close()

    def wake(self) -> None:
        """Reconnect at once from the last event seen, whether or not the connection still works."""
        self._awake.set()
        self._hang_up()

    async def _open_page(self) -> bool:
        try:
            status, reader = await self._ask(self._page)
            page = (await reader.read()).decode()
        except (OSError, TimeoutError, StreamLost):
            return False
        finally:
            self._hang_up()
        found = STREAM.search(page)
        if status != 200 or found is None:
            return False
        self._stream, self._last = unescape(found[1]), found[2]
        self._apply_row(ROW.finditer(page))
        return True

    async def _follow(self) -> None:
        """Apply events until the stream is lost or silent for too long, or the screen falls asleep."""
        status, reader = await self._ask(f"{self._stream}?last={self._last}")
        try:
            if status != 200:
                return
            self.opened += 1
            self._notify()
            name = ""
            while True:
                line = await self._read(reader)
                if line is None:
                    return
                name = self._apply_line(name, line)
        finally:
            self._hang_up()

    async def _read(self, reader: asyncio.StreamReader) -> str | None:
        """Return the next line, or None if the screen fell asleep meanwhile and has woken up."""
        try:
            async with asyncio.timeout(BEAT_MISSED):
                line = await reader.readuntil(b"\n")
        except TimeoutError:
            if not self._has_slept:
                raise
        except asyncio.IncompleteReadError:
            raise StreamLost from None
        self._heard = time.monotonic()
        if self._has_slept:
            await self._awake.wait()
            return None
        return line.decode().rstrip("\n")

    def _apply_line(self, name: str, line: str) -> str:
        """Apply a line; return the name of the event it belongs to."""
        field, _colon, value = line.partition(": ")
        if field == "event":
            return value
        if field == "retry":
            self._pause = int(value) / 1000
        elif field == "id":
            self._last = value
        elif field == "data" and name == "rows":
            self._show(value)
        return name if line else ""

    def _show(self, data: str) -> None:
        if not data.startswith("<template>"):
            self.wholes += 1
            self._elements = ELEMENT.findall(data)
            self.rows.clear()
            self._apply_row(ROW.finditer(data))
        for piece in PIECE.findall(data):
            if gone := GONE.match(piece):
                self.rows.pop(gone[1], None)
                continue
            is_new = piece.startswith("<tbody")
            found = ROW.search(piece)
            if found is not None and (found[1] in self.rows) != is_new:
                self._apply_row([found])
        self._notify()

    def _apply_row(self, found: Iterable[re.Match[str]]) -> None:
        now = time.monotonic()
        for row in found:
            place, total = PLACE.search(row[2]), TOTAL.search(row[2])
            assert place, row[0]
            assert total, row[0]
            self.rows[row[1]] = (place[1], total[1])
            self.shown.setdefault((row[1], total[1]), now)

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()

    async def _ask(self, path: str) -> tuple[int, asyncio.StreamReader]:
        host, port = str(self._address.hostname), self._address.port
        reader, self._writer = await asyncio.open_connection(host, port, limit=LONGEST)
        # With this version of HTTP the connection ends after the body.
        ask = f"GET {path} HTTP/1.0\r\nHost: {host}:{port}\r\nLast-Event-ID: {self._last}\r\n\r\n"
        self._writer.write(ask.encode())
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            raise StreamLost from None
        return int(head.split()[1]), reader

    def _hang_up(self) -> None:
        if self._writer is not None:
            self._writer.close()


class Screens:
    """Many open pages, each following its stream in the background while the context is open.

    Args:
        pages: the path of each page.
    """

    def __init__(self, url: str, pages: Sequence[str]) -> None:
        self._changed = threading.Condition()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._screens = [Screen(url, page, self._changed) for page in pages]
        self._living: list[asyncio.Task[None]] = []

    def __enter__(self) -> list[Screen]:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result()
        self.wait_until(
            lambda: all(screen.opened for screen in self._screens), TIMEOUT_SECONDS, "every screen has a stream"
        )
        return self._screens

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def sleep(self, screens: Iterable[Screen], *, keep_connections: bool) -> None:
        """Make some of them stop reading, with their connections left open or cut."""
        for screen in screens:
            self._loop.call_soon_threadsafe(partial(screen.sleep, keeps_connection=keep_connections))

    def wake(self, screens: Iterable[Screen]) -> None:
        """Make them reconnect."""
        for screen in screens:
            self._loop.call_soon_threadsafe(screen.wake)

    def wait_until(self, are_so: Callable[[], bool], seconds: float, what: str) -> float:
        """Wait until a condition holds, checked whenever any screen changes; return how many seconds it took.

        Raises:
            AssertionError: it did not hold in that time.
        """
        started = time.monotonic()
        with self._changed:
            assert self._changed.wait_for(are_so, seconds), f"not in {seconds:g} seconds: {what}"
        return time.monotonic() - started

    def wait_until_all_show(self, table: Table, seconds: float) -> float:
        """Wait until every screen shows this table and nothing else; return how many seconds it took.

        Raises:
            AssertionError: one did not in that time; the message says which, and how it differs.
        """
        try:
            return self.wait_until(lambda: all(one.table == table for one in self._screens), seconds, "the same table")
        except AssertionError as error:
            wrong = [
                f"{number}: {one.describe_difference(table)}"
                for number, one in enumerate(self._screens)
                if one.table != table
            ]
            raise AssertionError("\n".join([f"{error}; screens that do not show it:", *wrong])) from None

    async def _start(self) -> None:
        self._living = [asyncio.create_task(screen.run()) for screen in self._screens]

    async def _end(self) -> None:
        for task in self._living:
            task.cancel()
        for one in await asyncio.gather(*self._living, return_exceptions=True):
            if isinstance(one, Exception):
                raise one
