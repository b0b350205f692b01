"""Which choices and cards of a turn the turns recorded for later slots leave open.

Two phones may have recorded two stops of a bike in either order, so there may already be later turns. The dice of the
turn are played on the state before it; whether a choice is possible is judged with the whole card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid4

from games.core.specs import ActionSpec, Choice, DrawField
from scorekeeper.ledger.problem_messages import explain
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.fold import fold_card
from scorekeeper.scorecards.offers import list_offers
from scorekeeper.scorecards.turn_form_presenter import ExplainBlockedChoice


def make_blocked_choice_explainer(
    card: BikeCard, slot_id: UUID, actions: Sequence[Mapping[str, Any]]
) -> ExplainBlockedChoice:
    """Return a function that explains why a choice is not possible with the turns recorded for later slots.

    Args:
        actions: the turn's actions before the choice.
    """

    def why_not(spec: ActionSpec, choice: Choice) -> Sentence | None:
        action = {"type": spec.type, spec.fields[0].name: choice.value}
        problems = card.judge_turn(uuid4(), (*actions, action), slot_id).problems
        return explain(card.contest.ruleset.game.key, problems[0]) if problems else None

    last = max((card.contest.get_ordinal(turn.slot_id) for turn in card.turns.values() if turn.slot_id), default=0)
    return why_not if last > card.contest.get_ordinal(slot_id) else _explain_nothing


def find_cards_of_others(card: BikeCard, slot_id: UUID) -> DrawField | None:
    """Return the cards that could still be drawn if the turn of a slot came after all others of its card.

    None if there is no later turn, or if the game has no cards to draw then.
    """
    own, ordinal = card.get_turn(slot_id), card.contest.get_ordinal(slot_id)
    others = {turn.id: turn for turn in card.turns.values() if turn is not own and turn.slot_id is not None}
    if all(card.contest.get_ordinal(turn.slot_id) < ordinal for turn in others.values() if turn.slot_id):
        return None
    offers = list_offers(card.contest.ruleset.game, fold_card(card.contest, others).state)
    return next((offer.entry_field for offer in offers if isinstance(offer.entry_field, DrawField)), None)


def _explain_nothing(spec: ActionSpec, choice: Choice) -> None:
    return None
