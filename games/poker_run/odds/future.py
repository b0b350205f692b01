"""What a hand can still get: the cards to come, and from which cards each of them is drawn.

Terms: a *slot* is a number of cards that are drawn from one pack without coming back, such as those of a turn. Where a
hand holds no card twice, all its cards to come are one slot (POKER-4). A *completion* is one choice of the cards of all
slots; all of them are equally likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, prod
from typing import NamedTuple

from games.core.cards import JOKER
from games.poker_run.cards import PACK, Cards
from games.poker_run.state import Hand, Setup, is_done, list_cards


class Slot(NamedTuple):
    """So many cards out of these."""

    pack: Cards
    size: int

    @property
    def completions(self) -> int:
        """How many choices there are."""
        return comb(len(self.pack), self.size)


class Future(NamedTuple):
    """A hand with everything that it can still get.

    Attributes:
        held: its cards.
        slots: the cards to come, if no turn is missed and all cards on sale are bought.
        is_low: whether the lowest five cards count.
    """

    held: Cards
    slots: tuple[Slot, ...]
    is_low: bool

    @property
    def completions(self) -> int:
        """How many ways there are to go on."""
        return prod(slot.completions for slot in self.slots)


def get_future(setup: Setup, hand: Hand) -> Future:
    """Return what a hand can still get."""
    held = list_cards(hand)
    turns = 0 if is_done(setup, hand) else setup.turns - len(hand.draws)
    extra = 0 if is_done(setup, hand) else setup.extra - len(hand.extras)
    if setup.is_one_deck:
        slots = [Slot(_make_pack(setup, held), turns * setup.cards + extra)]
    else:
        slots = [*[Slot(_make_pack(setup, ()), setup.cards)] * turns, Slot(_make_pack(setup, hand.extras), extra)]
    return Future(tuple(sorted(held)), tuple(slot for slot in slots if slot.size), setup.is_low)


def _make_pack(setup: Setup, without: Sequence[str]) -> Cards:
    """Return the deck without some cards."""
    left = tuple(card for card in PACK if card not in without)
    return (*left, *[JOKER] * (setup.jokers - without.count(JOKER)))
