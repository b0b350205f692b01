"""Replay: from a log back to a state.

`replay` plays a list of JSON actions from the start, `play_on` from any state; both stop at the first that fails, so
that a damaged log still opens as far as it goes. `fold_turns` plays whole turns, each of them a list of actions, and
says which of them cannot stand; it is what a scorecard recorded by turn is folded with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.core.actions import Action, Retire
from games.core.game import Ruleset
from games.core.problems import Malformed, Problem, is_blocked
from games.core.text import gettext_noop

NOT_ONE_TURN = gettext_noop("Record one whole turn at a time: from the first roll to the box, and nothing after it.")


@dataclass(frozen=True, slots=True)
class Replay:
    """How far a log could be played.

    Attributes:
        state: after the last action that applied.
        applied: how many applied.
        failure: what stopped the replay: problems, or a malformed action; None when all applied.
    """

    state: Any
    applied: int
    failure: tuple[Problem, ...] | Malformed | None = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What stopped the replay, as problems; empty when all applied."""
        if isinstance(self.failure, Malformed):
            return (self.failure.as_problem(),)
        return self.failure or ()


def replay(ruleset: Ruleset, seats: int, actions: Sequence[object]) -> Replay:
    """Play the actions from the start until the end or the first failure."""
    return replay_from(ruleset, ruleset.game.start(ruleset, seats), actions)


def replay_from(ruleset: Ruleset, state: Any, actions: Sequence[object]) -> Replay:
    """Play the actions from a state until the end or the first failure."""
    game = ruleset.game
    seats = game.seats(state)
    for index, data in enumerate(actions):
        try:
            action = ruleset.read_action(data, seats, f"actions[{index}]")
        except Malformed as malformed:
            return Replay(state, index, malformed)
        found = game.problems(state, action)
        if found and is_blocked(found):
            return Replay(state, index, found)
        state = game.apply(state, action)
    return Replay(state, len(actions))


@dataclass(frozen=True, slots=True)
class TurnFailure:
    """A turn that cannot stand where it is: which one, which of its actions, and why."""

    turn: int
    action: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class TurnFold:
    """A card folded turn by turn: the state, and the turns left out because they cannot stand."""

    state: Any
    failures: tuple[TurnFailure, ...] = ()


def fold_turns(ruleset: Ruleset, turns: Sequence[Sequence[Action]], state: Any = None) -> TurnFold:
    """Play one seat's turns in the order given. A turn that cannot stand is left out whole and named.

    Retiring ends a turn too: `retire` may stand alone, or after the rolls of a turn that nobody finished.

    Args:
        state: that of the card before the turns; a fresh card's when left out.
    """
    if state is None:
        state = ruleset.game.start(ruleset, 1)
    failures = []
    for number, actions in enumerate(turns):
        after, failure = _play_turn(ruleset, state, number, actions)
        if failure is None:
            state = after
        else:
            failures.append(failure)
    return TurnFold(state, tuple(failures))


def _play_turn(ruleset: Ruleset, state: Any, number: int, actions: Sequence[Action]) -> tuple[Any, TurnFailure | None]:
    game = ruleset.game
    before = len(game.turns(state, 0))
    ended = False
    for index, action in enumerate(actions):
        if ended:
            return state, TurnFailure(number, index, (_make_not_one_turn(),))
        found = game.problems(state, action)
        if found and is_blocked(found):
            return state, TurnFailure(number, index, found)
        state = game.apply(state, action)
        ended = len(game.turns(state, 0)) > before or type(action) is Retire
    if not ended:
        return state, TurnFailure(number, max(len(actions) - 1, 0), (_make_not_one_turn(),))
    return state, None


def _make_not_one_turn() -> Problem:
    return Problem("not_one_turn", "TABLE-1", NOT_ONE_TURN)
