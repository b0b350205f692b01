"""The luck-adjusted table: the standings' rows with what luck and choices contributed to each total.

It is made beside the standings and decides nothing. Its figures have one decimal and add up exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple
from uuid import UUID

from games.core.luck import Balance
from scorekeeper.standings.card_luck import CardLuck
from scorekeeper.standings.leaderboard import LeaderboardRow


class LuckRow(NamedTuple):
    """A card in the table.

    Attributes:
        row: of its entrant, in the standings.
        is_recorded: whether enough is recorded; if not, the luck of some turns and the adjusted total are not known.
    """

    row: LeaderboardRow
    card: CardLuck
    balance: Balance
    is_recorded: bool

    @property
    def adjusted(self) -> Decimal | None:
        """The total less the luck, where it is known."""
        return self.balance.adjusted if self.is_recorded else None


def make_luck_rows(rows: Iterable[LeaderboardRow], cards: Sequence[CardLuck], *, lowest_wins: bool) -> list[LuckRow]:
    """Return the table: the best adjusted total first, then the cards of which not enough is recorded.

    Args:
        rows: the standings, in order. Cards of entrants who are not in them are left out.
        lowest_wins: whether a smaller value is better (`Ruleset.odds_aim`).
    """
    by_entrant: dict[UUID, list[CardLuck]] = {}
    for card in cards:
        by_entrant.setdefault(card.entrant_id, []).append(card)
    found = [
        LuckRow(row, card, card.luck.balance(), card.luck.is_recorded)
        for row in rows
        for card in by_entrant.get(row.entrant_id, ())
    ]
    sign = 1 if lowest_wins else -1
    # Sorting is stable, so equal rows stay in the order of the standings.
    return sorted(found, key=lambda one: (not one.is_recorded, sign * (one.adjusted or 0)))
