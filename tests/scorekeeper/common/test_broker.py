"""A worker's connection to its broker."""

from __future__ import annotations

import pytest
from celery import current_app

from tests.cluster.ports import find_port


class Enough(Exception):
    """The test has seen enough."""


def test_a_broker_that_is_down_is_retried_at_a_constant_interval() -> None:
    waits: list[float] = []

    def on_error(_error: Exception, seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 2:
            raise Enough

    with current_app.amqp.Connection(f"redis://127.0.0.1:{find_port()}/0") as connection, pytest.raises(Enough):
        connection.ensure_connection(on_error)

    assert waits == [2, 2]
