"""The readiness report and the metrics about the sweeper."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db.models import F
from django.test import Client
from prometheus_client import REGISTRY

from scorekeeper.standings.models import LastSweep
from scorekeeper.standings.services.sweeper import sweep

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def get_sweeper_state(client: Client) -> tuple[str, bool]:
    """Return the sweeper's state in /readyz, and whether it names a time. The server is ready in any case."""
    response = client.get("/readyz")
    assert response.status_code == 200
    return response.json()["sweeper"], response.json()["last_sweep"] is not None


def shift_last_sweep(seconds: int) -> None:
    """Move the last sweep later, as it appears after the database's clock was set back."""
    LastSweep.objects.update(at=F("at") + dt.timedelta(seconds=seconds))


def test_the_state_is_never_until_the_first_sweep(client: Client) -> None:
    assert get_sweeper_state(client) == ("never", False)

    sweep()

    assert get_sweeper_state(client) == ("ok", True)


@pytest.mark.parametrize(("seconds", "state"), [(-15, "ok"), (-60, "late"), (-48 * 3600, "late"), (48 * 3600, "late")])
def test_a_sweeper_without_a_recent_sweep_is_late_even_after_a_clock_change(
    client: Client, seconds: int, state: str
) -> None:
    sweep()
    shift_last_sweep(seconds)
    assert get_sweeper_state(client) == (state, True)

    sweep()

    assert get_sweeper_state(client) == ("ok", True)


def test_sweeps_are_counted() -> None:
    def count() -> float | None:
        return REGISTRY.get_sample_value("tailgunner_sweeps_total")

    assert count() == 0

    sweep()
    sweep()

    assert count() == 2
