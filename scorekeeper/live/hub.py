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

from scorekeeper.live.database_thread import DatabaseThread
from scorekeeper.live.feeds import ChangeFeed, DatabaseFeed, RedisFeed, Subjects
from scorekeeper.live.page_snapshot import SnapshotSource
from scorekeeper.live.sse import KEEP_ALIVE, make_event, make_retry
from scorekeeper.live.topics import StreamTopic
from scorekeeper.live.viewers import Viewer

HEARTBEAT_INTERVAL = 10.0  # seconds between two signs of life
UNHEALTHY_HEARTBEAT_INTERVAL = (
    1.0  # the same while it is not known whether all is told: what is right again is said to be
)
RECONNECT_MILLISECONDS = (1000, 3000)  # milliseconds; not all at once

log = structlog.get_logger("tailgunner.live")


class CapacityExceeded(Exception):
    """As many watch as this process can serve, or it is about to end."""


def make_feed(worker: DatabaseThread) -> ChangeFeed:
    """Return what changes are heard by, as the settings have it."""
    return RedisFeed(settings.REDIS_URL, worker) if settings.REDIS_URL else DatabaseFeed(worker)


class StreamHub:
    """All streams of a process, by their addresses.

    Args:
        most: how many may watch.
    """

    def __init__(self, capacity: int, make_feed: Callable[[DatabaseThread], ChangeFeed] = make_feed) -> None:
        self._capacity = capacity
        self._worker = DatabaseThread()
        self._feed = make_feed(self._worker)
        self._topics: dict[str, StreamTopic] = {}
        self._viewers: dict[Viewer, StreamTopic] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._is_open = True

    async def join(self, address: str, find: Callable[[], SnapshotSource | None], last_id: str) -> Viewer | None:
        """Let somebody watch what is at the address; None when there is nothing that the public may see.

        Args:
            find: looks for it in the database.
            last_id: the last event they say they have seen; "" for none.

        Raises:
            Full: there is no room.
        """
        self._check_capacity()
        if address not in self._topics:
            try:
                source = await self._worker.run(find)
                self._check_capacity()
                if source is None:
                    return None
                if address not in self._topics:
                    self._open_topic(address, source)
            finally:
                self._release_if_idle()
        topic, viewer = self._topics[address], Viewer(last_id)
        self._viewers[viewer] = topic
        viewer.put(make_retry(random.randint(*RECONNECT_MILLISECONDS)))
        topic.join(viewer)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Forget the viewer, and what nobody else watched."""
        topic = self._viewers.pop(viewer)
        topic.leave(viewer)
        if not topic.is_watched:
            self._close_topic(topic)

    def close(self) -> None:
        """End all streams, and let nobody in any more."""
        if not self._is_open:
            return
        self._is_open = False
        for topic in list(self._topics.values()):
            self._close_topic(topic)
        self._worker.stop()

    def _check_capacity(self) -> None:
        if not self._is_open or len(self._viewers) >= self._capacity:
            raise CapacityExceeded

    def _open_topic(self, address: str, source: SnapshotSource) -> None:
        self._topics[address] = StreamTopic(address, source, self._worker, self._make_heartbeat, self._close_topic)
        if not self._tasks:
            self._tasks = [
                self._start_task(self._feed.run(self._list_subjects, self._on_change)),
                self._start_task(self._send_heartbeats()),
            ]

    def _close_topic(self, topic: StreamTopic) -> None:
        topic.close()
        if self._topics.get(topic.address) is topic:
            del self._topics[topic.address]
        if not self._topics and self._tasks:
            for task in self._tasks:
                task.cancel()
            self._tasks = []
            self._release_if_idle()

    def _release_if_idle(self) -> None:
        if self._is_open and not self._topics:
            self._worker.release_connection()

    def _list_subjects(self) -> Subjects:
        return frozenset(subject for topic in self._topics.values() for subject in topic.source.subjects)

    def _on_change(self, subject: object) -> None:
        for topic in self._topics.values():
            if subject in topic.source.subjects:
                topic.request_render()

    async def _send_heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_INTERVAL if self._feed.is_healthy else UNHEALTHY_HEARTBEAT_INTERVAL)
            for topic in list(self._topics.values()):
                topic.send_heartbeat()

    def _make_heartbeat(self) -> bytes:
        """Return a sign of life with the time, up to which everything is known; while it is not, one without."""
        return make_event("beat", str(round(time.time() * 1000))) if self._feed.is_healthy else KEEP_ALIVE

    def _start_task(self, running: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(running)
        task.add_done_callback(_log_exception)
        return task


def _log_exception(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (fault := task.exception()):
        log.error("live_stopped", exc_info=fault)
