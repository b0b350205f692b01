"""`/metrics`."""

from __future__ import annotations

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

pytestmark = pytest.mark.django_db

TOKEN = "a-long-token-for-prometheus"


def scrape(client: Client) -> dict[tuple[str, tuple[str, ...]], float]:
    """Return the values by name and labels."""
    text = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def watched(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN


@pytest.mark.parametrize("given", ["", "Bearer ", f"Bearer {TOKEN}x", TOKEN, "Bearer ü"])
def test_without_the_token_there_is_nothing(client: Client, watched: None, given: str) -> None:
    assert client.get("/metrics", headers={"Authorization": given}).status_code == 404


def test_without_a_configured_token_no_token_is_accepted(client: Client) -> None:
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_requests_are_counted_by_route_and_never_by_path(client: Client, watched: None) -> None:
    name = ("tailgunner_requests_total", ("GET", "crew/join/<str:token>/", "404"))
    before = scrape(client).get(name, 0)

    client.get("/crew/join/hush-hush/")

    after = scrape(client)
    assert after[name] == before + 1
    assert after["tailgunner_request_seconds_count", ("crew/join/<str:token>/",)] >= 1
    assert not [labels for _name, labels in after if "hush" in "".join(labels)]


def test_unknown_methods_share_one_label(client: Client, watched: None) -> None:
    client.generic("BREW", "/healthz")

    assert ("tailgunner_requests_total", ("other", "healthz", "405")) in scrape(client)
