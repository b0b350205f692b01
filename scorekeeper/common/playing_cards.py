"""Playing cards as pages show them: their names in words, and the short form with the sign of the suit."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.cards import CARDS, JOKER, RANKS, SUIT_SIGNS
from games.core.reading import Face

RANK_NAMES = {
    **{rank: rank for rank in RANKS},
    "J": gettext_lazy("jack"),
    "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
    "A": gettext_lazy("ace"),
}
SUIT_NAMES = {
    "S": gettext_lazy("spades"),
    "H": gettext_lazy("hearts"),
    "D": gettext_lazy("diamonds"),
    "C": gettext_lazy("clubs"),
}
RED_SUITS = "HD"


def format_card(code: str) -> str:
    """Return the name of a card such as "QS": "queen of spades"."""
    if code == JOKER:
        return _("joker")
    card = CARDS[code]
    return _("%(rank)s of %(suit)s") % {"rank": RANK_NAMES[RANKS[card.rank]], "suit": SUIT_NAMES[card.suit]}


def show_face(face: Face) -> str:
    """Return a face as lists of dice show it. A drawn card is its rank and the sign of its suit: "10♥"."""
    if face == JOKER:
        return _("joker")
    card = CARDS.get(str(face))
    return str(face) if card is None else RANKS[card.rank] + SUIT_SIGNS[card.suit]


def show_faces(faces: Iterable[Face]) -> str:
    """Return dice or drawn cards in one line."""
    return " ".join(map(show_face, faces))
