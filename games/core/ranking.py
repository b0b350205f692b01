"""Ranking: the only code that puts seats in order, for the command line, the server and the phone.

Terms: seats with equal orders are *level* and share a place. A *cut* tells one level group apart; it counts
only while the seats it names are exactly such a group, and is *stale* otherwise. Cuts are taken in the order
they were made, so the second cut of seats that drew level cards finds the group that the first one left.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from games.core.cards import Card
from games.core.standing import Standing

K = TypeVar("K", bound=Hashable)

ABSENT = -1  # below every card


class Place(NamedTuple, Generic[K]):
    """Seats that share a place.

    Attributes:
        rank: 1 for the first; after a place of two comes 3.
        seats: who stands there, in the order the standings were given.
        cuts: positions in the log of the cuts that told this group from its neighbours.
    """

    rank: int
    seats: tuple[K, ...]
    cuts: tuple[int, ...] = ()


class Ranking(NamedTuple, Generic[K]):
    """All places, best first, and the positions of the cuts that rank nobody now."""

    places: tuple[Place[K], ...]
    stale_cuts: tuple[int, ...] = ()

    @property
    def groups(self) -> tuple[tuple[K, ...], ...]:
        """The seats alone, group by group."""
        return tuple(place.seats for place in self.places)


def rank(standings: Mapping[K, Standing], cuts: Sequence[Mapping[K, Card | None]] = ()) -> Ranking[K]:
    """Put the seats in order.

    Args:
        standings: where each seat stands; the mapping's order is kept within a group.
        cuts: the log of cuts, oldest first.
    """
    by_order: dict[tuple[int, ...], list[K]] = {}
    for seat, standing in standings.items():
        by_order.setdefault(standing.order, []).append(seat)
    groups: list[tuple[tuple[K, ...], tuple[int, ...]]] = [
        (tuple(by_order[order]), ()) for order in sorted(by_order, reverse=True)
    ]
    stale = []
    for position, cards in enumerate(cuts):
        named = frozenset(cards)
        level = (i for i, (seats, _) in enumerate(groups) if len(seats) > 1 and named == set(seats))
        index = next(level, None)
        if index is None:
            stale.append(position)
        else:
            seats, earlier = groups[index]
            groups[index : index + 1] = [(part, (*earlier, position)) for part in _split(seats, cards)]
    places, next_rank = [], 1
    for seats, decided in groups:
        places.append(Place(next_rank, seats, decided))
        next_rank += len(seats)
    return Ranking(tuple(places), tuple(stale))


def _split(seats: tuple[K, ...], cards: Mapping[K, Card | None]) -> list[tuple[K, ...]]:
    by_rank: dict[int, list[K]] = {}
    for seat in seats:
        card = cards[seat]
        by_rank.setdefault(ABSENT if card is None else card.rank, []).append(seat)
    return [tuple(by_rank[card_rank]) for card_rank in sorted(by_rank, reverse=True)]
