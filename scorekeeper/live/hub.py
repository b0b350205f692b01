"""The hub: everybody who watches anything in this process, and what keeps them up to date.

Invariant: however many watch, one thread asks the database, by one connection, and one feed hears of changes; while
nobody watches, neither does anything. All of it but the looks runs in one event loop.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from django.conf import settings

from scorekeeper.live.feeds import DatabaseFeed, Feed, RedisFeed, Subjects
from scorekeeper.live.picture import Source
from scorekeeper.live.sse import SILENCE, make_event, make_pause
from scorekeeper.live.topics import Topic
from scorekeeper.live.viewers import Viewer
from scorekeeper.live.worker import Worker

BEAT = 10.0  # seconds between two signs of life
BEAT_UNSURE = 1.0  # the same while it is not known whether all is told: what is right again is said to be
COME_BACK = (1000, 3000)  # milliseconds; not all at once

log = structlog.get_logger("tailgunner.live")


class Full(Exception):
    """As many watch as this process can serve, or it is about to end."""


def make_feed(worker: Worker) -> Feed:
    """Return what changes are heard by, as the settings have it."""
    return RedisFeed(settings.REDIS_URL, worker) if settings.REDIS_URL else DatabaseFeed(worker)


class Hub:
    """All streams of a process, by their addresses.

    Args:
        most: how many may watch.
    """

    def __init__(self, most: int, make_feed: Callable[[Worker], Feed] = make_feed) -> None:
        self._most = most
        self._worker = Worker()
        self._feed = make_feed(self._worker)
        self._topics: dict[str, Topic] = {}
        self._viewers: dict[Viewer, Topic] = {}
        self._running: list[asyncio.Task[None]] = []
        self._is_open = True

    async def join(self, address: str, find: Callable[[], Source | None], last_id: str) -> Viewer | None:
        """Let somebody watch what is at the address; None when there is nothing that the public may see.

        Args:
            find: looks for it in the database.
            last_id: the last event they say they have seen; "" for none.

        Raises:
            Full: there is no room.
        """
        self._check_room()
        if address not in self._topics:
            try:
                source = await self._worker.run(find)
                self._check_room()
                if source is None:
                    return None
                if address not in self._topics:
                    self._open(address, source)
            finally:
                self._rest_if_idle()
        topic, viewer = self._topics[address], Viewer(last_id)
        self._viewers[viewer] = topic
        viewer.put(make_pause(random.randint(*COME_BACK)))
        topic.join(viewer)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Forget the viewer, and what nobody else watched."""
        topic = self._viewers.pop(viewer)
        topic.leave(viewer)
        if not topic.is_watched:
            self._end(topic)

    def close(self) -> None:
        """End all streams, and let nobody in any more."""
        if not self._is_open:
            return
        self._is_open = False
        for topic in list(self._topics.values()):
            self._end(topic)
        self._worker.stop()

    def _check_room(self) -> None:
        if not self._is_open or len(self._viewers) >= self._most:
            raise Full

    def _open(self, address: str, source: Source) -> None:
        self._topics[address] = Topic(address, source, self._worker, self._make_beat, self._end)
        if not self._running:
            self._running = [
                self._start(self._feed.follow(self._list_watched, self._hear)),
                self._start(self._beat()),
            ]

    def _end(self, topic: Topic) -> None:
        topic.close()
        if self._topics.get(topic.address) is topic:
            del self._topics[topic.address]
        if not self._topics and self._running:
            for task in self._running:
                task.cancel()
            self._running = []
            self._rest_if_idle()

    def _rest_if_idle(self) -> None:
        if self._is_open and not self._topics:
            self._worker.rest()

    def _list_watched(self) -> Subjects:
        return frozenset(subject for topic in self._topics.values() for subject in topic.source.subjects)

    def _hear(self, subject: object) -> None:
        for topic in self._topics.values():
            if subject in topic.source.subjects:
                topic.look()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT if self._feed.is_sure else BEAT_UNSURE)
            for topic in list(self._topics.values()):
                topic.beat()

    def _make_beat(self) -> bytes:
        """Return a sign of life with the time, up to which everything is known; while it is not, one without."""
        return make_event("beat", str(round(time.time() * 1000))) if self._feed.is_sure else SILENCE

    def _start(self, running: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(running)
        task.add_done_callback(_tell_of_fault)
        return task


def _tell_of_fault(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (fault := task.exception()):
        log.error("live_stopped", exc_info=fault)
