"""Loads rides of `manage.py demo`."""

from __future__ import annotations

from io import StringIO
from typing import NamedTuple

from django.core.management import call_command

from scorekeeper.events.models import Event


class LoadedRide(NamedTuple):
    """The ride of the demo, and what the command printed."""

    event: Event
    printed: str


def load_ride(until: str) -> LoadedRide:
    """Load the ride up to a stage."""
    out = StringIO()
    call_command("demo", until=until, stdout=out)
    return LoadedRide(Event.objects.get(), out.getvalue())
