"""A ride that was a draft when this phone's copy was made: it may be open by now.

Only the server knows. Where that cannot be asked, an entry is recorded as in an open ride and stays pending until the
server takes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scorekeeper.events.models import Event

_may_be_open = False


def patch_event() -> None:
    """Make events answer for themselves whether they are open, as this phone has to assume it."""
    Event.is_open = property(_is_open)  # type: ignore[assignment, method-assign]


@contextmanager
def assume_open(is_assumed: bool) -> Iterator[None]:
    """Take a draft for an open ride, if that is assumed."""
    global _may_be_open  # noqa: PLW0603 - a phone answers one request at a time
    before, _may_be_open = _may_be_open, is_assumed
    try:
        yield
    finally:
        _may_be_open = before


def _is_open(event: Event) -> bool:
    return event.state == Event.State.OPEN or (_may_be_open and event.state == Event.State.DRAFT)
