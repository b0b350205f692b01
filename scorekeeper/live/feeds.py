"""Where a process hears that something changed: from a Redis where there is one, else by asking the database.

Invariant: one connection to the Redis or one question to the database a process, however many watch; and none while
nobody does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol
from uuid import UUID

import redis
import structlog
from django.db import Error, connection

from scorekeeper.common.pubsub import open_change_listener
from scorekeeper.live.database_thread import DatabaseThread
from scorekeeper.live.selectors.versions import get_versions

Subjects = frozenset[UUID]
OnChange = Callable[[UUID], None]

FILE_POLL_INTERVAL = 0.25  # seconds between two looks at whether the file of a SQLite changed
SERVER_POLL_INTERVAL = 1.0  # seconds between two questions to any other database
LISTEN_TIMEOUT = 0.5  # seconds until a new subject is listened for
RECONNECT_INTERVAL = 1.0  # seconds

log = structlog.get_logger("tailgunner.live")


class ChangeFeed(Protocol):
    """Hears of changes.

    Attributes:
        is_healthy: whether what changed is heard of now.
    """

    is_healthy: bool

    async def run(self, watched: Callable[[], Subjects], hear: OnChange) -> None:
        """Tell of every change of what is watched, until cancelled."""
        ...


class DatabaseFeed:
    """Asks the database for the versions of what is watched."""

    def __init__(self, worker: DatabaseThread) -> None:
        self.is_healthy = True
        self._worker = worker
        self._polled: Subjects = frozenset()
        self._versions: dict[UUID, int] = {}
        # Every connection counts changes on its own, so a number means nothing without its connection.
        self._file_version: tuple[object, int] | None = None

    async def run(self, watched: Callable[[], Subjects], hear: OnChange) -> None:
        """Tell of every change of what is watched, until cancelled."""
        pause = FILE_POLL_INTERVAL if connection.vendor == "sqlite" else SERVER_POLL_INTERVAL
        while True:
            await self.poll(watched(), hear)
            await asyncio.sleep(pause)

    async def poll(self, subjects: Subjects, hear: OnChange) -> None:
        """Ask once."""
        try:
            changed = await self._worker.run(self._list_changed, subjects)
        except Error as error:
            log.warning("versions_unknown", error=type(error).__name__)
            self.is_healthy = False
            return
        self.is_healthy = True
        for subject in changed:
            hear(subject)

    def _list_changed(self, subjects: Subjects) -> list[UUID]:
        """Return the subjects that changed since they were asked for; all that are asked for the first time."""
        if subjects == self._polled and not self._has_file_changed():
            return []
        versions = get_versions(subjects)
        changed = [subject for subject in subjects if self._versions.get(subject) != versions.get(subject, 0)]
        self._polled = subjects
        self._versions = {subject: versions.get(subject, 0) for subject in subjects}
        return changed

    def _has_file_changed(self) -> bool:
        """Return whether anybody else wrote to the file of a SQLite since; of other databases nobody knows."""
        if connection.vendor != "sqlite":
            return True
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            (number,) = cursor.fetchone()
        before, self._file_version = self._file_version, (connection.connection, number)
        return self._file_version != before


class RedisFeed:
    """Listens to a Redis; asks the database while there is none to be had."""

    def __init__(self, url: str, worker: DatabaseThread) -> None:
        self.is_healthy = True
        self._url = url
        self._fallback = DatabaseFeed(worker)

    async def run(self, watched: Callable[[], Subjects], hear: OnChange) -> None:
        """Tell of every change of what is watched, until cancelled."""
        is_away = False
        while True:
            try:
                await self._listen(watched, hear, is_back=is_away)
            except (redis.RedisError, OSError) as error:
                if not is_away:
                    log.warning("redis_away", error=type(error).__name__)
                is_away = True
            await self._fallback.poll(watched(), hear)
            self.is_healthy = self._fallback.is_healthy
            await asyncio.sleep(RECONNECT_INTERVAL)

    async def _listen(self, watched: Callable[[], Subjects], hear: OnChange, *, is_back: bool) -> None:
        async with open_change_listener(self._url) as listener:
            if is_back:
                log.info("redis_back")
            while True:
                # What happened before anybody listened was told to nobody.
                for subject in await listener.subscribe_to(watched()):
                    hear(subject)
                self.is_healthy = True
                changed = await listener.next_change(LISTEN_TIMEOUT)
                if changed is not None:
                    hear(changed)
