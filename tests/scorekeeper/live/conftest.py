"""A hub in an event loop of its own, and pictures to show in it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID, uuid4

import pytest

from scorekeeper.live.database_thread import DatabaseThread
from scorekeeper.live.feeds import OnChange, Subjects
from scorekeeper.live.hub import StreamHub
from scorekeeper.live.page_snapshot import PageSnapshot, SnapshotPart
from scorekeeper.live.viewers import Viewer

TIMEOUT_SECONDS = 10


@dataclass
class Board:
    """Something to watch, with rows that a test changes.

    Attributes:
        unseen: what changes the picture's id and nothing that is shown.
        looks: how often somebody looked.
        fault: raised at the next look.
    """

    rows: dict[str, str] = field(default_factory=lambda: {"row-1": "one", "row-2": "two"})
    hidden: str = ""
    subject: UUID = field(default_factory=uuid4)
    is_public: bool = True
    render_count: int = 0
    fault: Exception | None = None

    @property
    def subjects(self) -> frozenset[UUID]:
        return frozenset([self.subject])

    def take_snapshot(self) -> PageSnapshot | None:
        self.render_count += 1
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault
        if not self.is_public:
            return None
        rows = dict(self.rows)
        parts = {name: SnapshotPart(f'<p id="{name}">{text}</p>', ("board", "div")) for name, text in rows.items()}
        whole = "".join(part.html for part in parts.values())
        return PageSnapshot(
            hashlib.sha256(f"{rows}{self.hidden}".encode()).hexdigest(),
            None,
            "board",
            parts,
            lambda: f'<div id="board">{whole}</div>',
        )


@dataclass
class ManualFeed:
    """A feed that a test tells of changes."""

    is_healthy: bool = True
    hear: OnChange | None = None
    watched: Callable[[], Subjects] | None = None

    async def run(self, watched: Callable[[], Subjects], hear: OnChange) -> None:
        self.hear, self.watched = hear, watched
        try:
            await asyncio.Event().wait()
        finally:
            self.hear = self.watched = None


@dataclass
class HubUnderTest:
    """A hub with one board, as a test uses it."""

    hub: StreamHub
    feed: ManualFeed
    board: Board

    async def join(self, last_id: str = "", address: str = "/board") -> Viewer:
        viewer = await self.hub.join(address, lambda: self.board, last_id)
        assert viewer is not None
        return viewer

    def change(self, **rows: str) -> None:
        """Change rows, and have it told."""
        self.board.rows |= {name.replace("_", "-"): text for name, text in rows.items()}
        assert self.feed.hear is not None
        self.feed.hear(self.board.subject)


Test = Callable[[HubUnderTest], Coroutine[Any, Any, None]]


class Run(Protocol):
    """Runs a test in an event loop, with a hub for so many that is closed at its end."""

    def __call__(self, test: Test, most: int = 100) -> None: ...


@pytest.fixture
def run_with_hub() -> Run:
    """Run a test: `run_with_hub(test, most=2)`."""

    def run_with_hub(test: Test, most: int = 100) -> None:
        async def live() -> None:
            feed = ManualFeed()

            def make_feed(_worker: DatabaseThread) -> ManualFeed:
                return feed

            hub = StreamHub(most, make_feed)
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    await test(HubUnderTest(hub, feed, Board()))
            finally:
                hub.close()

        # In a thread of its own: the browser's driver leaves its loop running in the one that tests run in.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, live()).result()

    return run_with_hub


async def read_until(viewer: Viewer, until: str) -> str:
    """Return what the viewer is sent, up to and with the word."""
    seen = ""
    while until not in seen:
        data = await viewer.next_chunk()
        assert data is not None, f"{until!r} never came: {seen}"
        seen += data.decode()
    return seen


def get_last_id(seen: str) -> str:
    """Return the id of the last event, as a browser keeps it."""
    return [line.removeprefix("id: ") for line in seen.splitlines() if line.startswith("id: ")][-1]
