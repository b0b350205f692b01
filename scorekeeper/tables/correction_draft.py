"""A correction while it is put together: what is decided about each action so far, and what the rules then forbid.

Terms: a *part* is one action of a noted action, counted from 0. A noted action has one part, unless a correction added
what had been left out. A part that is *in the way* is not allowed with what is decided so far.

Nothing here writes: the decisions become the targets of one operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from scorekeeper.scorecards.fold import Actions, InvalidTurn, RecordedTurn, TurnChange, apply_changes
from scorekeeper.scorecards.services.corrections import CorrectionTarget
from scorekeeper.tables.fold import list_invalid_actions
from scorekeeper.tables.open_table import OpenTable


@dataclass(frozen=True, slots=True)
class ActionPart:
    """One part of a noted action."""

    recorded_action: RecordedTurn
    index: int = 0


@dataclass(frozen=True)
class CorrectionDraft:
    """What is decided so far.

    Attributes:
        decided: the actions that each changed action is to have; none voids it.
    """

    table: OpenTable
    decisions: Mapping[UUID, Actions] = field(default_factory=dict)

    @property
    def changes(self) -> list[TurnChange]:
        """The decisions as the fold takes them, in the order of the play."""
        return [
            TurnChange(one, self.decisions[one] or None) for one in self.table.recorded_actions if one in self.decisions
        ]

    @property
    def targets(self) -> list[CorrectionTarget]:
        """The decisions as an operation takes them."""
        return [
            CorrectionTarget(one.turn_id, self.table.recorded_actions[one.turn_id].seq, one.actions)
            for one in self.changes
        ]

    def get_actions(self, one: RecordedTurn) -> Actions:
        """Return what a noted action is to be; what it was, where it is to be voided and might be kept after all."""
        return self.decisions.get(one.id) or one.actions

    def get_action(self, part: ActionPart) -> Mapping[str, Any]:
        """Return what a part is to be."""
        return self.get_actions(part.recorded_action)[part.index]

    def get_state(self, part: ActionPart) -> Any:
        """Return the state in which a part is played."""
        return self.table.state_before(
            part.recorded_action.id, self.changes, self.get_actions(part.recorded_action)[: part.index]
        )

    def with_actions(self, one: RecordedTurn, actions: Actions) -> CorrectionDraft:
        """Return the correction with these actions instead; with those that were noted, nothing is changed."""
        decided = {action_id: known for action_id, known in self.decisions.items() if action_id != one.id}
        return CorrectionDraft(self.table, decided if actions == one.actions else {**decided, one.id: actions})

    def replace_part(self, part: ActionPart, actions: Actions) -> CorrectionDraft:
        """Return the correction with these actions instead of a part; without any, the part is voided."""
        known = self.get_actions(part.recorded_action)
        return self.with_actions(part.recorded_action, known[: part.index] + actions + known[part.index + 1 :])

    def insert_before(self, part: ActionPart, actions: Actions) -> CorrectionDraft:
        """Return the correction with these actions before a part: added to the action before it if that is changed
        too, so that what belongs together stays together."""
        before = self._get_preceding(part)
        if before is not None and self.decisions.get(before.id):
            return self.with_actions(before, self.decisions[before.id] + actions)
        known = self.get_actions(part.recorded_action)
        return self.with_actions(part.recorded_action, known[: part.index] + actions + known[part.index :])

    def _get_preceding(self, part: ActionPart) -> RecordedTurn | None:
        """Return the noted action before a part that begins one."""
        order = list(self.table.recorded_actions.values())
        place = order.index(part.recorded_action)
        return None if part.index or not place else order[place - 1]

    def list_invalid(self) -> list[InvalidTurn]:
        """Return what the rules then forbid, each once those before it are left out; nothing where all is allowed."""
        after = apply_changes(self.table.recorded_actions, self.changes, self.table.length + 1)
        return list(list_invalid_actions(self.table.contest, self.table.seats, after))

    def void_parts(self, standoffs: Iterable[InvalidTurn]) -> CorrectionDraft:
        """Return the correction with these parts voided."""
        correction = self
        for standoff in sorted(standoffs, key=lambda one: -one.action_index):
            correction = correction.replace_part(
                ActionPart(self.table.recorded_actions[standoff.turn_id], standoff.action_index), ()
            )
        return correction

    def list_possible_causes(self, part: ActionPart) -> list[UUID]:
        """Return the other actions that a part may be in the way of: all from the first that is changed up to it."""
        order = list(self.table.recorded_actions)
        first = min((order.index(one) for one in self.decisions), default=len(order))
        return order[first : order.index(part.recorded_action.id)]
