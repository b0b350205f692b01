"""The phone's clock: each engine call sets the time, so that the same call always has the same result."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

_override: dt.datetime | None = None


def now() -> dt.datetime:
    """Return the time that was set, or the machine's time if none was."""
    return _override or dt.datetime.now(dt.UTC)


@contextmanager
def override_time(text: str) -> Iterator[None]:
    """Set the time, in ISO 8601 with a time zone; "" for the machine's time.

    Raises:
        ValueError: the text is not such a time.
    """
    global _override  # noqa: PLW0603 - a phone has one clock
    time = dt.datetime.fromisoformat(text) if text else None
    if time is not None and time.tzinfo is None:
        raise ValueError(text)
    before, _override = _override, time
    try:
        yield
    finally:
        _override = before
