"""A correction in progress: the decisions made so far, and the actions that the rules no longer allow because of them.

Terms: a *part* is one action of a recorded action, counted from 0. A recorded action has one part, unless a correction
added a missing action to it. A part is *invalid* if the rules do not allow it given the decisions so far.

Nothing here writes: the decisions become the targets of one operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from games.core.replay import replay_from
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import Actions, InvalidTurn, RecordedTurn, TurnChange, Turns, apply_changes
from scorekeeper.scorecards.open_table import OpenTable


@dataclass(frozen=True, slots=True)
class ActionPart:
    """One part of a recorded action."""

    recorded_action: RecordedTurn
    index: int = 0


@dataclass(frozen=True)
class CorrectionDraft:
    """The decisions made so far.

    Attributes:
        decisions: the new actions of each changed action, by its id; an empty tuple voids it.
    """

    table: OpenTable
    decisions: Mapping[UUID, Actions] = field(default_factory=dict)

    @property
    def changes(self) -> list[TurnChange]:
        """The decisions in the form the fold takes, in the order of play."""
        return [
            TurnChange(action_id, self.decisions[action_id] or None)
            for action_id in self.table.turns
            if action_id in self.decisions
        ]

    @classmethod
    def from_changes(cls, table: OpenTable, changes: Iterable[TurnChange]) -> CorrectionDraft:
        """Return the correction that makes these changes."""
        return cls(table, {change.turn_id: change.actions or () for change in changes})

    def get_actions(self, recorded: RecordedTurn) -> Actions:
        """Return the new actions of a recorded action.

        An action that is to be voided keeps its old ones, since it may be kept after all.
        """
        return self.decisions.get(recorded.id) or recorded.actions

    def get_action(self, part: ActionPart) -> Mapping[str, Any]:
        """Return the new action of a part."""
        return self.get_actions(part.recorded_action)[part.index]

    def get_state(self, part: ActionPart) -> Any:
        """Return the state just before a part."""
        return self.table.state_before(
            part.recorded_action.id, self.changes, self.get_actions(part.recorded_action)[: part.index]
        )

    def with_actions(self, recorded: RecordedTurn, actions: Actions) -> CorrectionDraft:
        """Return the correction with these actions instead; the recorded ones undo the decision."""
        decisions = {action_id: current for action_id, current in self.decisions.items() if action_id != recorded.id}
        return CorrectionDraft(
            self.table, decisions if actions == recorded.actions else {**decisions, recorded.id: actions}
        )

    def replace_part(self, part: ActionPart, actions: Actions) -> CorrectionDraft:
        """Return the correction with these actions instead of a part; no actions void the part."""
        current = self.get_actions(part.recorded_action)
        return self.with_actions(part.recorded_action, current[: part.index] + actions + current[part.index + 1 :])

    def insert_before(self, part: ActionPart, actions: Actions) -> CorrectionDraft:
        """Return the correction with these actions inserted before a part.

        If the preceding action is changed too, they are added to that one, to keep related changes together.
        """
        before = self._get_preceding(part)
        if before is not None and self.decisions.get(before.id):
            return self.with_actions(before, self.decisions[before.id] + actions)
        current = self.get_actions(part.recorded_action)
        return self.with_actions(part.recorded_action, current[: part.index] + actions + current[part.index :])

    def _get_preceding(self, part: ActionPart) -> RecordedTurn | None:
        """Return the recorded action before this one, if the part is the first of its action."""
        order = list(self.table.turns.values())
        position = order.index(part.recorded_action)
        return None if part.index or not position else order[position - 1]

    def list_invalid(self) -> list[InvalidTurn]:
        """Return the actions that the rules then forbid, each checked with the invalid ones before it left out."""
        after = apply_changes(self.table.turns, self.changes, self.table.length + 1)
        return list(_list_invalid_actions(self.table.contest, self.table.seat_count, after))

    def void_parts(self, invalid_actions: Iterable[InvalidTurn]) -> CorrectionDraft:
        """Return the correction with these parts voided."""
        correction = self
        for invalid in sorted(invalid_actions, key=lambda invalid: -invalid.action_index):
            correction = correction.replace_part(
                ActionPart(self.table.turns[invalid.turn_id], invalid.action_index), ()
            )
        return correction

    def list_possible_causes(self, part: ActionPart) -> list[UUID]:
        """Return the other actions that may have made a part invalid: from the first changed one up to the part."""
        order = list(self.table.turns)
        first = min((order.index(action_id) for action_id in self.decisions), default=len(order))
        return order[first : order.index(part.recorded_action.id)]


def _list_invalid_actions(contest: ContestRules, seats: int, turns: Turns) -> Iterator[InvalidTurn]:
    """Return every action that the rules do not allow, each checked with the invalid ones before it left out."""
    ruleset = contest.ruleset
    state = ruleset.game.start(ruleset, seats)
    for recorded in turns.values():
        for part, action in enumerate(recorded.actions):
            replay = replay_from(ruleset, state, [action])
            if replay.failure:
                yield InvalidTurn(recorded.id, replay.problems, part)
            state = replay.state
