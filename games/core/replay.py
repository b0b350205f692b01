"""Replay: rebuild a state from a log.

`replay` plays a list of JSON actions from the start, `replay_from` from any state. Both stop at the first action that
fails, so that a damaged log can still be read up to that point. `fold_turns` plays whole turns, each a list of
actions, and reports the invalid ones; scorecards of games recorded by turn use it.
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
        state: the state after the last action that was applied.
        applied: how many actions were applied.
        failure: why the replay stopped: problems, or a malformed action. None if all actions were applied.
    """

    state: Any
    applied: int
    failure: tuple[Problem, ...] | Malformed | None = None

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why the replay stopped, as problems; empty if all actions were applied."""
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
    """An invalid turn: its index, the index of the action that failed, and why."""

    turn: int
    action: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class TurnFold:
    """The result of folding a card turn by turn: the state, and the invalid turns that were skipped.

    Attributes:
        states_before: the state before each turn, in their order.
    """

    state: Any
    failures: tuple[TurnFailure, ...] = ()
    states_before: tuple[Any, ...] = ()


def fold_turns(ruleset: Ruleset, turns: Sequence[Sequence[Action]], state: Any = None) -> TurnFold:
    """Play one seat's turns in the given order. An invalid turn is skipped as a whole and reported.

    Retiring ends a turn too: a turn may consist of `retire` alone, or of some rolls followed by `retire`. What closes a
    card after its last turn, such as a bought card, belongs to that turn (`Game.closing_types`).

    Args:
        state: the state of the card before the turns; by default that of a new card.
    """
    if state is None:
        state = ruleset.game.start(ruleset, 1)
    failures = []
    states_before = []
    for number, actions in enumerate(turns):
        states_before.append(state)
        after, failure = _play_turn(ruleset, state, number, actions)
        if failure is None:
            state = after
        else:
            failures.append(failure)
    return TurnFold(state, tuple(failures), tuple(states_before))


def _play_turn(ruleset: Ruleset, state: Any, number: int, actions: Sequence[Action]) -> tuple[Any, TurnFailure | None]:
    game = ruleset.game
    before = len(game.turns(state, 0))
    ended = False
    for index, action in enumerate(actions):
        if ended and action.type not in game.closing_types:
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
