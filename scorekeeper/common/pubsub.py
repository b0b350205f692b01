"""Publish and subscribe for the live pages: which contest or event has changed.

Terms: a *subject* is the id of what changed, a contest or an event. A message contains the subject and nothing else;
subscribers read the database.

The Redis client is imported when it is first used: importing it takes a tenth of the time in which a program starts.

Invariant: a message is a hint. Without Redis none is sent, and messages may be lost, so subscribers also poll now and
then.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import TYPE_CHECKING
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction

if TYPE_CHECKING:
    from redis import Redis
    from redis.asyncio.client import PubSub

CHANNEL_PREFIX = "tailgunner:changed:"
REDIS_TIMEOUT = 1.0  # seconds that Redis may take to respond
HEALTH_CHECK = 10  # seconds after which an idle connection is checked

log = structlog.get_logger("tailgunner.pubsub")


def publish_change(subject: UUID) -> None:
    """Publish that the subject has changed, once the current transaction has committed."""
    if settings.REDIS_URL:
        transaction.on_commit(partial(_publish, settings.REDIS_URL, subject))


def _publish(url: str, subject: UUID) -> None:
    from redis import RedisError

    try:
        _connect(url).publish(f"{CHANNEL_PREFIX}{subject}", "")
    except RedisError as error:
        log.warning("not_announced", subject=str(subject), error=type(error).__name__)


@cache
def _connect(url: str) -> Redis:
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return Redis.from_url(
        url,
        socket_connect_timeout=REDIS_TIMEOUT,
        socket_timeout=REDIS_TIMEOUT,
        # A connection that was idle while Redis restarted fails only when it is next used.
        retry=Retry(NoBackoff(), 1),
    )


class ChangeListener:
    """One connection that receives changes of the subjects it is subscribed to."""

    def __init__(self, pubsub: PubSub) -> None:
        self._pubsub = pubsub
        self._subscribed: set[UUID] = set()

    async def subscribe_to(self, subjects: Collection[UUID]) -> Collection[UUID]:
        """Subscribe to these subjects and no others; return those that are new.

        Raises:
            redis.RedisError: the connection is lost.
        """
        wanted = set(subjects)
        new, gone = wanted - self._subscribed, self._subscribed - wanted
        if new:
            await self._pubsub.subscribe(*(f"{CHANNEL_PREFIX}{subject}" for subject in new))
        if gone:
            await self._pubsub.unsubscribe(*(f"{CHANNEL_PREFIX}{subject}" for subject in gone))
        self._subscribed = wanted
        return new

    async def next_change(self, seconds: float) -> UUID | None:
        """Return the next subject that changed, or None after that time.

        Raises:
            redis.RedisError: the connection is lost.
        """
        message = await self._pubsub.get_message(ignore_subscribe_messages=True, timeout=seconds)
        if message is None:
            return None
        return UUID(message["channel"].decode().removeprefix(CHANNEL_PREFIX))


@asynccontextmanager
async def open_change_listener(url: str) -> AsyncIterator[ChangeListener]:
    """Open a connection that receives changes; it is closed at the end.

    Raises:
        redis.RedisError: Redis cannot be reached.
    """
    from redis.asyncio import Redis
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    client = Redis.from_url(
        url,
        socket_connect_timeout=REDIS_TIMEOUT,
        health_check_interval=HEALTH_CHECK,
        client_name="tailgunner-live",
        single_connection_client=False,
        # The caller has a fallback, and reconnects itself.
        retry=Retry(NoBackoff(), 0),
    )
    async with client, client.pubsub() as pubsub:
        await pubsub.connect()
        yield ChangeListener(pubsub)
