"""Pages for whoever watches the processes: whether one lives, whether it can do its work, and how it fares.

They are asked of the processes themselves; the proxy's address offers only the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from secrets import compare_digest
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from scorekeeper.common.readiness import collect_reports

REDIS_TIMEOUT = 1.0  # seconds for Redis, which decides nothing


@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer "ok" without asking the database: it tells whether this process lives, not whether all is well."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 if the database answers and has all that this version needs, else 503. The rest is told only."""
    database = _check_database()
    is_ready = database == "ok"
    told = {"ready": is_ready, "database": database, "redis": _check_redis()}
    if is_ready:
        told |= collect_reports()
    return JsonResponse(told, status=200 if is_ready else 503)


@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Show the metrics."""
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def admit_monitor(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in whoever has the token METRICS_TOKEN.

    Raises:
        Http404: for everybody else, and where no token is set.
    """
    given = request.headers.get("Authorization", "")
    # An address is no proof: behind a proxy on the same machine everybody comes from there.
    if not settings.METRICS_TOKEN or not compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode()):
        raise Http404
    return None


def _check_database() -> str:
    """Return "ok", "behind" where migrations are missing, or "away". A newer database than this version is ok."""
    try:
        return "ok" if _is_migrated() else "behind"
    except DatabaseError:
        return "away"


def _is_migrated() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


@cache
def _get_redis() -> redis.Redis:
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=REDIS_TIMEOUT, socket_connect_timeout=REDIS_TIMEOUT)


def _check_redis() -> str:
    if not settings.REDIS_URL:
        return "not used"
    try:
        _get_redis().ping()
    except redis.RedisError:
        return "away"
    return "ok"
