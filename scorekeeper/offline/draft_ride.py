"""Recording at a ride that was a draft when this phone's copy was made, and may be open by now.

Only the server knows. If it cannot be reached, an entry is recorded as if the ride were open, and stays pending until
the server accepts it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scorekeeper.events.models import Event

_may_be_open = False


def patch_event() -> None:
    """Replace `Event.is_open` with what this phone has to assume."""
    Event.is_open = property(_is_open)  # type: ignore[assignment, method-assign]


@contextmanager
def assume_open(is_assumed: bool) -> Iterator[None]:
    """Treat a draft as an open ride, if `is_assumed`."""
    global _may_be_open  # noqa: PLW0603 - a phone answers one request at a time
    before, _may_be_open = _may_be_open, is_assumed
    try:
        yield
    finally:
        _may_be_open = before


def _is_open(event: Event) -> bool:
    return event.state == Event.State.OPEN or (_may_be_open and event.state == Event.State.DRAFT)
