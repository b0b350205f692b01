"""What whoever watches learns of the sweeper."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db.models import F
from django.test import Client
from prometheus_client import REGISTRY

from scorekeeper.standings.models import LastSweep
from scorekeeper.standings.services.sweeper import sweep

pytestmark = pytest.mark.django_db


def told(client: Client) -> tuple[str, bool]:
    """Return what /readyz says of the sweeper, and whether it names a time; it is ready in any case."""
    answer = client.get("/readyz")
    assert answer.status_code == 200
    return answer.json()["sweeper"], answer.json()["last_sweep"] is not None


def shift_last_sweep(seconds: int) -> None:
    """Make the last sweep appear that much later, as it does where the database's clock is put back."""
    LastSweep.objects.update(at=F("at") + dt.timedelta(seconds=seconds))


def test_it_has_never_been_through_until_it_has(client: Client) -> None:
    assert told(client) == ("never", False)

    sweep()

    assert told(client) == ("ok", True)


@pytest.mark.parametrize(("seconds", "said"), [(-15, "ok"), (-60, "late"), (-48 * 3600, "late"), (48 * 3600, "late")])
def test_one_that_was_not_through_lately_is_late_wherever_the_clock_was_put(
    client: Client, seconds: int, said: str
) -> None:
    sweep()
    shift_last_sweep(seconds)
    assert told(client) == (said, True)

    sweep()

    assert told(client) == ("ok", True)


def test_sweeps_are_counted() -> None:
    def count() -> float | None:
        return REGISTRY.get_sample_value("tailgunner_sweeps_total")

    assert count() == 0

    sweep()
    sweep()

    assert count() == 2
