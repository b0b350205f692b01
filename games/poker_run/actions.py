"""The actions on a hand, as frozen dataclasses, and how a transcript writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from games.core.actions import Action, ActionType
from games.poker_run.cards import Cards, OneCard, SeveralCards


@dataclass(frozen=True, slots=True)
class Draw(Action):
    """All cards of one turn (POKER-2, POKER-20)."""

    type: ClassVar[str] = "draw"
    cards: Cards


@dataclass(frozen=True, slots=True)
class Forfeit(Action):
    """A turn that was missed (POKER-17)."""

    type: ClassVar[str] = "forfeit"


@dataclass(frozen=True, slots=True)
class Extra(Action):
    """One card that was bought after the last turn (POKER-6)."""

    type: ClassVar[str] = "extra"
    card: str


@dataclass(frozen=True, slots=True)
class Stand(Action):
    """No more cards are bought (POKER-6)."""

    type: ClassVar[str] = "stand"


def list_action_types(has_jokers: bool) -> tuple[ActionType, ...]:
    """Return how the actions are written for a deck with or without jokers."""
    return (
        ActionType(Draw, {"cards": SeveralCards(has_jokers)}),
        ActionType(Forfeit, {}),
        ActionType(Extra, {"card": OneCard(has_jokers)}),
        ActionType(Stand, {}),
    )
