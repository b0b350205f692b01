"""A database file that another program locks for too long: phones send again later, and the log says why."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from django.db import connection

from tests.faults.servers import list_locked
from tests.scorekeeper.api.conftest import post
from tests.scorekeeper.conftest import CrewClient, Ride

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A connection that does not wait for other writers."""
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0)
    connection.close()
    yield
    connection.close()


@pytest.mark.usefixtures("impatient")
def test_a_locked_database_file_is_logged(
    ride: Ride, crew_client: CrewClient, turn_operation: Callable[..., Any], caplog: pytest.LogCaptureFixture
) -> None:
    phone = crew_client(ride.rita)
    one, queue = [turn_operation(1, 1, "aces", 3)], [turn_operation(bike, 2, "twos", 4) for bike in (1, 2)]
    assert post(phone, {"operations": one[:0]}).status_code == 200

    with closing(sqlite3.connect(connection.settings_dict["NAME"])) as other:
        other.execute("BEGIN IMMEDIATE")
        for operations in (one, queue):
            caplog.clear()
            answer = post(phone, {"operations": operations})

            assert (answer.status_code, answer.json()["code"]) == (503, "away")
            assert list_locked(caplog.text.splitlines())

    assert post(phone, {"operations": [*one, *queue]}).status_code == 200
