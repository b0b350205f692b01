"""The score sheet: the cards of a hand and what they make, and the turns as lists show them."""

from __future__ import annotations

from games.core.cards import JOKER, SUIT_SIGNS
from games.core.sheet import Cell, Line, Turn
from games.core.text import Params, Text, gettext_noop
from games.poker_run.cards import ACE, Cards
from games.poker_run.hands import LABELS, get_category, get_ranks
from games.poker_run.state import Hand, Setup, get_hand_number, list_cards

CARDS_LINE = "cards"

CARDS = gettext_noop("Cards")
HAND = gettext_noop("Hand")
MISSED = gettext_noop("Missed")
JOKER_WORD = gettext_noop("joker")
LISTED = gettext_noop("%(cards)s")
NAME = gettext_noop("%(hand)s, %(ranks)s")
NO_HAND = gettext_noop("No cards")

RANK_SIGNS = {1: "A", 11: "J", 12: "Q", 13: "K", ACE: "A"}


def list_lines(setup: Setup, hand: Hand) -> tuple[Line, ...]:
    """Return the lines of one hand, each with one cell."""
    cards, number = list_cards(hand), get_hand_number(setup, hand)
    filled = tuple(index for index, turn in enumerate(list_turns(setup, hand), 1) if turn.line)
    words, params = describe_number(number)
    cards_cell = Cell(len(cards), filled, LISTED, {"cards": tuple(map(name_card, cards))}) if cards else Cell()
    return (
        Line(CARDS_LINE, CARDS, "POKER-2", (cards_cell,)),
        Line("hand", HAND, "POKER-9", (Cell(number, (), words, params),), "total"),
    )


def name_card(card: str) -> str | Text:
    """Return a card as people write it: its rank and the sign of its suit."""
    return JOKER_WORD if card == JOKER else card[:-1] + SUIT_SIGNS[card[-1]]


def describe_number(number: int) -> tuple[Text, Params]:
    """Return the name of a hand with its ranks as POKER-11 lists them."""
    if not number:
        return NO_HAND, {}
    ranks = "-".join(RANK_SIGNS.get(rank, str(rank)) for rank in get_ranks(number) if rank)
    return NAME, {"hand": LABELS[get_category(number)], "ranks": ranks}


def list_turns(setup: Setup, hand: Hand) -> tuple[Turn, ...]:
    """Return the turns that have ended. The cards that were bought belong to the last one."""
    drawn = list(hand.draws)
    if hand.extras:
        drawn[-1] += hand.extras
    return tuple(map(_make_turn, drawn))


def _make_turn(cards: Cards) -> Turn:
    return Turn(CARDS_LINE, CARDS, len(cards), cards) if cards else Turn(None, MISSED, 0, how="missed")
