"""What a database said went wrong, for the log."""

from __future__ import annotations


def get_database_message(error: BaseException) -> str:
    """Return what the database said, in one line: "database is locked" where others were writing for too long."""
    return next(iter(str(error).splitlines()), "")
