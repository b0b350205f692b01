"""The pad for a card, which takes two taps, its rank and its suit, as plain data for `components/card_pad.html`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.core.cards import JOKER, RANKS, SUITS
from games.core.specs import DrawField

TemplateData = dict[str, Any]


def present_card_pad(
    field: DrawField, tapped: Sequence[object] = (), cards_of_others: DrawField | None = None
) -> TemplateData:
    """Return the cards of each rank, and how often each may still come in this turn.

    Args:
        tapped: the cards of this turn so far.
        cards_of_others: the cards that all other turns of the card leave, also those after this one, if that matters.
    """
    left, jokers = set(field.cards), field.jokers
    if cards_of_others is not None:
        left, jokers = left & {*cards_of_others.cards}, min(jokers, cards_of_others.jokers)
    ranks = [
        {
            "rank": rank,
            "cards": [_present_key(f"{rank}{suit}", int(f"{rank}{suit}" in left), tapped) for suit in SUITS],
        }
        for rank in RANKS
    ]
    return {"ranks": ranks, "joker": _present_key(JOKER, jokers, tapped) if field.has_jokers else None}


def _present_key(code: str, most: int, tapped: Sequence[object]) -> TemplateData:
    """Return the key of a card; `is_taken` if it is in the hand, or as often in this turn as it can be."""
    return {"value": code, "most": most, "is_held": most == 0, "is_taken": tapped.count(code) >= most}
