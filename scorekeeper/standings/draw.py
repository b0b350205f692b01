"""The draw of cards: how a tie that matters is settled, round by round.

Terms: a *draw* is everything that the entrants of one tied group cut. Its first *round* is their cut; those who showed
equal cards have another round of their own. A round is *open* until its cut is recorded. A cut is recorded with all its
cards at once, so a round has either all cards or none.

Invariant: a round keeps its depth and its rank when it is recorded and when its draw goes on, so they identify it.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from scorekeeper.standings.leaderboard import LeaderboardRow


class DrawnCard(NamedTuple):
    """What one entrant showed in a round.

    Attributes:
        row: the entrant's current row of the leaderboard.
        card: such as "QS"; None for an entrant who was not there, and in an open round.
        cuts_again: whether the entrant has a later round.
    """

    row: LeaderboardRow
    card: str | None
    cuts_again: bool = False


@dataclass(frozen=True)
class DrawRound:
    """One round of a draw.

    Attributes:
        depth: 1 for the first round. Rounds of different entrants may have the same depth.
        rank: the place that the entrants cut for.
        cards: in an order that does not depend on the cards.
        seq: the entry of its cut in the contest's chain; 0 while the round is open.
        at: when its cards were recorded or last corrected; None while it is open.
        is_corrected: whether other cards were recorded at first.
    """

    depth: int
    rank: int
    cards: tuple[DrawnCard, ...]
    seq: int = 0
    at: dt.datetime | None = None
    is_corrected: bool = False

    @property
    def is_open(self) -> bool:
        """Whether its cards are yet to be cut."""
        return self.at is None

    @cached_property
    def entrants(self) -> frozenset[UUID]:
        """Those who cut in this round."""
        return frozenset(card.row.entrant_id for card in self.cards)


@dataclass(frozen=True)
class Draw:
    """A draw, with its rounds in order; the first is the one of all its entrants."""

    rounds: tuple[DrawRound, ...]

    @property
    def rank(self) -> int:
        """The best place that it is about."""
        return self.rounds[0].rank

    @property
    def entrants(self) -> frozenset[UUID]:
        """Those who were tied at first."""
        return self.rounds[0].entrants

    @property
    def is_open(self) -> bool:
        """Whether cards are yet to be cut."""
        return any(one.is_open for one in self.rounds)

    def list_first(self) -> list[LeaderboardRow]:
        """Return the rows at its best place; several while they are tied."""
        return [card.row for card in self.rounds[0].cards if card.row.rank == self.rank]

    def get_last_change(self, since: dt.datetime) -> dt.datetime:
        """Return when cards were last recorded or corrected, or the given time if that is later."""
        return max([since, *(one.at for one in self.rounds if one.at is not None)])
