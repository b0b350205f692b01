"""The last turn of a card that something can follow, such as a bought card (`Game.closing_types`).

Terms: an *end* is an action of these types without fields, which says that nothing follows. A *sale* is a change that
only adds actions of these types behind the turn's own, perhaps in place of an end; it is no correction.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from games.core.replay import replay_from
from scorekeeper.scorecards.bike_card import BikeCard
from scorekeeper.scorecards.fold import Actions, RecordedTurn, sort_by_slot

OWN_PARTS = {"type", "seat"}  # of every action


@dataclass(frozen=True)
class OpenTurn:
    """A last turn that something can follow.

    Attributes:
        actions: its actions, without the one that said that nothing follows.
        state: of the card before it.
    """

    turn: RecordedTurn
    actions: Actions
    state: Any


def find_open_turn(card: BikeCard) -> OpenTurn | None:
    """Return the last turn of a card if something can follow it; None if turns are missing, or all cards are bought."""
    ruleset = card.contest.ruleset
    closing_types = ruleset.game.closing_types
    if not closing_types or card.damaged_from is not None or card.get_turn(None) is not None:
        return None
    if len(card.fold.results) < card.contest.slot_count:
        return None
    turn = sort_by_slot(card.contest, card.turns)[-1]
    assert turn.slot_id is not None, "the card has no retirement"
    actions = _drop_end(turn.actions, closing_types)
    state = card.get_state_before(turn.slot_id)
    reached = replay_from(ruleset, state, actions).state
    if all(spec.type not in closing_types for spec in ruleset.game.legal_actions(reached, 0)):
        return None
    return OpenTurn(turn, actions, state)


def list_sold(before: RecordedTurn, after: RecordedTurn, closing_types: Collection[str]) -> Actions | None:
    """Return what a sale added to a turn, nothing if it only took an end away; None if the change is no sale."""
    kept = _drop_end(before.actions, closing_types)
    own, added = after.actions[: len(kept)], after.actions[len(kept) :]
    is_sale = (before.slot_id, own) == (after.slot_id, kept) and before.actions != after.actions
    return added if is_sale and all(action["type"] in closing_types for action in added) else None


def list_sold_cards(sold: Actions) -> list[Any]:
    """Return the cards among what was sold; none if it only says that nothing follows."""
    return [value for action in sold for name, value in action.items() if name not in OWN_PARTS]


def _drop_end(actions: Actions, closing_types: Collection[str]) -> Actions:
    last: Mapping[str, Any] = actions[-1] if actions else {}
    is_over = last.get("type") in closing_types and last.keys() <= OWN_PARTS
    return actions[:-1] if is_over else actions
