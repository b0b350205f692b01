"""Replays the recorded actions of a table to get the state of the game.

Terms: a *recorded action* is what one operation recorded, with any later amendments. Recorded actions keep the order in
which they were first recorded, whatever was corrected later. The fold plays all of them from the start and stops at the
first invalid one, so a damaged table still opens up to that point.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.core.replay import replay_from
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.fold import InvalidTurn, Turns


@dataclass(frozen=True, slots=True)
class TableFold:
    """The result of playing a table's actions by the rules.

    Attributes:
        state: after the last valid action.
        applied_count: how many recorded actions were played.
        invalid_action: the first recorded action that the rules do not allow, and why; nothing after it was played.
    """

    state: Any
    applied_count: int
    invalid_action: InvalidTurn | None = None


def fold_table(contest: ContestRules, seats: int, recorded_actions: Turns) -> TableFold:
    """Play the recorded actions of a table, in order."""
    ruleset = contest.ruleset
    state = ruleset.game.start(ruleset, seats)
    for number, recorded in enumerate(recorded_actions.values()):
        replay = replay_from(ruleset, state, recorded.actions)
        if replay.failure:
            return TableFold(state, number, InvalidTurn(recorded.id, replay.problems, replay.applied))
        state = replay.state
    return TableFold(state, len(recorded_actions))


def list_invalid_actions(contest: ContestRules, seats: int, recorded_actions: Turns) -> Iterator[InvalidTurn]:
    """Return every action that the rules do not allow, each checked with the invalid ones before it left out."""
    ruleset = contest.ruleset
    state = ruleset.game.start(ruleset, seats)
    for recorded in recorded_actions.values():
        for part, action in enumerate(recorded.actions):
            replay = replay_from(ruleset, state, [action])
            if replay.failure:
                yield InvalidTurn(recorded.id, replay.problems, part)
            state = replay.state
