"""`manage.py verify` reads a ride as it is at one moment: what is recorded meanwhile is no damage."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scorekeeper.scorecards.models import Chain, Entry
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn


class Interrupted(StringIO):
    """A terminal that does something else when the first line comes."""

    def __init__(self, meanwhile: Callable[[], None]):
        super().__init__()
        self._meanwhile: Callable[[], None] | None = meanwhile

    def write(self, text: str) -> int:
        meanwhile, self._meanwhile = self._meanwhile, None
        if meanwhile is not None:
            with ThreadPoolExecutor() as pool:
                pool.submit(meanwhile).result()
        return super().write(text)


@pytest.mark.django_db(transaction=True)
def test_what_is_recorded_while_the_log_is_read_is_no_damage(ride: Ride, add_turn) -> None:
    def go_on() -> None:
        add_turn(1, 2, make_paper_turn("aces", 3))
        add_turn(2, 1, make_paper_turn("chance", 20))
        connection.close()

    add_turn(1, 1, make_paper_turn("chance", 24))
    # Something is said as soon as the chains have been read, before anything else is.
    Chain.objects.create(pk=ride.event.pk, event=ride.event, kind=Chain.Kind.EVENT, is_sealed=True)
    out = Interrupted(go_on)

    with pytest.raises(CommandError, match="1 fault found"):
        call_command("verify", stdout=out)

    assert Entry.objects.count() == 3, "it was recorded meanwhile"
