"""The rules of a hand: which actions are legal, and how they change the hand.

The functions in the first part return every rule that an action breaks, the most specific first. At the wrong moment
they look no further (POKER-21). The functions in the second part return the new hand; they are called only for actions
that no problem blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.core.actions import Action
from games.core.cards import JOKER
from games.core.problems import Problem
from games.core.text import gettext_noop, ngettext_lazy
from games.poker_run.actions import Draw, Extra, Forfeit, Stand
from games.poker_run.cards import list_repeated
from games.poker_run.state import Hand, Setup, is_drawing, list_company

NO_TURN_LEFT = ngettext_lazy(
    "This hand has had its %(count)s turn. No other can follow.",
    "This hand has had its %(count)s turns. No other can follow.",
)
WRONG_NUMBER = ngettext_lazy(
    "In each turn %(count)s card is drawn. You entered %(given)s.",
    "In each turn %(count)s cards are drawn. You entered %(given)s.",
)
HELD_ALREADY = gettext_noop("This hand already holds %(cards)s. Draw again, and record the card that comes then.")
TWICE = gettext_noop("In one turn no card comes twice: %(cards)s. Draw again, and record the card that comes then.")
BOUGHT_ALREADY = gettext_noop("%(cards)s has already been bought. Draw again, and record the card that comes then.")
TOO_MANY_JOKERS = ngettext_lazy(
    "The deck has %(count)s joker, so no more can be held. Draw again, and record the card that comes then.",
    "The deck has %(count)s jokers, so no more can be held. Draw again, and record the card that comes then.",
)
TURNS_LEFT_TO_BUY = ngettext_lazy(
    "This hand still has %(count)s turn. Extra cards are bought after the last one.",
    "This hand still has %(count)s turns. Extra cards are bought after the last one.",
)
TURNS_LEFT_TO_STAND = ngettext_lazy(
    "This hand still has %(count)s turn. It can stand after the last one.",
    "This hand still has %(count)s turns. It can stand after the last one.",
)


def _draw_problems(setup: Setup, hand: Hand, action: Draw) -> tuple[Problem, ...]:
    if not is_drawing(setup, hand):
        return (_make_no_turn_left(setup),)
    found = []
    if len(action.cards) != setup.cards:
        params = {"count": setup.cards, "given": len(action.cards)}
        found.append(Problem("wrong_number", "POKER-2", WRONG_NUMBER, "cards", params=params))
    return (*found, *_list_card_problems(setup, hand, action.cards, "cards"))


def _extra_problems(setup: Setup, hand: Hand, action: Extra) -> tuple[Problem, ...]:
    if is_drawing(setup, hand):
        params = {"count": setup.turns - len(hand.draws)}
        return (Problem("turns_left", "POKER-6", TURNS_LEFT_TO_BUY, params=params),)
    return _list_card_problems(setup, hand, (action.card,), "card")


def _list_card_problems(setup: Setup, hand: Hand, cards: Sequence[str], field: str) -> tuple[Problem, ...]:
    """Return what is wrong with cards that are drawn together (POKER-4, POKER-5)."""
    rule, company = "POKER-4" if setup.is_one_deck else "POKER-5", list_company(setup, hand)
    found = []
    held = tuple(dict.fromkeys(card for card in cards if card != JOKER and card in company))
    if held:
        text = HELD_ALREADY if setup.is_one_deck else BOUGHT_ALREADY
        found.append(Problem("held_already", rule, text, field, params={"cards": held}))
    if repeated := list_repeated(cards):
        found.append(Problem("same_card", rule, TWICE, field, params={"cards": repeated}))
    if JOKER in cards and company.count(JOKER) + cards.count(JOKER) > setup.jokers:
        found.append(Problem("too_many_jokers", rule, TOO_MANY_JOKERS, field, params={"count": setup.jokers}))
    return tuple(found)


def _forfeit_problems(setup: Setup, hand: Hand, action: Forfeit) -> tuple[Problem, ...]:
    return () if is_drawing(setup, hand) else (_make_no_turn_left(setup),)


def _stand_problems(setup: Setup, hand: Hand, action: Stand) -> tuple[Problem, ...]:
    if is_drawing(setup, hand):
        params = {"count": setup.turns - len(hand.draws)}
        return (Problem("turns_left", "POKER-6", TURNS_LEFT_TO_STAND, params=params),)
    return ()


def _make_no_turn_left(setup: Setup) -> Problem:
    return Problem("no_turn_left", "POKER-2", NO_TURN_LEFT, params={"count": setup.turns})


def _draw(setup: Setup, hand: Hand, action: Draw) -> Hand:
    return Hand((*hand.draws, action.cards))


def _forfeit(setup: Setup, hand: Hand, action: Forfeit) -> Hand:
    return Hand((*hand.draws, ()))


def _extra(setup: Setup, hand: Hand, action: Extra) -> Hand:
    return Hand(hand.draws, (*hand.extras, action.card))


def _stand(setup: Setup, hand: Hand, action: Stand) -> Hand:
    return Hand(hand.draws, hand.extras, True)


PROBLEMS: Mapping[type[Action], Callable[[Setup, Hand, Any], tuple[Problem, ...]]] = {
    Draw: _draw_problems,
    Forfeit: _forfeit_problems,
    Extra: _extra_problems,
    Stand: _stand_problems,
}
APPLY: Mapping[type[Action], Callable[[Setup, Hand, Any], Hand]] = {
    Draw: _draw,
    Forfeit: _forfeit,
    Extra: _extra,
    Stand: _stand,
}
