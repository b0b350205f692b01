"""The best and the worst hand that a seat can still end with, where the best hand wins.

Terms: an *open* card is one that can still be drawn or bought. More cards never make a hand worse (POKER-7), and every
turn can be missed (POKER-17), so the worst is the hand as it stands.

Where a card may come again (POKER-5), an open card is taken for a joker. That is exact while a turn has one card and
one card at most is bought; otherwise a flush of equal ranks may be too good to come true, but it is still a limit.
Where the worst hand wins, hands are not ranked by their numbers alone (POKER-16), so there are no limits of numbers.
"""

from __future__ import annotations

from games.core.standing import Reach, Standing
from games.poker_run.hands import count_cards, find_highest
from games.poker_run.state import Hand, Setup, count_jokers_left, get_hand_number, is_done, list_cards


def get_reach(setup: Setup, hand: Hand) -> Reach | None:
    """Return the best and the worst standing that a hand can still end with; None where the worst hand wins."""
    if setup.is_low:
        return None
    worst = get_hand_number(setup, hand)
    return Reach(_make_done_standing(_get_best(setup, hand)), _make_done_standing(worst))


def count_open_cards(setup: Setup, hand: Hand) -> int:
    """Return how many cards the hand can still get."""
    if is_done(setup, hand):
        return 0
    return (setup.turns - len(hand.draws)) * setup.cards + setup.extra - len(hand.extras)


def _get_best(setup: Setup, hand: Hand) -> int:
    open_cards = count_open_cards(setup, hand)
    held = count_cards(list_cards(hand))
    # No card is better than a joker, so they come first.
    jokers = min(count_jokers_left(setup, hand), open_cards) if setup.is_one_deck else open_cards
    return find_highest(held._replace(jokers=held.jokers + jokers), open_cards - jokers)


def _make_done_standing(number: int) -> Standing:
    return Standing(number, (number,), "done")
