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

from scorekeeper.common.pubsub import listen
from scorekeeper.live.selectors.versions import get_versions
from scorekeeper.live.worker import Worker

Subjects = frozenset[UUID]
Hear = Callable[[UUID], None]

ASK_FILE = 0.25  # seconds between two looks at whether the file of a SQLite changed
ASK_SERVER = 1.0  # seconds between two questions to any other database
LISTEN = 0.5  # seconds until a new subject is listened for
CONNECT_AGAIN = 1.0  # seconds

log = structlog.get_logger("tailgunner.live")


class Feed(Protocol):
    """Hears of changes.

    Attributes:
        is_sure: whether what changed is heard of now.
    """

    is_sure: bool

    async def follow(self, watched: Callable[[], Subjects], hear: Hear) -> None:
        """Tell of every change of what is watched, until cancelled."""
        ...


class DatabaseFeed:
    """Asks the database for the versions of what is watched."""

    def __init__(self, worker: Worker) -> None:
        self.is_sure = True
        self._worker = worker
        self._asked: Subjects = frozenset()
        self._versions: dict[UUID, int] = {}
        # Every connection counts changes on its own, so a number means nothing without its connection.
        self._file_version: tuple[object, int] | None = None

    async def follow(self, watched: Callable[[], Subjects], hear: Hear) -> None:
        """Tell of every change of what is watched, until cancelled."""
        pause = ASK_FILE if connection.vendor == "sqlite" else ASK_SERVER
        while True:
            await self.ask(watched(), hear)
            await asyncio.sleep(pause)

    async def ask(self, subjects: Subjects, hear: Hear) -> None:
        """Ask once."""
        try:
            changed = await self._worker.run(self._list_changed, subjects)
        except Error as error:
            log.warning("versions_unknown", error=type(error).__name__)
            self.is_sure = False
            return
        self.is_sure = True
        for subject in changed:
            hear(subject)

    def _list_changed(self, subjects: Subjects) -> list[UUID]:
        """Return the subjects that changed since they were asked for; all that are asked for the first time."""
        if subjects == self._asked and not self._has_file_changed():
            return []
        versions = get_versions(subjects)
        changed = [subject for subject in subjects if self._versions.get(subject) != versions.get(subject, 0)]
        self._asked = subjects
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

    def __init__(self, url: str, worker: Worker) -> None:
        self.is_sure = True
        self._url = url
        self._instead = DatabaseFeed(worker)

    async def follow(self, watched: Callable[[], Subjects], hear: Hear) -> None:
        """Tell of every change of what is watched, until cancelled."""
        is_away = False
        while True:
            try:
                await self._listen(watched, hear, is_back=is_away)
            except (redis.RedisError, OSError) as error:
                if not is_away:
                    log.warning("redis_away", error=type(error).__name__)
                is_away = True
            await self._instead.ask(watched(), hear)
            self.is_sure = self._instead.is_sure
            await asyncio.sleep(CONNECT_AGAIN)

    async def _listen(self, watched: Callable[[], Subjects], hear: Hear, *, is_back: bool) -> None:
        async with listen(self._url) as listener:
            if is_back:
                log.info("redis_back")
            while True:
                # What happened before anybody listened was told to nobody.
                for subject in await listener.hear_of(watched()):
                    hear(subject)
                self.is_sure = True
                changed = await listener.wait(LISTEN)
                if changed is not None:
                    hear(changed)
