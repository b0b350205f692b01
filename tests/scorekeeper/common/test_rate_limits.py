"""Counting how often something is done in a minute: in one process, together by Redis, and while Redis is away."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from pytest_django import Settings
from redis import Redis

from scorekeeper.common import rate_limits
from scorekeeper.common.rate_limits import RateLimited, count_use

MINUTE = 29_000_000 * 60.0


class Clock:
    """The clock of the limits; a test sets it."""

    def __init__(self) -> None:
        self.now = MINUTE + 15

    def time(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    found = Clock()
    monkeypatch.setattr(rate_limits, "time", found)
    rate_limits.clear_counts()
    yield found
    rate_limits.clear_counts()


def use(times: int, subject: str = "one", limit: int = 3) -> None:
    for _time in range(times):
        count_use("reads", subject, limit)


def test_once_too_often_says_how_long_to_wait(clock: Clock) -> None:
    use(3)
    with pytest.raises(RateLimited) as refused:
        use(1)
    assert refused.value.wait == 45
    clock.now += 45
    use(3)


def test_each_subject_is_counted_by_itself() -> None:
    use(3, "one")
    use(3, "two")
    count_use("prints", "one", 1)
    with pytest.raises(RateLimited):
        use(1, "two")


def test_zero_is_no_limit() -> None:
    use(50, limit=0)


def test_a_process_does_not_remember_more_subjects_than_it_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_SUBJECTS", 5)
    for number in range(50):
        use(1, str(number))
    assert len(rate_limits._process._counts) <= 5


@pytest.mark.redis
def test_processes_count_together_by_redis(settings: Settings, redis: Redis, redis_url: str) -> None:
    settings.REDIS_URL = redis_url
    use(2)
    rate_limits.clear_counts()  # as in another process
    use(1)
    with pytest.raises(RateLimited):
        use(1)
    (key,) = redis.keys(f"{rate_limits.KEY_PREFIX}*")
    assert 60 < redis.ttl(key) <= 120


def test_each_process_counts_for_itself_while_redis_is_away(settings: Settings, clock: Clock) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.REDIS_URL = f"redis://127.0.0.1:{server.getsockname()[1]}"
    use(3)
    assert rate_limits._process.redis_failed_at == clock.now
    with pytest.raises(RateLimited):
        use(1)
    clock.now += rate_limits.REDIS_PAUSE + 1
    with pytest.raises(RateLimited):
        use(1)
    assert rate_limits._process.redis_failed_at == clock.now, "it has tried again"
