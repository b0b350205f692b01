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

from scorekeeper.live.feeds import Hear, Subjects
from scorekeeper.live.hub import Hub
from scorekeeper.live.picture import Part, Picture
from scorekeeper.live.viewers import Viewer
from scorekeeper.live.worker import Worker

SECONDS = 10


@dataclass
class Board:
    """Something to watch, with rows that a test changes.

    Attributes:
        unseen: what changes the picture's id and nothing that is shown.
        looks: how often somebody looked.
        fault: raised at the next look.
    """

    rows: dict[str, str] = field(default_factory=lambda: {"row-1": "one", "row-2": "two"})
    unseen: str = ""
    subject: UUID = field(default_factory=uuid4)
    is_public: bool = True
    looks: int = 0
    fault: Exception | None = None

    @property
    def subjects(self) -> frozenset[UUID]:
        return frozenset([self.subject])

    def take_picture(self) -> Picture | None:
        self.looks += 1
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault
        if not self.is_public:
            return None
        rows = dict(self.rows)
        parts = {name: Part(f'<p id="{name}">{text}</p>', ("board", "div")) for name, text in rows.items()}
        whole = "".join(part.html for part in parts.values())
        return Picture(
            hashlib.sha256(f"{rows}{self.unseen}".encode()).hexdigest(),
            None,
            "board",
            parts,
            lambda: f'<div id="board">{whole}</div>',
        )


@dataclass
class Told:
    """A feed that a test tells of changes."""

    is_sure: bool = True
    hear: Hear | None = None
    watched: Callable[[], Subjects] | None = None

    async def follow(self, watched: Callable[[], Subjects], hear: Hear) -> None:
        self.hear, self.watched = hear, watched
        try:
            await asyncio.Event().wait()
        finally:
            self.hear = self.watched = None


@dataclass
class Watching:
    """A hub with one board, as a test uses it."""

    hub: Hub
    feed: Told
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


Test = Callable[[Watching], Coroutine[Any, Any, None]]


class Run(Protocol):
    """Runs a test in an event loop, with a hub for so many that is closed at its end."""

    def __call__(self, test: Test, most: int = 100) -> None: ...


@pytest.fixture
def run() -> Run:
    """Run a test: `run(test, most=2)`."""

    def run(test: Test, most: int = 100) -> None:
        async def live() -> None:
            feed = Told()

            def make_feed(_worker: Worker) -> Told:
                return feed

            hub = Hub(most, make_feed)
            try:
                async with asyncio.timeout(SECONDS):
                    await test(Watching(hub, feed, Board()))
            finally:
                hub.close()

        # In a thread of its own: the browser's driver leaves its loop running in the one that tests run in.
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, live()).result()

    return run


async def read(viewer: Viewer, until: str) -> str:
    """Return what the viewer is sent, up to and with the word."""
    seen = ""
    while until not in seen:
        data = await viewer.take()
        assert data is not None, f"{until!r} never came: {seen}"
        seen += data.decode()
    return seen


def last_id(seen: str) -> str:
    """Return the id of the last event, as a browser keeps it."""
    return [line.removeprefix("id: ") for line in seen.splitlines() if line.startswith("id: ")][-1]
