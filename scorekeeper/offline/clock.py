"""The phone's clock: each question says what time it is, so that the same question has the same answer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

_override: dt.datetime | None = None


def now() -> dt.datetime:
    """Return the time that was said; where none was, that of the machine."""
    return _override or dt.datetime.now(dt.UTC)


@contextmanager
def override_time(text: str) -> Iterator[None]:
    """Let it be that time, in ISO 8601 with a zone; "" for the machine's.

    Raises:
        ValueError: the text is no such time.
    """
    global _override  # noqa: PLW0603 - a phone has one clock
    said = dt.datetime.fromisoformat(text) if text else None
    if said is not None and said.tzinfo is None:
        raise ValueError(text)
    before, _override = _override, said
    try:
        yield
    finally:
        _override = before
