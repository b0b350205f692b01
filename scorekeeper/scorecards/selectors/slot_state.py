"""Which choices of a turn the turns recorded for later slots leave open.

Two phones may have recorded two stops of a bike in either order, so there may already be later turns. The dice of the
turn are played on the state before it; whether a choice is possible is judged with the whole card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from games.core.specs import ActionSpec, Choice
from scorekeeper.ledger.problem_messages import explain, problem_to_data
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.card_state import CardState
from scorekeeper.scorecards.fold import RecordedTurn, fold_card
from scorekeeper.scorecards.turn_form_presenter import ExplainBlockedChoice


def make_blocked_choice_explainer(
    card: CardState, slot_id: UUID, actions: Sequence[Mapping[str, Any]], slot_names: Mapping[UUID, str]
) -> ExplainBlockedChoice:
    """Return a function that explains why a choice is not possible with the turns recorded for later slots.

    Args:
        actions: the turn's actions before the choice.
        slot_names: the name of every slot, by id.
    """
    others = {turn.id: turn for turn in card.turns.values() if turn.slot_id != slot_id}
    new_turn_id = uuid4()

    def why_not(spec: ActionSpec, choice: Choice) -> Sentence | None:
        action = {"type": spec.type, spec.fields[0].name: choice.value}
        turn = RecordedTurn(new_turn_id, slot_id, (*actions, action), card.chain.length + 1)
        for invalid in fold_card(card.contest, {**others, new_turn_id: turn}).invalid_turns:
            later = card.turns.get(invalid.turn_id)
            about = None if later is None or later.slot_id is None else slot_names[later.slot_id]
            return explain(card.contest.ruleset.game.key, problem_to_data(invalid.problems[0], about))
        return None

    last = max((card.contest.get_ordinal(turn.slot_id) for turn in card.turns.values() if turn.slot_id), default=0)
    return why_not if last > card.contest.get_ordinal(slot_id) else _explain_nothing


def _explain_nothing(spec: ActionSpec, choice: Choice) -> None:
    return None
