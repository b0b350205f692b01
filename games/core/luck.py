"""Luck: what the throws of one seat brought and what its choices cost, from its recorded actions and the game's odds.

Terms: the *value* is the expected final total under best play from a moment on. A *throw* brings the value after it
less the value of the choice that led to it. A *choice* costs the value of the best choice less its own. A *missed*
turn, or retiring, brings the change of value. So does an *unsplit* action, which says how something ended but not by
which throws and choices: final dice without their rolls, or a turn from a paper card.

Invariants, for a game in which a high total is good:
- value now = value at the start + luck - loss + unsplit + missed; for a seat that is through, that is its total. Where
  a low total is good, the four amounts count the other way round. A positive amount of luck is always good.
- A loss is never negative. Whatever a seat chooses, its luck is 0 on average.
- The figures depend on the rules and the actions, and on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import fsum
from typing import Any, Literal, NamedTuple

from games.core.actions import Action, Retire
from games.core.game import Ruleset
from games.core.odds import Aim, Choice, Odds, Wanted, find_best
from games.core.time_limit import TimeLimit

StepKind = Literal["throw", "choice", "unsplit", "missed"]

DECIMALS = 1  # of every figure that is shown


class Step(NamedTuple):
    """One amount of a card.

    Attributes:
        kind: what brought it.
        turn: the index of the turn.
        action_index: the index of the action in the turn. An action may be a choice and then a throw.
        action: the action as in a transcript, without its seat.
        amount: what it brought; for a choice, what it cost.
        value: the value after it.
        best: the best choice, without what chance decides, where another one was made; None elsewhere.
    """

    kind: StepKind
    turn: int
    action_index: int
    action: Mapping[str, Any]
    amount: float
    value: float
    best: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Luck:
    """The luck of one seat.

    Attributes:
        start: the value before anything.
        value: the value now.
        is_finished: whether the seat is through, so that the value is its total.
        steps: in the order of the actions.
        aim: whether a high or a low value is good.
    """

    start: float
    value: float
    is_finished: bool
    steps: tuple[Step, ...]
    aim: Aim = "high"

    def add_up(self, kind: StepKind, turn: int | None = None) -> float:
        """Return the sum of the amounts of a kind; of one turn or, for None, of all."""
        return fsum(step.amount for step in self.steps if step.kind == kind and turn in (None, step.turn))

    @property
    def unsplit_turns(self) -> tuple[int, ...]:
        """The turns whose luck is not known, because their rolls were not recorded one by one."""
        return tuple(sorted({step.turn for step in self.steps if step.kind == "unsplit"}))

    @property
    def is_recorded(self) -> bool:
        """Whether enough is recorded to tell the luck: the seat is through, and no turn is unsplit."""
        return self.is_finished and not self.unsplit_turns

    def balance(self) -> Balance:
        """Return the figures as they are shown, which add up to the last digit."""
        sign = 1 if self.aim == "high" else -1
        start, total = round_figure(self.start), round_figure(self.value)
        loss, unsplit, missed = (round_figure(self.add_up(kind)) for kind in ("choice", "unsplit", "missed"))
        luck = round_figure(self.add_up("throw"))
        # What rounding left over belongs to what is not known by itself, or else to luck: it has the most parts.
        rest = sign * (total - start) - (luck - loss + unsplit + missed)
        if self.unsplit_turns:
            unsplit += rest
        else:
            luck += rest
        return Balance(start, luck, loss, unsplit, missed, total, total - sign * luck)


class Balance(NamedTuple):
    """The figures of a card with `DECIMALS` decimals: total = start + luck - loss + unsplit + missed, exactly.

    Attributes:
        adjusted: the total less the luck.
    """

    start: Decimal
    luck: Decimal
    loss: Decimal
    unsplit: Decimal
    missed: Decimal
    total: Decimal
    adjusted: Decimal


def round_figure(figure: float) -> Decimal:
    """Return a figure as it is shown; never -0."""
    return Decimal(repr(figure)).quantize(Decimal(1).scaleb(-DECIMALS)) + 0


def get_luck(
    ruleset: Ruleset,
    seats: int,
    seat: int,
    turns: Sequence[Sequence[Action]],
    limit: TimeLimit | None = None,
) -> Luck | None:
    """Return the luck of one seat.

    Args:
        ruleset: the game with its options.
        seats: how many seats there are.
        turns: the actions of all seats, in order, as the rules allow them; turn by turn where a card has turns.
        limit: when to give up.

    Returns:
        None for a game that does not tell the odds of totals, whose seats affect each other, or whose odds take too
        long.
    """
    game = ruleset.game
    if not game.tells_luck:
        return None
    wanted = Wanted(limit=limit or TimeLimit())
    state = game.start(ruleset, seats)
    odds = game.odds(state, seat, wanted)
    if odds is None or odds.value is None:
        return None
    start, steps = odds.value, []
    for number, actions in enumerate(turns):
        for index, action in enumerate(actions):
            before, state = state, game.apply(state, action)
            if action.seat != seat:
                continue
            after = game.odds(state, seat, wanted)
            if after is None or after.value is None:
                return None
            move = _Move(ruleset, seat, before, action, state)
            steps += [
                Step(kind, number, index, move.written, amount, value, best)
                for kind, amount, value, best in _split(move, odds, after)
            ]
            odds = after
    assert odds.value is not None, "checked after every action"
    return Luck(start, odds.value, odds.node == "done", tuple(steps), odds.aim)


@dataclass(frozen=True)
class _Move:
    """An action of the seat, and the states before and after it."""

    ruleset: Ruleset
    seat: int
    before: Any
    action: Action
    after: Any

    @property
    def written(self) -> dict[str, Any]:
        """The action as in a transcript, without its seat."""
        written = self.ruleset.write_action(self.action)
        written.pop("seat", None)
        return written

    @property
    def is_missed(self) -> bool:
        """Whether it gives up a turn or all that are left."""
        if isinstance(self.action, Retire):
            return True
        game = self.ruleset.game
        turns = game.turns(self.after, self.seat)
        return len(turns) > len(game.turns(self.before, self.seat)) and turns[-1].how == "missed"

    def find_choice(self, choices: Sequence[Choice]) -> int | None:
        """Return the index of the choice that the action makes; None if it is only a way to record."""
        written = self.written
        defaults = self.ruleset.types[self.action.type].defaults
        full = {**{name: value for name, value in defaults.items() if value is not None}, **written}
        for index, choice in enumerate(choices):
            if all(name in full and _sort(full[name]) == _sort(value) for name, value in choice.action.items()):
                return index
        return None

    def is_throw(self, choice: Choice) -> bool:
        """Whether chance decided a part of the action."""
        return not self.written.keys() <= choice.action.keys()


def _sort(value: Any) -> Any:
    """Return dice in one order, whatever order they were recorded in."""
    return sorted(value, key=str) if isinstance(value, (list, tuple)) else value


def _split(move: _Move, odds: Odds, after: Odds) -> Iterator[tuple[StepKind, float, float, Mapping[str, Any] | None]]:
    """Yield what an action brought: its kind, the amount, the value after it, and the best choice if it was another.

    Args:
        odds, after: the odds before and after the action.
    """
    assert odds.value is not None, "the caller has checked"
    assert after.value is not None, "the caller has checked"
    sign = 1 if odds.aim == "high" else -1
    index = None if move.is_missed else move.find_choice(odds.choices)
    if index is None:
        yield ("missed" if move.is_missed else "unsplit"), sign * (after.value - odds.value), after.value, None
        return
    chosen = odds.choices[index]
    assert chosen.value is not None, "where a node has a value, its choices have one"
    if len(odds.choices) > 1:
        values = [choice.value for choice in odds.choices if choice.value is not None]
        best = None if index in odds.best else odds.choices[find_best(values, odds.aim)].action
        yield "choice", odds.losses[index], chosen.value, best
    if move.is_throw(chosen):
        yield "throw", sign * (after.value - chosen.value), after.value, None
