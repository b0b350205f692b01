"""From the chain of a table's card to the state of the game.

Terms: a *noted action* is what the log says was noted by one operation, perhaps amended since; they stand in the order
in which they were first noted, whatever was corrected later. The fold plays them all from the start, and stops at the
first that cannot stand, so that a damaged card still opens as far as it goes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.core.problems import NO_CLAUSE, Malformed, Problem, is_blocked
from scorekeeper.scorecards.fold import Standoff, Turns
from scorekeeper.scorecards.played import PlayedContest


@dataclass(frozen=True, slots=True)
class TableFold:
    """A card played by the rules.

    Attributes:
        state: after the last action that stands.
        played: how many noted actions stand.
        standoff: the first noted action that cannot stand, and why; nothing after it was played.
    """

    state: Any
    played: int
    standoff: Standoff | None = None


def fold_table(contest: PlayedContest, seats: int, noted: Turns) -> TableFold:
    """Play the noted actions of a card, in their order."""
    game = contest.ruleset.game
    state = game.start(contest.ruleset, seats)
    for number, one in enumerate(noted.values()):
        after, problems = play_actions(contest, state, seats, one.actions)
        if problems:
            return TableFold(state, number, Standoff(one.id, problems))
        state = after
    return TableFold(state, len(noted))


def play_actions(
    contest: PlayedContest, state: Any, seats: int, actions: tuple[Mapping[str, Any], ...]
) -> tuple[Any, tuple[Problem, ...]]:
    """Play actions given as plain data; return the state after them, and what blocks the first that cannot be."""
    game = contest.ruleset.game
    for index, data in enumerate(actions):
        try:
            action = contest.ruleset.read_action(data, seats, f"actions[{index}]")
        except Malformed as malformed:
            return state, (as_problem(malformed),)
        problems = game.problems(state, action)
        if is_blocked(problems):
            return state, problems
        state = game.apply(state, action)
    return state, ()


def as_problem(malformed: Malformed) -> Problem:
    """Return what cannot be read as a problem, so that it is shown like the others."""
    return Problem("malformed", NO_CLAUSE, malformed.text, malformed.field, params=malformed.params)
