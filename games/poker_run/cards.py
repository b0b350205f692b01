"""The cards of a poker run, as a transcript writes them, and the words for them.

Terms: a *card* is its code, such as ``"10H"``; all jokers are ``"JOKER"``. A *rank* is a number from 2 to 14, the ace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.cards import CARDS, JOKER
from games.core.problems import Malformed
from games.core.reading import abbreviate, read_list
from games.core.text import gettext_noop

Cards = tuple[str, ...]

ACE = 14
LOWEST = 2
RANKS = tuple(range(LOWEST, ACE + 1))
SUITS = "SHDC"
PACK: Cards = tuple(CARDS)  # the 52 cards without jokers, the lowest first
RANK_OF: Mapping[str, int] = {code: card.rank + LOWEST for code, card in CARDS.items()}
CARD_OF: Mapping[tuple[int, str], str] = {(card.rank + LOWEST, card.suit): code for code, card in CARDS.items()}

UNKNOWN_CARD = gettext_noop(
    "“%(card)s” is not a card. Write the rank (2 to 10, J, Q, K or A), then the suit (S, H, D or C), or JOKER."
)
UNKNOWN_CARD_WITHOUT_JOKERS = gettext_noop(
    "“%(card)s” is not a card of this deck. Write the rank (2 to 10, J, Q, K or A), then the suit (S, H, D or C)."
)


@dataclass(frozen=True, slots=True)
class OneCard:
    """Reads a card; a joker only where the deck has any (POKER-3)."""

    has_jokers: bool

    def read(self, value: object, path: str) -> str:
        if isinstance(value, str) and (value in CARDS or (value == JOKER and self.has_jokers)):
            return value
        text = UNKNOWN_CARD if self.has_jokers else UNKNOWN_CARD_WITHOUT_JOKERS
        raise Malformed(path, text, {"card": abbreviate(value)})


@dataclass(frozen=True, slots=True)
class SeveralCards:
    """Reads a list of cards. The rules decide how many there must be, and which."""

    has_jokers: bool

    def read(self, value: object, path: str) -> Cards:
        reader = OneCard(self.has_jokers)
        return tuple(reader.read(card, f"{path}[{index}]") for index, card in enumerate(read_list(value, path)))


def list_repeated(cards: Sequence[str]) -> Cards:
    """Return the cards other than jokers that come more than once, each once, in their order."""
    return tuple(card for card, number in Counter(cards).items() if number > 1 and card != JOKER)
