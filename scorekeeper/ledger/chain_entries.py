"""Entries of several chains that were read in one statement, chain by chain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from uuid import UUID

from scorekeeper.ledger.models import Entry


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
