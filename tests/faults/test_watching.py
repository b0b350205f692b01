"""What monitoring shows about a process while its services are down."""

from __future__ import annotations

import json

from tests.cluster.cluster import Cluster
from tests.cluster.http_client import HttpClient


def test_a_process_is_ready_without_redis_and_not_without_the_database(cluster: Cluster) -> None:
    watcher = HttpClient(f"http://127.0.0.1:{cluster.ports['web-1']}")
    readiness = [json.loads(watcher.get("/readyz").content)]
    cluster["redis"].kill()
    readiness.append(json.loads(watcher.get("/readyz").content))
    cluster["postgres"].kill()
    answer = watcher.get("/readyz")
    readiness.append(json.loads(answer.content))

    assert answer.status_code == 503
    assert [(one["ready"], one["database"], one["redis"]) for one in readiness] == [
        (True, "ok", "ok"),
        (True, "ok", "away"),
        (False, "away", "away"),
    ]
    assert watcher.get("/healthz").status_code == 200


def test_the_public_address_offers_only_healthz(cluster: Cluster) -> None:
    stranger = HttpClient(cluster.url)

    assert [stranger.get(path).status_code for path in ("/healthz", "/readyz", "/metrics")] == [200, 404, 404]


def test_every_web_process_reports_its_own_figures_and_says_when_the_database_is_down(cluster: Cluster) -> None:
    token = {"Authorization": f"Bearer {cluster.variables['METRICS_TOKEN']}"}
    watchers = [HttpClient(f"http://127.0.0.1:{cluster.ports[name]}") for name in ("web-1", "web-2", "streams")]
    assert all("tailgunner_database_up 1.0" in watcher.get("/metrics", **token).text for watcher in watchers)

    cluster["postgres"].stop()

    for watcher in watchers:
        shown = watcher.get("/metrics", **token)
        assert shown.status_code == 200
        assert "tailgunner_database_up 0.0" in shown.text
        assert "tailgunner_requests_total{" in shown.text
