"""Instead of `structlog`: without its coloured output, which needs a megabyte of libraries."""

from __future__ import annotations

import logging


class _Logger:
    """Writes to a logger of the standard library."""

    def __init__(self, name: str) -> None:
        self._log = logging.getLogger(name)

    def warning(self, event: str, **fields: object) -> None:
        """Log a warning."""
        self._log.warning("%s %s", event, fields)


def get_logger(name: str) -> _Logger:
    """Return the logger of that name."""
    return _Logger(name)
