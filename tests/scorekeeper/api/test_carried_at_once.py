"""Two phones bring the same notes in the same instant: they are recorded once, and taken off what is unsent once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.crew.services.devices import record_phone_report
from scorekeeper.scorecards.models import Chain, Operation
from tests.scorekeeper.api.conftest import list_outcomes, post
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.conftest import Ride

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

PATIENCE = 20  # seconds
BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@contextmanager
def held_up(count: int) -> Iterator[None]:
    """Hold every chain until so many transactions wait for one: each has looked at what was here before by then."""
    with transaction.atomic():
        list(Chain.objects.select_for_update())
        yield
        last = time.monotonic() + PATIENCE
        while _count_blocked() < count:  # the database tells nobody when they do
            assert time.monotonic() < last, "they do not meet"


def _count_blocked() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # within a transaction, else the same is told again
        cursor.execute(BLOCKED)
        return int(cursor.fetchone()[0])


def in_thread(phone: SigningPhone, envelopes: list[Any]) -> list[dict[str, Any]]:
    try:
        return phone.deliver(*envelopes)
    finally:
        connection.close()


@pytest.mark.parametrize("count", [1, 3])
def test_what_two_bring_at_once_is_taken_off_once(ride: Ride, turn_operation, count: int) -> None:
    """One alone is recorded in a transaction of its own, several in one together."""
    phone, *carriers = [_make_phone(member) for member in (ride.rita, ride.tom, ride.sue)]
    post(
        phone.client,
        {
            "operations": [
                turn_operation(1, 1, "aces", 3),
                turn_operation(2, 1, "aces", 3),
                turn_operation(3, 1, "aces", 3),
            ]
        },
    )
    record_phone_report(phone.device, unsent=5, attention=0)
    envelopes = [phone.make_envelope(turn_operation(bike, 2, "chance", 20)) for bike in (1, 2, 3)[:count]]

    with ThreadPoolExecutor(2) as pool:
        with held_up(2):
            brought = [pool.submit(in_thread, carrier, envelopes) for carrier in carriers]
        one, other = (done.result(PATIENCE) for done in brought)

    assert one == other
    assert list_outcomes(one) == ["recorded"] * count
    assert Operation.objects.count() == 3 + count
    assert Device.objects.get(pk=phone.device.pk).unsent == 5 - count


def _make_phone(member: CrewMember) -> SigningPhone:
    phone = SigningPhone.make_for(member)
    assert phone.register_key().status_code == 200
    return phone
