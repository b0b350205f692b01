"""The actions that can be recorded now, as action specs. They follow the same rules as `rules`."""

from __future__ import annotations

from games.core.specs import ActionSpec, DrawField, OrdinalOf
from games.core.text import gettext_noop, pgettext_noop
from games.poker_run.actions import Draw, Extra, Forfeit, Stand
from games.poker_run.cards import PACK
from games.poker_run.state import MAX_CARDS, MAX_JOKERS, Hand, Setup, count_jokers_left, is_drawing, list_company

DRAW = gettext_noop("Record cards")
DRAW_PROMPT = gettext_noop("draw from the deck")
CARDS_DRAWN = gettext_noop("Cards drawn")
FORFEIT = gettext_noop("Turn missed: no card")
EXTRA = gettext_noop("Record an extra card")
EXTRA_PROMPT = gettext_noop("buy another card")
EXTRA_CARD = gettext_noop("Extra card")
STAND = gettext_noop("Stand: no more cards")
DRAWN = pgettext_noop("an action that was recorded", "Drawn")
BOUGHT = pgettext_noop("an action that was recorded", "Bought")
STOOD = pgettext_noop("an action that was recorded", "Stood: no more cards")
DRAW_CARDS = gettext_noop("Draw from the deck")
BUY_A_CARD = gettext_noop("Buy a card")
STAND_PROMPT = gettext_noop("stand")

# A turn without the rules: the cards. The options are not known there, so it takes as many as any of them allow.
ANY_CARDS = DrawField("cards", CARDS_DRAWN, PACK, MAX_CARDS, MAX_JOKERS, low=1, has_jokers=True)
PLAIN_TURN = (ActionSpec(Draw.type, None, DRAW, (ANY_CARDS,)),)


def list_offers(setup: Setup, hand: Hand, seat: int) -> tuple[ActionSpec, ...]:
    """Return the actions that can be recorded now for a hand that is not done."""
    if is_drawing(setup, hand):
        number = len(hand.draws) + 1
        draw = _make_field(setup, hand, setup.cards)
        return (
            ActionSpec(
                Draw.type, seat, DRAW, (draw,), nth=OrdinalOf(number, setup.turns), prompt=DRAW_PROMPT, done=DRAWN
            ),
            ActionSpec(Forfeit.type, seat, FORFEIT, done=FORFEIT),
        )
    extra = _make_field(setup, hand, None)
    nth = OrdinalOf(len(hand.extras) + 1, setup.extra)
    return (
        ActionSpec(Extra.type, seat, EXTRA, (extra,), nth=nth, prompt=EXTRA_PROMPT, done=BOUGHT),
        ActionSpec(Stand.type, seat, STAND, prompt=STAND_PROMPT, done=STOOD),
    )


def _make_field(setup: Setup, hand: Hand, count: int | None) -> DrawField:
    """Return the field for so many cards that may come now, or for the one card that is bought."""
    company = list_company(setup, hand)
    cards = tuple(card for card in PACK if card not in company)
    jokers = count_jokers_left(setup, hand)
    if count is None:
        return DrawField("card", EXTRA_CARD, cards, 1, min(jokers, 1), has_jokers=setup.jokers > 0, single=True)
    return DrawField("cards", CARDS_DRAWN, cards, count, min(jokers, count), has_jokers=setup.jokers > 0)
