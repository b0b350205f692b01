"""The metrics of a process for Prometheus, at `/metrics`.

Terms: a *counter* belongs to this process alone and starts from zero with it, as Prometheus expects. A *collector*
reads metrics from the database at every scrape, so they are the same in every process.

Invariant: labels are names of routes, kinds and outcomes; never a path, a name, an address or a token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from django.db import DatabaseError
from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from scorekeeper.common.hooks import Hook

REQUESTS = Counter("tailgunner_requests", "Requests answered", ["method", "route", "status"])
REQUEST_SECONDS = Histogram("tailgunner_request_seconds", "Time from a request to its response", ["route"])
OPERATIONS = Counter("tailgunner_operations", "Operations accepted, duplicates not counted", ["kind", "outcome"])
STREAMS = Gauge("tailgunner_open_streams", "Live screens with an open stream in this process")
QUEUED_MESSAGES = Gauge("tailgunner_messages_waiting", "Messages queued for the broker in this process")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

CollectMetrics = Callable[[], Iterable[Metric]]

COLLECTORS = Hook[CollectMetrics]()


def count_request(method: str | None, route: str, status: int, seconds: float) -> None:
    """Count a response. Callers can send any method, so unknown methods share one label."""
    REQUESTS.labels(method if method in METHODS else "other", route, status).inc()
    REQUEST_SECONDS.labels(route).observe(seconds)


class _DatabaseCollector(Collector):
    """Runs the collectors, and reports in `tailgunner_database_up` whether that worked."""

    def describe(self) -> list[Metric]:
        """Return nothing, so that the database is not queried while the process starts."""
        return []

    def collect(self) -> Iterator[Metric]:
        is_up = True
        try:
            metrics = [metric for collect in COLLECTORS for metric in collect()]
        except DatabaseError:
            metrics, is_up = [], False
        yield from metrics
        yield GaugeMetricFamily("tailgunner_database_up", "Whether the database responded to this scrape", int(is_up))


REGISTRY.register(_DatabaseCollector())
