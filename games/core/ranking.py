"""Ranking: the only code that puts seats in order, for the command line, the server and the phone.

Terms: seats with equal orders are *tied* and share a place. A *cut* breaks the tie of one group. It counts only while
the seats that it names are exactly such a group, and is *stale* otherwise. Cuts apply in the order in which they were
made. If seats draw cards of the same rank, their second cut applies to the group that the first cut left.
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
        rank: 1 for the first place. After two seats that share first place comes 3.
        seats: the seats at this place, in the order of the standings.
        cuts: indexes of the cuts that separated this group from its neighbours.
    """

    rank: int
    seats: tuple[K, ...]
    cuts: tuple[int, ...] = ()


class Ranking(NamedTuple, Generic[K]):
    """All places, best first, and the indexes of the cuts that no longer count."""

    places: tuple[Place[K], ...]
    stale_cuts: tuple[int, ...] = ()

    @property
    def groups(self) -> tuple[tuple[K, ...], ...]:
        """The seats of each place, without the rest."""
        return tuple(place.seats for place in self.places)


def rank(standings: Mapping[K, Standing], cuts: Sequence[Mapping[K, Card | None]] = ()) -> Ranking[K]:
    """Put the seats in order.

    Args:
        standings: the standing of each seat. Tied seats keep the order of this mapping.
        cuts: the cuts, oldest first.
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
        matches = (i for i, (seats, _) in enumerate(groups) if len(seats) > 1 and named == set(seats))
        index = next(matches, None)
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
