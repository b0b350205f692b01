"""The template filters for faces: `{{ face|playing_card }}` is the card that a face is, or None for a die."""

from __future__ import annotations

from django import template

from games.core.cards import CARDS, JOKER, RANKS
from scorekeeper.common.playing_cards import RED_SUITS, SUIT_NAMES, format_card, show_face, show_faces

register = template.Library()
register.filter("show_face", show_face)
register.filter("show_faces", show_faces)


@register.filter
def playing_card(face: object) -> dict[str, object] | None:
    """Return the rank, the suit and the name of a card; None for the face of a die. A joker has no rank."""
    code = str(face)
    if code == JOKER:
        return {"rank": "", "suit": "", "name": format_card(code), "is_red": False}
    card = CARDS.get(code)
    if card is None:
        return None
    return {"rank": RANKS[card.rank], "suit": card.suit, "name": format_card(code), "is_red": card.suit in RED_SUITS}


@register.simple_tag
def suit_name(code: str) -> str:
    """Return the name of the suit of a card."""
    return str(SUIT_NAMES[code[-1]])
