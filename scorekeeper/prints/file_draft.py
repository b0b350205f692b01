"""What a job makes a file of."""

from __future__ import annotations

import datetime as dt
from typing import Protocol

from scorekeeper.events.models import Event


class FileDraft(Protocol):
    """A file before it is made: a document that is printed, or the bundle of an event."""

    @property
    def event(self) -> Event:
        """The event that it is about."""

    @property
    def digest(self) -> str:
        """A digest of everything that the file shows: two with the same digest are the same file."""

    def make(self, made_at: dt.datetime) -> tuple[str, bytes]:
        """Return the name of the file and its content."""
