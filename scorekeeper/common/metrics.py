"""What a process tells Prometheus about itself, at `/metrics`.

Terms: a *counter* is of this process alone and begins at nothing when it is started, as Prometheus expects; a *reading*
is taken from the database when somebody asks, and is the same wherever it is asked.
Invariant: names of routes, kinds and outcomes become labels; no path, name, address or token ever does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from django.db import DatabaseError
from prometheus_client import REGISTRY, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

REQUESTS = Counter("tailgunner_requests", "Requests answered", ["method", "route", "status"])
REQUEST_SECONDS = Histogram("tailgunner_request_seconds", "Time from a request to its answer", ["route"])
OPERATIONS = Counter("tailgunner_operations", "Operations taken in, copies not counted", ["kind", "outcome"])
STREAMS = Gauge("tailgunner_open_streams", "Live screens whose stream this process holds open")
QUEUED_MESSAGES = Gauge("tailgunner_messages_waiting", "Messages that wait for the broker in this process")

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

CollectMetrics = Callable[[], Iterable[Metric]]

_collectors: list[CollectMetrics] = []


def add_collector(reading: CollectMetrics) -> None:
    """Let a room be asked, at every scrape, for what its tables tell."""
    _collectors.append(reading)


def count_request(method: str | None, route: str, status: int, seconds: float) -> None:
    """Count an answer. Methods are what callers write there, so those that nobody knows are one."""
    REQUESTS.labels(method if method in METHODS else "other", route, status).inc()
    REQUEST_SECONDS.labels(route).observe(seconds)


class _DatabaseCollector(Collector):
    """Takes the readings, and tells by `tailgunner_database_up` whether they could be taken."""

    def describe(self) -> list[Metric]:
        """Nothing, so that the database is not asked while the process starts."""
        return []

    def collect(self) -> Iterator[Metric]:
        is_up = True
        try:
            taken = [metric for reading in _collectors for metric in reading()]
        except DatabaseError:
            taken, is_up = [], False
        yield from taken
        yield GaugeMetricFamily("tailgunner_database_up", "Whether the database answered this scrape", int(is_up))


REGISTRY.register(_DatabaseCollector())
