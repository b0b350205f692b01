"""Entries of the error summary besides the problems of an action.

An error about the reason links to its field and is repeated there; errors that no field can fix appear only here.
"""

from __future__ import annotations

from collections.abc import Iterable


def make_page_errors(texts: Iterable[str]) -> list[dict[str, str]]:
    """Return the entries for errors that no field can fix."""
    return [{"field_id": "", "text": text} for text in texts]


def make_reason_errors(error: str) -> list[dict[str, str]]:
    """Return the entry for an error in the reason; nothing if the error is ""."""
    return [{"field_id": "reason", "text": error}] if error else []
