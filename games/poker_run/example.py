"""An example of a hand: cards that look like chance, with a joker and bought cards where the contest has them."""

from __future__ import annotations

from typing import Any

from games.core.cards import JOKER
from games.poker_run.state import Setup

# No card comes twice, so they are as good for one deck as for one at each stop. They are enough for any contest.
CARDS = (
    *("KS", "9C", "QH", "9D", "4S", "JD", "7H", "AC", "2D", "10S", "5C", "8H", "3S", "6D", "KH", "4C", "QS"),
    *("7D", "2H", "JC", "10D", "AS", "5H", "8C", "3D", "6S", "KC", "9S", "QD", "4H", "JS", "7C", "2S", "10H"),
    *("AH", "5D", "8S", "3C", "6H", "KD", "9H", "QC", "4D", "JH", "7S", "2C"),
)


def make_example(setup: Setup) -> list[dict[str, Any]]:
    """Return the actions of a whole hand. The second card is a joker if the deck has any; one card is bought."""
    cards = [*CARDS[:1], *([JOKER] if setup.jokers else []), *CARDS[1:]]
    drawn = iter(cards)
    actions: list[dict[str, Any]] = [
        {"type": "draw", "cards": [next(drawn) for _ in range(setup.cards)]} for _ in range(setup.turns)
    ]
    if setup.extra:
        actions.append({"type": "extra", "card": next(drawn)})
    return [*actions, {"type": "stand"}] if setup.extra > 1 else actions
