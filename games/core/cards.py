"""Playing cards and the cut, which breaks ties with a real pack of cards.

Terms: a *cut* names exactly the seats of one tied group and the card that each of them showed, or None for a seat that
was absent. Ranks run from 2 (low) to ace (high); suits do not count. Seats that show the same rank stay tied and cut
again. Absent seats rank below those that were present and are tied among themselves.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeVar

from games.core.actions import Action, ActionType
from games.core.problems import Malformed, Problem
from games.core.reading import abbreviate, read_object
from games.core.text import gettext_noop

K = TypeVar("K", bound=Hashable)

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("S", "H", "D", "C")

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

UNKNOWN_CARD = gettext_noop(
    "“%(card)s” is not a card. Write the rank (2 to 10, J, Q, K or A), then the suit (S, H, D or C)."
)
NOT_A_SEAT = gettext_noop("This game has no seat “%(seat)s”.")
NOT_TIED = gettext_noop("Only tied seats cut cards, and all of them must take part.")
SAME_CARD = gettext_noop("The card %(card)s cannot be shown twice in one cut.")
NO_CARD_SHOWN = gettext_noop("At least one of the tied seats must show a card.")
RETIRED_SEATS_CUT = gettext_noop("Retired seats do not cut cards.")
NO_CARDS = gettext_noop("Nobody cuts cards here: tied seats share their place.")
NOT_FINISHED = gettext_noop("Cards can be cut only after the game is finished.")


class Card(NamedTuple):
    """A playing card; `rank` is an index into `RANKS`."""

    rank: int
    suit: str

    def __str__(self) -> str:
        return RANKS[self.rank] + self.suit


JOKER = "JOKER"  # the code of every joker; a cut has none
CARDS: Mapping[str, Card] = {rank + suit: Card(value, suit) for value, rank in enumerate(RANKS) for suit in SUITS}

# The cards shown in a cut, by seat and in seat order; None for an absent seat.
Cards = tuple[tuple[int, Card | None], ...]


def read_card(value: object, path: str) -> Card:
    """Return the card that a string such as ``"10H"`` names, or raise `Malformed`."""
    if not isinstance(value, str) or value not in CARDS:
        raise Malformed(path, UNKNOWN_CARD, {"card": abbreviate(value)})
    return CARDS[value]


@dataclass(frozen=True, slots=True)
class Cut(Action):
    """The cards that the seats of a tied group have shown; None for an absent seat."""

    type: ClassVar[str] = "cut"
    cards: Cards


@dataclass(frozen=True, slots=True)
class _SeatCardsReader:
    """Reads the cards by seat. The caller checks the seat numbers: a reader does not know how many seats there are."""

    def read(self, value: object, path: str) -> Cards:
        shown_cards = []
        for name, card in read_object(value, path).items():
            if not (name.isascii() and name.isdigit() and str(int(name[:20])) == name):
                raise Malformed(f"{path}.{abbreviate(name)}", NOT_A_SEAT, {"seat": abbreviate(name)})
            shown_cards.append((int(name), None if card is None else read_card(card, f"{path}.{name}")))
        return tuple(sorted(shown_cards, key=lambda seat_card: seat_card[0]))


@dataclass(frozen=True)
class CutType(ActionType):
    """The action type of `cut`: the cards by seat, written as an object."""

    def read(self, data: Mapping[str, object], seats: int, path: str) -> Action:
        action = ActionType.read(self, data, seats, path)
        assert isinstance(action, Cut)
        for seat, _ in action.cards:
            if seat >= seats:
                prefix = f"{path}." if path else ""
                raise Malformed(f"{prefix}cards.{seat}", NOT_A_SEAT, {"seat": seat})
        return action

    def write(self, action: Action) -> dict[str, object]:
        assert isinstance(action, Cut)
        cards = {str(seat): None if card is None else str(card) for seat, card in action.cards}
        return {"type": action.type, "cards": cards}


CUT = CutType(Cut, {"cards": _SeatCardsReader()}, has_seat=False)


def cut_problems(
    cards: Mapping[K, Card | None], tied_groups: Sequence[frozenset[K]], retired: frozenset[K], rule: str
) -> tuple[Problem, ...]:
    """Return what is wrong with a cut.

    Args:
        cards: the card of each seat in the cut, or None for an absent seat.
        tied_groups: the groups of two or more seats that are tied now.
        retired: the seats that have retired.
        rule: the game's clause about cutting cards.
    """
    found = []
    if not retired.isdisjoint(cards):
        found.append(Problem("retired_do_not_cut", rule, RETIRED_SEATS_CUT, "cards"))
    elif frozenset(cards) not in tied_groups:
        found.append(Problem("not_level", rule, NOT_TIED, "cards"))
    seen: set[Card] = set()
    for card in cards.values():
        if card is not None and card in seen:
            found.append(Problem("same_card", rule, SAME_CARD, "cards", params={"card": str(card)}))
            break
        if card is not None:
            seen.add(card)
    if not seen:
        found.append(Problem("nobody_cut", rule, NO_CARD_SHOWN, "cards"))
    return tuple(found)
