"""With Redis, a process receives changes over one connection; without it, it polls, with little difference."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from django.urls import reverse

from tests.programs import TIMEOUT_SECONDS
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.live.stream_server import serve, wait_until
from tests.scorekeeper.scorecards.conftest import add_turn, make_paper_turn
from tests.scorekeeper.standings.conftest import update_standings

__all__ = ["add_turn", "update_standings"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


class OwnRedis:
    """A Redis that a test can stop and restart at the same address."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.folder = folder
        self.client = redis.Redis.from_url(self.url)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = shutil.which("redis-server")
        assert program, "the tests with a Redis of their own need redis-server in the PATH"
        self.process = subprocess.Popen(
            [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.folder)],
            stdout=subprocess.DEVNULL,
        )
        wait_until(self.answers, "the Redis")

    def answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except redis.ConnectionError:
            return False

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(TIMEOUT_SECONDS)

    def list_listeners(self) -> list[str]:
        """Return the names of the connections with subscriptions."""
        return [found["name"] for found in self.client.client_list() if int(found["sub"]) or int(found["psub"])]


@pytest.fixture
def own_redis(tmp_path: Path, settings) -> Iterator[OwnRedis]:
    own = OwnRedis(tmp_path)
    own.start()
    settings.REDIS_URL = own.url
    yield own
    own.kill()
    own.client.close()


@pytest.fixture
def url(ride: Ride) -> str:
    return reverse("live:board", args=[ride.event.slug, ride.contest.slug])


def test_a_process_has_one_subscription_for_all_viewers_and_none_without_viewers(
    own_redis: OwnRedis, ride: Ride, url: str, add_turn, update_standings
) -> None:
    """A message alone causes a render: no version in the database has changed, and nothing has polled them."""
    channel = f"tailgunner:changed:{ride.contest.pk}"
    with serve(REDIS_URL=own_redis.url) as server:
        assert own_redis.list_listeners() == []
        first = server.open_stream(url)
        first.read_until("board-rows")
        wait_until(lambda: own_redis.client.pubsub_numsub(channel)[0][1], "the subscription")
        ride.contest.name = "Rock them all"
        ride.contest.save()
        own_redis.client.publish(channel, "")
        seen = first.read_until("Rock them all")
        assert len([name for name, _data in seen if name == "beat"]) <= 2, "it was the regular render"

        watchers = [first, *(server.open_stream(url) for _ in range(49))]
        for watcher in watchers[1:]:
            watcher.read_until("board-rows")
        add_turn(3, 1, make_paper_turn("chance", 24))
        update_standings()
        for watcher in watchers:
            watcher.read_until("Bike 3 is now 1st")

        assert own_redis.list_listeners() == ["tailgunner-live"]
        for watcher in watchers:
            watcher.close()
        wait_until(lambda: own_redis.list_listeners() == [], "the end of the subscription")


def test_no_change_is_lost_while_redis_is_down(own_redis: OwnRedis, url: str, add_turn, update_standings) -> None:
    with serve(REDIS_URL=own_redis.url) as server:
        watcher = server.open_stream(url)
        watcher.read_until("board-rows")
        wait_until(own_redis.list_listeners, "the subscription")

        own_redis.kill()
        server.wait_for_line("redis_unavailable")
        add_turn(3, 1, make_paper_turn("chance", 24))
        update_standings()
        watcher.read_until("Bike 3 is now 1st")

        own_redis.start()
        wait_until(own_redis.list_listeners, "the new subscription")
        add_turn(4, 1, make_paper_turn("chance", 25))
        update_standings()
        watcher.read_until("Bike 4 is now 1st")
        assert not any("[error" in line for line in server.lines)


def test_changes_are_published_when_the_standings_are_refreshed(
    own_redis: OwnRedis, ride: Ride, add_turn, update_standings
) -> None:
    with own_redis.client.pubsub(ignore_subscribe_messages=True) as heard:
        heard.subscribe(f"tailgunner:changed:{ride.contest.pk}")
        add_turn(3, 1, make_paper_turn("chance", 24))
        update_standings()

        wait_until(lambda: heard.get_message(timeout=1), "the message")
