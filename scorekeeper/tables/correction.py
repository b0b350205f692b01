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

from scorekeeper.scorecards.fold import Actions, Change, NotedTurn, Standoff, apply_changes
from scorekeeper.scorecards.services.corrections import Target
from scorekeeper.tables.fold import list_standoffs
from scorekeeper.tables.open_table import OpenTable


@dataclass(frozen=True, slots=True)
class ActionPart:
    """One part of a noted action."""

    one: NotedTurn
    index: int = 0


@dataclass(frozen=True)
class Correction:
    """What is decided so far.

    Attributes:
        decided: the actions that each changed action is to have; none voids it.
    """

    table: OpenTable
    decided: Mapping[UUID, Actions] = field(default_factory=dict)

    @property
    def changes(self) -> list[Change]:
        """The decisions as the fold takes them, in the order of the play."""
        return [Change(one, self.decided[one] or None) for one in self.table.noted if one in self.decided]

    @property
    def targets(self) -> list[Target]:
        """The decisions as an operation takes them."""
        return [Target(one.turn_id, self.table.noted[one.turn_id].seq, one.actions) for one in self.changes]

    def get_actions(self, one: NotedTurn) -> Actions:
        """Return what a noted action is to be; what it was, where it is to be voided and might be kept after all."""
        return self.decided.get(one.id) or one.actions

    def get_action(self, part: ActionPart) -> Mapping[str, Any]:
        """Return what a part is to be."""
        return self.get_actions(part.one)[part.index]

    def get_state(self, part: ActionPart) -> Any:
        """Return the state in which a part is played."""
        return self.table.state_before(part.one.id, self.changes, self.get_actions(part.one)[: part.index])

    def decide(self, one: NotedTurn, actions: Actions) -> Correction:
        """Return the correction with these actions instead; with those that were noted, nothing is changed."""
        decided = {action_id: known for action_id, known in self.decided.items() if action_id != one.id}
        return Correction(self.table, decided if actions == one.actions else {**decided, one.id: actions})

    def replace(self, part: ActionPart, actions: Actions) -> Correction:
        """Return the correction with these actions instead of a part; without any, the part is voided."""
        known = self.get_actions(part.one)
        return self.decide(part.one, known[: part.index] + actions + known[part.index + 1 :])

    def add(self, part: ActionPart, actions: Actions) -> Correction:
        """Return the correction with these actions before a part: added to the action before it if that is changed
        too, so that what belongs together stays together."""
        before = self._get_before(part)
        if before is not None and self.decided.get(before.id):
            return self.decide(before, self.decided[before.id] + actions)
        known = self.get_actions(part.one)
        return self.decide(part.one, known[: part.index] + actions + known[part.index :])

    def _get_before(self, part: ActionPart) -> NotedTurn | None:
        """Return the noted action before a part that begins one."""
        order = list(self.table.noted.values())
        place = order.index(part.one)
        return None if part.index or not place else order[place - 1]

    def list_in_the_way(self) -> list[Standoff]:
        """Return what the rules then forbid, each once those before it are left out; nothing where all is allowed."""
        after = apply_changes(self.table.noted, self.changes, self.table.length + 1)
        return list(list_standoffs(self.table.contest, self.table.seats, after))

    def leave_out(self, standoffs: Iterable[Standoff]) -> Correction:
        """Return the correction with these parts voided."""
        correction = self
        for standoff in sorted(standoffs, key=lambda one: -one.part):
            correction = correction.replace(ActionPart(self.table.noted[standoff.turn_id], standoff.part), ())
        return correction

    def list_others(self, part: ActionPart) -> list[UUID]:
        """Return the other actions that a part may be in the way of: all from the first that is changed up to it."""
        order = list(self.table.noted)
        first = min((order.index(one) for one in self.decided), default=len(order))
        return order[first : order.index(part.one.id)]
