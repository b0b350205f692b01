"""A hub in an event loop of its own, and a source of snapshots for it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID, uuid4

import pytest

from scorekeeper.common.client_address import parse_address
from scorekeeper.live.database_thread import DatabaseThread
from scorekeeper.live.feeds import OnChange, Subjects
from scorekeeper.live.hub import StreamHub
from scorekeeper.live.page_snapshot import PageSnapshot, SnapshotPart
from scorekeeper.live.stream_places import StreamPlaces
from scorekeeper.live.topics import TopicKey
from scorekeeper.live.viewers import Viewer

TIMEOUT_SECONDS = 10


@dataclass
class Board:
    """A source of snapshots, with rows that a test changes.

    Attributes:
        hidden: changes the snapshot's id, and nothing that is shown.
        render_count: how many snapshots were taken.
        error: raised when the next snapshot is taken.
    """

    rows: dict[str, str] = field(default_factory=lambda: {"row-1": "one", "row-2": "two"})
    hidden: str = ""
    subject: UUID = field(default_factory=uuid4)
    is_public: bool = True
    render_count: int = 0
    error: Exception | None = None

    @property
    def subjects(self) -> frozenset[UUID]:
        return frozenset([self.subject])

    def take_snapshot(self) -> PageSnapshot | None:
        self.render_count += 1
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        if not self.is_public:
            return None
        rows = dict(self.rows)
        parts = {name: SnapshotPart(f'<p id="{name}">{text}</p>', ("board", "div")) for name, text in rows.items()}
        html = "".join(part.html for part in parts.values())
        return PageSnapshot(
            hashlib.sha256(f"{rows}{self.hidden}".encode()).hexdigest(),
            None,
            "board",
            parts,
            lambda: f'<div id="board">{html}</div>',
        )


@dataclass
class ManualFeed:
    """A feed whose changes a test reports by hand."""

    is_healthy: bool = True
    on_change: OnChange | None = None
    get_subjects: Callable[[], Subjects] | None = None

    async def run(self, get_subjects: Callable[[], Subjects], on_change: OnChange) -> None:
        self.on_change, self.get_subjects = on_change, get_subjects
        try:
            await asyncio.Event().wait()
        finally:
            self.on_change = self.get_subjects = None


@dataclass
class HubUnderTest:
    """A hub with one board, for a test."""

    hub: StreamHub
    feed: ManualFeed
    board: Board

    async def join(
        self, last_id: str = "", path: str = "/board", address: str = "127.0.0.1", language: str = "en-gb"
    ) -> Viewer:
        viewer = await self.hub.join(TopicKey(path, language), lambda: self.board, last_id, parse_address(address))
        assert viewer is not None
        return viewer

    def change(self, **rows: str) -> None:
        """Change rows, and report the change."""
        self.board.rows |= {name.replace("_", "-"): text for name, text in rows.items()}
        assert self.feed.on_change is not None
        self.feed.on_change(self.board.subject)


Test = Callable[[HubUnderTest], Coroutine[Any, Any, None]]


class Run(Protocol):
    """Runs a test in an event loop, with a hub of this capacity that is closed at its end.

    Args:
        share: how many percent of the capacity one public address may take.
    """

    def __call__(self, test: Test, capacity: int = 100, share: int = 100) -> None: ...


@pytest.fixture
def run_with_hub() -> Run:
    """Run a test: `run_with_hub(test, capacity=2)`."""

    def run_with_hub(test: Test, capacity: int = 100, share: int = 100) -> None:
        async def run() -> None:
            feed = ManualFeed()

            def make_feed(_worker: DatabaseThread) -> ManualFeed:
                return feed

            hub = StreamHub(StreamPlaces(capacity, share), make_feed)
            try:
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    await test(HubUnderTest(hub, feed, Board()))
            finally:
                hub.close()

        # In a thread of its own: the browser's driver leaves its event loop running in the tests' thread.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, run()).result()

    return run_with_hub


async def read_until(viewer: Viewer, until: str) -> str:
    """Return what the viewer is sent, up to and including the text."""
    seen = ""
    while until not in seen:
        data = await viewer.next_chunk()
        assert data is not None, f"{until!r} never came: {seen}"
        seen += data.decode()
    return seen


def get_last_id(seen: str) -> str:
    """Return the id of the last event, as a browser remembers it."""
    return [line.removeprefix("id: ") for line in seen.splitlines() if line.startswith("id: ")][-1]
