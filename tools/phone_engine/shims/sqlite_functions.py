"""Instead of `django.db.backends.sqlite3._functions`: no query of the crew's pages uses Django's SQL functions."""

from __future__ import annotations

from typing import Any


def register(connection: Any) -> None:
    """Register no functions."""
