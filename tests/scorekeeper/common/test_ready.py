"""`/readyz`."""

from __future__ import annotations

import re
import socket

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from pytest_django import Settings
from redis import Redis

from scorekeeper.common import health
from tests.programs import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _other_redis() -> None:
    """Forget the cached Redis client, since each test has a Redis of its own."""
    health._get_redis.cache_clear()


def test_it_is_ready_when_the_database_is_migrated(client: Client) -> None:
    response = client.get("/readyz")

    assert response.status_code == 200
    expected: dict[str, object] = {"ready": True, "database": "ok", "redis": "not used"}
    expected |= {"sweeper": "never", "last_sweep": None}
    never = {"state": "never", "last_answer": None}
    expected |= {"workers": {"follow": never, "slow": never, "webhooks": never, "push": never}}
    assert response.json() == expected | {"version": health.get_version()}
    assert "no-store" in response.headers["Cache-Control"]


def test_it_says_the_version_of_the_newest_release(client: Client) -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = re.search(r"^## (\d+\.\d+\.\d+) \(", changelog, re.MULTILINE)

    assert newest is not None
    assert client.get("/readyz").json()["version"] == newest[1]


def test_it_is_not_ready_while_a_migration_is_missing(client: Client) -> None:
    MigrationRecorder(connection).migration_qs.filter(app="standings").delete()

    response = client.get("/readyz")

    assert (response.status_code, response.json()["database"]) == (503, "behind")


def test_it_is_ready_with_a_database_newer_than_the_program(client: Client) -> None:
    MigrationRecorder(connection).record_applied("standings", "9999_of_the_next_version")

    assert client.get("/readyz").status_code == 200


@pytest.mark.redis
def test_it_reports_redis(client: Client, settings: Settings, redis: Redis, redis_url: str) -> None:
    settings.REDIS_URL = redis_url

    assert client.get("/readyz").json()["redis"] == "ok"


def test_a_redis_that_is_down_or_hangs_is_reported_and_does_not_affect_readiness(
    client: Client, settings: Settings
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for port in (1, silent.getsockname()[1]):
            settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
            health._get_redis.cache_clear()
            response = client.get("/readyz")
            assert (response.status_code, response.json()["redis"]) == (200, "away")
    health._get_redis.cache_clear()
