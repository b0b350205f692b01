"""Rows that were read in one statement for many others: the entries of several chains, chain by chain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Generic, TypeVar
from uuid import UUID

from scorekeeper.ledger.models import Entry

T = TypeVar("T")


class OrderedGroups(Generic[T]):
    """Rows in the order of a key, read group by group beside other rows in the same order, none of them twice."""

    def __init__(self, rows: Iterable[T], key: Callable[[T], UUID]) -> None:
        self._groups = groupby(rows, key)
        self._next = next(self._groups, None)

    def skip_to(self, key: UUID | None) -> Iterator[Iterator[T]]:
        """Yield the groups that come before a key, for which there are no other rows; all for None."""
        while self._next is not None and (key is None or self._next[0] < key):
            yield self._next[1]
            self._next = next(self._groups, None)

    def take(self, key: UUID) -> Iterator[T]:
        """Yield the rows of a key."""
        for _skipped in self.skip_to(key):
            pass
        if self._next is not None and self._next[0] == key:
            yield from self._next[1]
            self._next = next(self._groups, None)


def split_by_chain(
    entries: Iterable[Entry], lengths: Mapping[UUID, int] | None = None
) -> Iterator[tuple[UUID, list[Entry]]]:
    """Yield each chain's id and its entries.

    Args:
        entries: ordered by chain and sequence number.
        lengths: only the chains named here, each up to this length; None for all of it.
    """
    for chain_id, chain in groupby(entries, key=lambda entry: entry.chain_id):
        wanted = [entry for entry in chain if lengths is None or entry.seq <= lengths.get(chain_id, 0)]
        if wanted:
            yield chain_id, wanted
