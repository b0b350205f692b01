"""Monitoring pages: whether a process is alive, whether it is ready, and its metrics.

Monitors request them from the processes directly; the proxy serves only the first.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from secrets import compare_digest
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from scorekeeper.common.hooks import Hook

if TYPE_CHECKING:
    from redis import Redis

REDIS_TIMEOUT = 1.0  # seconds for Redis; readiness does not depend on it

MakeReadinessReport = Callable[[], Mapping[str, object]]
# What apps add to `/readyz` from their tables, as information for monitors. Readiness depends on the database alone.
READINESS_REPORTS = Hook[MakeReadinessReport]()


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer "ok" without querying the database: this says that the process is alive, not that all is well."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 if the database responds and is migrated, else 503. The rest is information only."""
    database = _check_database()
    is_ready = database == "ok"
    report: dict[str, object] = {
        "ready": is_ready,
        "database": database,
        "redis": _check_redis(),
        "version": get_version(),
    }
    if is_ready:
        for make_report in READINESS_REPORTS:
            report |= make_report()
    return JsonResponse(report, status=200 if is_ready else 503)


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Show the metrics."""
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


@cache
def get_version() -> str:
    """Return the version of the program. `pyproject.toml` is the only file that has it."""
    project: dict[str, Any] = tomllib.loads(Path(settings.BASE_DIR, "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["version"])


def admit_monitor(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Allow clients that send the token METRICS_TOKEN.

    Raises:
        Http404: the token is missing or wrong, or none is set.
    """
    header = request.headers.get("Authorization", "")
    # An IP address proves nothing: behind a proxy on the same machine, every request comes from that machine.
    if not settings.METRICS_TOKEN or not compare_digest(header.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        raise Http404
    return None


def _check_database() -> str:
    """Return "ok", "behind" if migrations are missing, or "away". A database newer than this version is ok."""
    try:
        return "ok" if _is_migrated() else "behind"
    except DatabaseError:
        return "away"


def _is_migrated() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


@cache
def _get_redis() -> Redis:
    from redis import Redis

    return Redis.from_url(settings.REDIS_URL, socket_timeout=REDIS_TIMEOUT, socket_connect_timeout=REDIS_TIMEOUT)


def _check_redis() -> str:
    if not settings.REDIS_URL:
        return "not used"
    from redis import RedisError

    try:
        _get_redis().ping()
    except RedisError:
        return "away"
    return "ok"
