"""Hooks: what a lower app asks of apps above it, which it must not import.

A hook is declared beside what uses it, with the type of its entries. Apps add theirs in `AppConfig.ready`, so
`grep Hook\\[` finds every hook, and `grep '\\.add('` in the files `apps.py` every entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

Entry = TypeVar("Entry")


class Hook(Generic[Entry]):
    """The entries that apps have added, in the order of the apps."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Add an entry. Called when Django starts."""
        self._entries.append(entry)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    @property
    def only(self) -> Entry | None:
        """The entry of a hook that one app at most has an entry for; None if that app is not installed."""
        return next(iter(self._entries), None)
