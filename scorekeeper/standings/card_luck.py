"""The luck of one card, as records and as plain data: its turns, and what each throw brought and each choice cost.

The data has everything to show a card without its log and without computing odds. It contains no names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.core.game import Ruleset
from games.core.luck import Luck, Step, get_luck
from games.core.time_limit import TimeLimit
from scorekeeper.scorecards.card_kinds import FoldedCard
from scorekeeper.scorecards.fold import Actions


@dataclass(frozen=True)
class CardLuck:
    """One entrant's luck on a card.

    Attributes:
        ordinals: of the slot of each turn; 0 for a retirement, and where there are no slots.
        turns: the actions of each turn, without seats.
    """

    card_id: UUID
    entrant_id: UUID
    ordinals: tuple[int, ...]
    turns: tuple[Actions, ...]
    luck: Luck

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        luck = self.luck
        return {
            "card": str(self.card_id),
            "holder": str(self.entrant_id),
            "ordinals": list(self.ordinals),
            "turns": [list(turn) for turn in self.turns],
            "start": luck.start,
            "value": luck.value,
            "finished": luck.is_finished,
            "aim": luck.aim,
            "steps": [
                [step.kind, step.turn, step.action_index, step.amount, step.value, step.best] for step in luck.steps
            ],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> CardLuck:
        """Return it from plain data."""
        turns = tuple(map(tuple, data["turns"]))
        steps = tuple(
            Step(kind, turn, index, turns[turn][index], amount, value, best)
            for kind, turn, index, amount, value, best in data["steps"]
        )
        luck = Luck(data["start"], data["value"], data["finished"], steps, data["aim"])
        return cls(UUID(data["card"]), UUID(data["holder"]), tuple(data["ordinals"]), turns, luck)


def compute_card_luck(ruleset: Ruleset, card: FoldedCard, seat: int, limit: TimeLimit) -> CardLuck | None:
    """Return the luck of a seat; None if the game does not tell it, or not in this time.

    Seats that never affect each other can be looked at one by one, as if each were alone.
    """
    played: Sequence[tuple[int, Actions]] = card.list_played_actions(seat)
    turns = [[ruleset.read_action({**action, "seat": 0}, 1) for action in actions] for _ordinal, actions in played]
    luck = get_luck(ruleset, 1, 0, turns, limit)
    if luck is None:
        return None
    without_seats = tuple(
        tuple({name: value for name, value in action.items() if name != "seat"} for action in actions)
        for _ordinal, actions in played
    )
    ordinals = tuple(ordinal for ordinal, _actions in played)
    return CardLuck(card.id, card.entrants[seat].pk, ordinals, without_seats, luck)


@dataclass(frozen=True)
class ContestLuck:
    """The luck of everyone in a contest."""

    cards: Sequence[CardLuck]

    def list_of(self, entrant_id: UUID) -> list[CardLuck]:
        """Return the cards of a bike or player."""
        return [card for card in self.cards if card.entrant_id == entrant_id]
