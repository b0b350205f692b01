"""Two phones relay the same entries at the same time: they are recorded and subtracted only once."""

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
from scorekeeper.ledger.models import Chain, Operation
from tests.scorekeeper.api.conftest import list_outcomes, post
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.conftest import Ride

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

TIMEOUT_SECONDS = 20  # seconds
BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@contextmanager
def chains_locked(count: int) -> Iterator[None]:
    """Lock every chain until `count` transactions wait for one, so that each has read the state before."""
    with transaction.atomic():
        list(Chain.objects.select_for_update())
        yield
        last = time.monotonic() + TIMEOUT_SECONDS
        while _count_blocked() < count:  # the database does not notify us when they do
            assert time.monotonic() < last, "the transactions do not wait for each other"


def _count_blocked() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # otherwise the same result is returned within a transaction
        cursor.execute(BLOCKED)
        return int(cursor.fetchone()[0])


def in_thread(phone: SigningPhone, envelopes: list[Any]) -> list[dict[str, Any]]:
    try:
        return phone.deliver(*envelopes)
    finally:
        connection.close()


@pytest.mark.parametrize("count", [1, 3])
def test_entries_that_two_relay_at_once_are_subtracted_once(ride: Ride, turn_operation, count: int) -> None:
    """A single entry is recorded in its own transaction, several in one."""
    phone, *relays = [_make_phone(member) for member in (ride.rita, ride.tom, ride.sue)]
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
        with chains_locked(2):
            futures = [pool.submit(in_thread, relay, envelopes) for relay in relays]
        one, other = (done.result(TIMEOUT_SECONDS) for done in futures)

    assert one == other
    assert list_outcomes(one) == ["recorded"] * count
    assert Operation.objects.count() == 3 + count
    assert Device.objects.get(pk=phone.device.pk).unsent == 5 - count


def _make_phone(member: CrewMember) -> SigningPhone:
    phone = SigningPhone.make_for(member)
    assert phone.register_key().status_code == 200
    return phone
