"""The state of one hand: the cards of each turn, and those that were bought after the last one.

Derived: everything else, such as the number of the hand and whether the seat is done, follows from these cards.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

from games.core.cards import JOKER
from games.poker_run.cards import Cards
from games.poker_run.hands import get_number, make_number_key

MAX_CARDS = 3  # in one turn
MAX_JOKERS = 2


class Setup(NamedTuple):
    """The options, as the rules read them.

    Attributes:
        turns: how many turns a hand has (POKER-2).
        cards: how many cards are drawn in each of them.
        is_one_deck: whether a hand holds no card twice (POKER-4), instead of no turn (POKER-5).
        jokers: how many jokers the deck has (POKER-3).
        extra: how many cards a seat may buy after the last turn (POKER-6).
        is_low: whether the worst hand wins (POKER-13).
        cuts_cards: whether ties are broken by cutting cards (POKER-18).
    """

    turns: int
    cards: int
    is_one_deck: bool
    jokers: int
    extra: int
    is_low: bool
    cuts_cards: bool = True


class Hand(NamedTuple):
    """The state of one seat.

    Attributes:
        draws: the cards of each turn so far; none for a turn that was missed.
        extras: the cards that were bought.
        is_standing: whether the seat has said that it buys no more.
    """

    draws: tuple[Cards, ...] = ()
    extras: Cards = ()
    is_standing: bool = False


def list_cards(hand: Hand) -> Cards:
    """Return all cards of the hand in the order in which they were drawn."""
    return (*chain.from_iterable(hand.draws), *hand.extras)


def is_drawing(setup: Setup, hand: Hand) -> bool:
    """Return whether the hand has turns left."""
    return len(hand.draws) < setup.turns


def is_done(setup: Setup, hand: Hand) -> bool:
    """Return whether the seat is done (POKER-6)."""
    return len(hand.draws) >= setup.turns and (hand.is_standing or len(hand.extras) >= setup.extra)


def list_company(setup: Setup, hand: Hand) -> Cards:
    """Return the cards that the next card must differ from, and whose jokers count with it (POKER-4, POKER-5)."""
    if setup.is_one_deck:
        return list_cards(hand)
    return () if is_drawing(setup, hand) else hand.extras


def get_hand_number(setup: Setup, hand: Hand) -> int:
    """Return the number of the best five cards for the goal, or of all while they are fewer (POKER-7)."""
    return get_number(tuple(sorted(list_cards(hand))), setup.is_low)


def get_hand_key(setup: Setup, hand: Hand) -> tuple[int, ...]:
    """Return what ranking compares; larger is better (POKER-12, POKER-13, POKER-16)."""
    return make_number_key(get_hand_number(setup, hand), setup.is_low)


def count_jokers_left(setup: Setup, hand: Hand) -> int:
    """Return how many jokers the next turn, or the cards still to be bought, can bring."""
    return setup.jokers - list_company(setup, hand).count(JOKER)
