"""Reading the luck of a contest for programs: with a state that says why there may be none."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from games.core.luck import Balance, Step
from scorekeeper.api.contest_results import ResultLuck
from scorekeeper.audience.luck import LuckNotVisible, enqueue_luck
from scorekeeper.events.models import Contest
from scorekeeper.standings.card_luck import CardLuck

LuckState = Literal["none", "pending", "ready"]


class PlacedStep(NamedTuple):
    """A step, and the ordinal of the slot of its turn; 0 where there is none."""

    turn: int
    step: Step


class CardSums(NamedTuple):
    """A card with its sums, which have one decimal as on every page and add up to the total.

    Attributes:
        adjusted: the total without luck; None if not enough is recorded.
    """

    card: CardLuck
    balance: Balance
    is_recorded: bool
    adjusted: Decimal | None
    steps: Sequence[PlacedStep]


class ScorecardLuck(NamedTuple):
    """The luck of everyone on a scorecard."""

    state: LuckState
    seats: Sequence[CardSums]


class LuckTable(NamedTuple):
    """The luck-adjusted table of a contest; no rows unless the state is "ready"."""

    contest: Contest
    state: LuckState
    luck: Sequence[ResultLuck]


def add_up(card: CardLuck) -> CardSums:
    """Return a card with its sums."""
    luck, balance = card.luck, card.luck.balance()
    steps = [PlacedStep(card.ordinals[step.turn], step) for step in luck.steps]
    return CardSums(card, balance, luck.is_recorded, balance.adjusted if luck.is_recorded else None, steps)


def read_luck(contest: Contest, *, is_for_organisers: bool) -> tuple[LuckState, Sequence[CardLuck]]:
    """Return the luck of everyone in a contest; nothing unless it may be shown and is computed."""
    try:
        luck = enqueue_luck(contest, is_for_organisers=is_for_organisers)
    except LuckNotVisible:
        return "none", ()
    return ("pending", ()) if luck is None else ("ready", luck.cards)
