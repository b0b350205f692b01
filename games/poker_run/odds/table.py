"""The chances of an empty hand from a table, since it has more completions than can be counted while somebody waits."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.cards import JOKER
from games.poker_run.cards import PACK
from games.poker_run.odds.future import Future
from games.poker_run.odds.table_data import COUNTS

Key = tuple[tuple[int, ...], int, bool]  # the cards of each slot, the jokers of a deck, whether the lowest hand counts


def find_in_table(future: Future) -> Sequence[int] | None:
    """Return how many completions of an empty hand end in each category; None if the table has no such hand."""
    if future.held:
        return None
    jokers = future.slots[0].pack.count(JOKER)
    if any(len(slot.pack) != len(PACK) + jokers for slot in future.slots):
        return None
    return COUNTS.get((tuple(slot.size for slot in future.slots), jokers, future.is_low))
