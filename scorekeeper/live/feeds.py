"""Feeds of changes for a process: from Redis if there is one, otherwise by polling the database.

Invariant: a process has one Redis connection or one polling query for all its viewers, and none while nobody watches.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol
from uuid import UUID

import structlog
from django.db import Error, connection

from scorekeeper.common.pubsub import open_change_listener
from scorekeeper.live.database_thread import DatabaseThread
from scorekeeper.live.selectors.versions import get_versions

Subjects = frozenset[UUID]
OnChange = Callable[[UUID], None]

FILE_POLL_INTERVAL = 0.25  # seconds between two checks whether a SQLite file has changed
SERVER_POLL_INTERVAL = 1.0  # seconds between two queries to any other database
LISTEN_TIMEOUT = 0.5  # seconds until the feed subscribes to a new subject
RECONNECT_INTERVAL = 1.0  # seconds

log = structlog.get_logger("tailgunner.live")


class ChangeFeed(Protocol):
    """Receives changes.

    Attributes:
        is_healthy: whether changes are currently received.
    """

    is_healthy: bool

    async def run(self, get_subjects: Callable[[], Subjects], on_change: OnChange) -> None:
        """Report every change of the watched subjects, until cancelled."""
        ...


class DatabaseFeed:
    """Polls the database for the versions of the watched subjects."""

    def __init__(self, worker: DatabaseThread) -> None:
        self.is_healthy = True
        self._worker = worker
        self._polled: Subjects = frozenset()
        self._versions: dict[UUID, int] = {}
        # Every connection counts changes separately, so a number means nothing without its connection.
        self._file_version: tuple[object, int] | None = None

    async def run(self, get_subjects: Callable[[], Subjects], on_change: OnChange) -> None:
        """Report every change of the watched subjects, until cancelled."""
        interval = FILE_POLL_INTERVAL if connection.vendor == "sqlite" else SERVER_POLL_INTERVAL
        while True:
            await self.poll(get_subjects(), on_change)
            await asyncio.sleep(interval)

    async def poll(self, subjects: Subjects, on_change: OnChange) -> None:
        """Query the versions once, and report what has changed."""
        try:
            changed = await self._worker.run(self._list_changed, subjects)
        except Error as error:
            log.warning("versions_unavailable", error=type(error).__name__)
            self.is_healthy = False
            return
        self.is_healthy = True
        for subject in changed:
            on_change(subject)

    def _list_changed(self, subjects: Subjects) -> list[UUID]:
        """Return the subjects that have changed since the last poll, and all that are polled for the first time."""
        if subjects == self._polled and not self._has_file_changed():
            return []
        versions = get_versions(subjects)
        changed = [subject for subject in subjects if self._versions.get(subject) != versions.get(subject, 0)]
        self._polled = subjects
        self._versions = {subject: versions.get(subject, 0) for subject in subjects}
        return changed

    def _has_file_changed(self) -> bool:
        """Return whether another connection has written to the SQLite file; always True for other databases."""
        if connection.vendor != "sqlite":
            return True
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA data_version")
            (number,) = cursor.fetchone()
        before, self._file_version = self._file_version, (connection.connection, number)
        return self._file_version != before


class RedisFeed:
    """Subscribes to Redis, and polls the database while Redis is unavailable."""

    def __init__(self, url: str, worker: DatabaseThread) -> None:
        self.is_healthy = True
        self._url = url
        self._fallback = DatabaseFeed(worker)

    async def run(self, get_subjects: Callable[[], Subjects], on_change: OnChange) -> None:
        """Report every change of the watched subjects, until cancelled."""
        from redis import RedisError

        is_down = False
        while True:
            try:
                await self._listen(get_subjects, on_change, is_reconnect=is_down)
            except (RedisError, OSError) as error:
                if not is_down:
                    log.warning("redis_unavailable", error=type(error).__name__)
                is_down = True
            await self._fallback.poll(get_subjects(), on_change)
            self.is_healthy = self._fallback.is_healthy
            await asyncio.sleep(RECONNECT_INTERVAL)

    async def _listen(self, get_subjects: Callable[[], Subjects], on_change: OnChange, *, is_reconnect: bool) -> None:
        async with open_change_listener(self._url) as listener:
            if is_reconnect:
                log.info("redis_available")
            while True:
                # Nothing was received about a subject before it was subscribed to, so it may have changed.
                for subject in await listener.subscribe_to(get_subjects()):
                    on_change(subject)
                self.is_healthy = True
                changed = await listener.next_change(LISTEN_TIMEOUT)
                if changed is not None:
                    on_change(changed)
