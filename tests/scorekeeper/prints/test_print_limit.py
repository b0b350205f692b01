"""How many public documents are made for one network address in a minute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from scorekeeper.prints import views
from scorekeeper.prints.models import PrintFile, PrintJob
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _one(settings: Settings) -> None:
    settings.PRINTS_PER_ADDRESS = 1


@pytest.fixture
def played(ride: Ride, add_turn: Callable[..., Any]) -> Ride:
    for number in (1, 2):
        add_turn(number, 1, make_paper_turn("chance", 10 + number))
    return ride


def fetch(ride: Ride, number: int, address: str = "192.0.2.1") -> Any:
    url = reverse("prints:public_file", args=[ride.event.slug, ride.contest.slug, "scorecards"])
    return Client(REMOTE_ADDR=address).get(url, {"of": str(ride.bikes[number].pk)})


def test_a_document_that_was_made_is_sent_again_and_another_one_is_not_made(played: Ride) -> None:
    assert fetch(played, 1).status_code == 200
    for _time in range(3):
        assert fetch(played, 1).status_code == 200
    refused = fetch(played, 2)

    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert "Wait a minute" in refused.content.decode()
    assert PrintFile.objects.count() == 1
    assert fetch(played, 2, "192.0.2.2").status_code == 200
    assert fetch(played, 2).status_code == 200, "it is there now"


def test_organisers_print_as_much_as_they_like(played: Ride, organiser: Client) -> None:
    url = reverse("prints:contest_file", args=[played.event.slug, played.contest.slug, "scorecards"])
    for number in (1, 2, 3):
        assert organiser.get(url, {"of": str(played.bikes[number].pk)}).status_code in (200, 404)
    assert PrintFile.objects.count() >= 2


def test_a_large_document_counts_once_while_it_is_being_made(played: Ride, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MAX_AT_ONCE", 0)
    for _time in range(3):
        assert fetch(played, 1).status_code == 302
    assert fetch(played, 2).status_code == 429
    assert PrintJob.objects.count() == 1
