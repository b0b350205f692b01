"""Loads rides of `manage.py demo`: for one test, or once for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from typing import NamedTuple

from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from scorekeeper.events.models import Event
from tests.scorekeeper.api.conftest import rollback_at_end


class LoadedRide(NamedTuple):
    """The ride of the demo, and what the command printed."""

    event: Event
    printed: str


def load_ride(until: str) -> LoadedRide:
    """Load the ride up to a stage."""
    out = StringIO()
    call_command("demo", until=until, stdout=out)
    return LoadedRide(Event.objects.get(), out.getvalue())


@contextmanager
def share_ride(blocker: DjangoDbBlocker, until: str) -> Iterator[LoadedRide]:
    """Load the ride in a transaction around several tests; what they write is rolled back after each of them."""
    with ExitStack() as transaction:
        with blocker.unblock():
            transaction.enter_context(rollback_at_end())
            ride = load_ride(until)
        yield ride
        with blocker.unblock():
            transaction.close()
