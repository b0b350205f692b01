"""The hub: all streams and viewers of a process, and the tasks that update them.

Invariants:
- For any number of viewers, one thread queries the database over one connection, and one feed receives changes. While
  there are no viewers, neither does anything.
- Everything except rendering runs in one event loop.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

import structlog
from django.conf import settings

from scorekeeper.common.client_address import Address
from scorekeeper.live.database_thread import DatabaseThread
from scorekeeper.live.feeds import ChangeFeed, DatabaseFeed, RedisFeed, Subjects
from scorekeeper.live.page_snapshot import SnapshotSource
from scorekeeper.live.sse import KEEP_ALIVE, make_event, make_retry
from scorekeeper.live.stream_places import CapacityExceeded, StreamPlaces
from scorekeeper.live.topics import StreamTopic, TopicKey
from scorekeeper.live.viewers import Viewer

HEARTBEAT_INTERVAL = 10.0  # seconds
# Seconds while changes may be missed: viewers learn soon that what they see is right again.
UNHEALTHY_HEARTBEAT_INTERVAL = 1.0
RECONNECT_MILLISECONDS = (1000, 3000)  # a range, so that not all viewers come back at once

log = structlog.get_logger("tailgunner.live")


def make_feed(worker: DatabaseThread) -> ChangeFeed:
    """Return the feed of changes that the settings ask for."""
    return RedisFeed(settings.REDIS_URL, worker) if settings.REDIS_URL else DatabaseFeed(worker)


class StreamHub:
    """All streams of a process, by what they send.

    Args:
        places: for the viewers.
    """

    def __init__(self, places: StreamPlaces, make_feed: Callable[[DatabaseThread], ChangeFeed] = make_feed) -> None:
        self._places = places
        self._worker = DatabaseThread()
        self._feed = make_feed(self._worker)
        self._topics: dict[TopicKey, StreamTopic] = {}
        self._viewers: dict[Viewer, StreamTopic] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._is_open = True

    async def join(
        self, key: TopicKey, find: Callable[[], SnapshotSource | None], last_id: str, address: Address | None
    ) -> Viewer | None:
        """Add a viewer of a stream; None if there is nothing public there.

        Args:
            find: finds the stream's source in the database.
            last_id: the last event that the viewer says it has received; "" for none.
            address: the network address of the viewer.

        Raises:
            CapacityExceeded: there are too many viewers, in all or from this address.
        """
        self._check_open()
        # Taken before the search, so that searches count too.
        network = self._places.take(address)
        viewer = None
        try:
            if await self._find_topic(key, find):
                viewer = self._add_viewer(key, last_id, network)
        finally:
            if viewer is None:
                self._places.give_back(network)
        return viewer

    async def _find_topic(self, key: TopicKey, find: Callable[[], SnapshotSource | None]) -> bool:
        """Return whether there is such a topic, after opening it if it has a source."""
        if key not in self._topics:
            try:
                source = await self._worker.run(find)
                self._check_open()
                if source is None:
                    return False
                if key not in self._topics:
                    self._open_topic(key, source)
            finally:
                self._release_if_idle()
        return True

    def _add_viewer(self, key: TopicKey, last_id: str, network: str) -> Viewer:
        topic, viewer = self._topics[key], Viewer(last_id, network)
        self._viewers[viewer] = topic
        viewer.put(make_retry(random.randint(*RECONNECT_MILLISECONDS)))
        topic.join(viewer)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        """Remove the viewer, and its topic if nobody else watches it."""
        topic = self._viewers.pop(viewer)
        self._places.give_back(viewer.network)
        topic.leave(viewer)
        if not topic.is_watched:
            self._close_topic(topic)

    def close(self) -> None:
        """End all streams, and accept no more viewers."""
        if not self._is_open:
            return
        self._is_open = False
        for topic in list(self._topics.values()):
            self._close_topic(topic)
        self._worker.stop()

    def _check_open(self) -> None:
        if not self._is_open:
            raise CapacityExceeded

    def _open_topic(self, key: TopicKey, source: SnapshotSource) -> None:
        self._topics[key] = StreamTopic(key, source, self._worker, self._make_heartbeat, self._close_topic)
        if not self._tasks:
            self._tasks = [
                self._start_task(self._feed.run(self._list_subjects, self._on_change)),
                self._start_task(self._send_heartbeats()),
            ]

    def _close_topic(self, topic: StreamTopic) -> None:
        topic.close()
        if self._topics.get(topic.key) is topic:
            del self._topics[topic.key]
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
        """Return a heartbeat with the time up to which all changes are known; a bare keep-alive while they are not."""
        return make_event("beat", str(round(time.time() * 1000))) if self._feed.is_healthy else KEEP_ALIVE

    def _start_task(self, coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(coroutine)
        task.add_done_callback(_log_exception)
        return task


def _log_exception(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("live_stopped", exc_info=error)
