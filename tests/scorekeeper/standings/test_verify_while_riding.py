"""`manage.py verify` reads a consistent snapshot of a ride: entries recorded in the meantime are not damage."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scorekeeper.ledger.models import Chain, Entry
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn


class InterruptedOutput(StringIO):
    """An output that calls a function when the first line is written."""

    def __init__(self, callback: Callable[[], None]):
        super().__init__()
        self._callback: Callable[[], None] | None = callback

    def write(self, text: str) -> int:
        callback, self._callback = self._callback, None
        if callback is not None:
            with ThreadPoolExecutor() as pool:
                pool.submit(callback).result()
        return super().write(text)


@pytest.mark.django_db(transaction=True)
def test_entries_recorded_while_the_log_is_read_are_not_damage(ride: Ride, add_turn) -> None:
    def record_more() -> None:
        add_turn(1, 2, make_paper_turn("aces", 3))
        add_turn(2, 1, make_paper_turn("chance", 20))
        connection.close()

    add_turn(1, 1, make_paper_turn("chance", 24))
    # This damage is reported as soon as the chains have been read, before anything else is.
    Chain.objects.create(pk=ride.event.pk, event=ride.event, kind=Chain.Kind.EVENT, is_sealed=True)
    out = InterruptedOutput(record_more)

    with pytest.raises(CommandError, match="1 fault found"):
        call_command("verify", stdout=out)

    assert Entry.objects.count() == 3, "the new entries were recorded"
