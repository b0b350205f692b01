"""Reading the luck of a contest for programs: with a state that says why there may be none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from games.core.luck import Luck
from games.core.odds import DECIMALS
from scorekeeper.audience.luck import LuckNotVisible, enqueue_luck
from scorekeeper.events.models import Contest
from scorekeeper.standings.card_luck import CardLuck

LuckState = Literal["none", "pending", "ready"]


def make_balance_data(luck: Luck) -> dict[str, Any]:
    """Return the sums of a card with one decimal, as on every page; they add up to the total."""
    balance = luck.balance()
    return {
        "recorded": luck.is_recorded,
        "value": float(balance.start),
        "luck": float(balance.luck),
        "loss": float(balance.loss),
        "unsplit": float(balance.unsplit),
        "missed": float(balance.missed),
        "total": float(balance.total),
        "adjusted": float(balance.adjusted) if luck.is_recorded else None,
    }


def make_card_luck_data(card: CardLuck) -> dict[str, Any]:
    """Return one entrant's card with all steps. The figures of a step are those of the command, not rounded further."""
    steps = [
        {
            "turn": card.ordinals[step.turn],
            "kind": step.kind,
            "action": dict(step.action),
            "amount": _round(step.amount),
            "value": _round(step.value),
            "best": None if step.best is None else dict(step.best),
        }
        for step in card.luck.steps
    ]
    return {"card": str(card.card_id), "holder": str(card.entrant_id), **make_balance_data(card.luck), "steps": steps}


def _round(figure: float) -> float:
    return round(figure, DECIMALS) + 0.0  # never -0.0


def read_luck(contest: Contest, *, is_for_organisers: bool) -> tuple[LuckState, Sequence[CardLuck]]:
    """Return the luck of everyone in a contest; nothing unless it may be shown and is computed."""
    try:
        luck = enqueue_luck(contest, is_for_organisers=is_for_organisers)
    except LuckNotVisible:
        return "none", ()
    return ("pending", ()) if luck is None else ("ready", luck.cards)
