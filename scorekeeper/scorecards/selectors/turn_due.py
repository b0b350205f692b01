"""The turn that is due in a slot: the card just before it, and what later turns leave open.

Two phones may have noted two stops of one bike in either order, so a slot may have later turns already. The dice of
the turn are played on the state before it; whether a choice can stand is judged with the whole card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from games.core.specs import ActionSpec, Choice
from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.scorecards.entry import WhyNot
from scorekeeper.scorecards.explaining import explain, problem_to_data
from scorekeeper.scorecards.fold import NotedTurn, fold_card
from scorekeeper.scorecards.open_card import OpenCard


def get_state_before(card: OpenCard, slot_id: UUID) -> Any:
    """Return the state of the card just before a slot's turn: the turns before it, in slot order."""
    ordinal = card.contest.ordinal(slot_id)
    before = {
        turn.id: turn
        for turn in card.turns.values()
        if turn.slot_id is not None and card.contest.ordinal(turn.slot_id) < ordinal
    }
    return fold_card(card.contest, before).state


def get_why_not(
    card: OpenCard, slot_id: UUID, actions: Sequence[Mapping[str, Any]], places: Mapping[UUID, str]
) -> WhyNot:
    """Return what says why a choice cannot stand with the turns noted for later slots.

    Args:
        actions: the turn's actions before the choice.
        places: the name of every slot, by id.
    """
    others = {turn.id: turn for turn in card.turns.values() if turn.slot_id != slot_id}
    newcomer = uuid4()

    def why_not(spec: ActionSpec, choice: Choice) -> Sentence | None:
        action = {"type": spec.type, spec.fields[0].name: choice.value}
        turn = NotedTurn(newcomer, slot_id, (*actions, action), card.chain.length + 1)
        for standoff in fold_card(card.contest, {**others, newcomer: turn}).standoffs:
            later = card.turns.get(standoff.turn_id)
            about = None if later is None or later.slot_id is None else places[later.slot_id]
            return explain(card.contest.ruleset.game.key, problem_to_data(standoff.problems[0], about))
        return None

    last = max((card.contest.ordinal(turn.slot_id) for turn in card.turns.values() if turn.slot_id), default=0)
    return why_not if last > card.contest.ordinal(slot_id) else _nothing_later


def _nothing_later(spec: ActionSpec, choice: Choice) -> None:
    return None
