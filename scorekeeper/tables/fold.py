"""From the chain of a table's card to the state of the game.

Terms: a *noted action* is what the log says was noted by one operation, perhaps amended since; they stand in the order
in which they were first noted, whatever was corrected later. The fold plays them all from the start, and stops at the
first that cannot stand, so that a damaged card still opens as far as it goes.
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
    """A card played by the rules.

    Attributes:
        state: after the last action that stands.
        played: how many noted actions stand.
        standoff: the first noted action that cannot stand, and why; nothing after it was played.
    """

    state: Any
    applied_count: int
    invalid_action: InvalidTurn | None = None


def fold_table(contest: ContestRules, seats: int, noted: Turns) -> TableFold:
    """Play the noted actions of a card, in their order."""
    ruleset = contest.ruleset
    state = ruleset.game.start(ruleset, seats)
    for number, one in enumerate(noted.values()):
        played = replay_from(ruleset, state, one.actions)
        if played.failure:
            return TableFold(state, number, InvalidTurn(one.id, played.problems, played.applied))
        state = played.state
    return TableFold(state, len(noted))


def list_invalid_actions(contest: ContestRules, seats: int, noted: Turns) -> Iterator[InvalidTurn]:
    """Return every action that could not stand if those before it that cannot were left out."""
    ruleset = contest.ruleset
    state = ruleset.game.start(ruleset, seats)
    for one in noted.values():
        for part, action in enumerate(one.actions):
            played = replay_from(ruleset, state, [action])
            if played.failure:
                yield InvalidTurn(one.id, played.problems, part)
            state = played.state
