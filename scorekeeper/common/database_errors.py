"""Database error messages for the log."""

from __future__ import annotations


def get_database_message(error: BaseException) -> str:
    """Return the first line of the database's message, such as "database is locked"."""
    return next(iter(str(error).splitlines()), "")
