"""The odds of one card, put together from values and chances.

Choices are listed in the order that settles ties: boxes in the order of the card, then what can be kept, more dice
first and then smaller faces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any, Protocol

from games.core.odds import Choice, Distribution, Node, Odds, Wanted, answer_targets, find_best
from games.core.time_limit import OutOfTime, TimeLimit
from games.rock_yahtzee.boxes import BOXES
from games.rock_yahtzee.odds.by_value import Play, Totals, follow_kept, get_totals_by_value
from games.rock_yahtzee.odds.for_targets import Chances, TurnChances, get_best_chances
from games.rock_yahtzee.odds.future import POINTS, Future, Gain, Worth, fold, get_future, list_gains
from games.rock_yahtzee.odds.throws import CAN_KEEP, KEPT, NUMBER
from games.rock_yahtzee.odds.values import get_values
from games.rock_yahtzee.rules import ROLLS
from games.rock_yahtzee.state import Card, Setup, get_total

Action = Mapping[str, Any]


def get_odds(setup: Setup, card: Card, wanted: Wanted) -> Odds:
    """Return the odds of a card that is not done (ROCK-2 to ROCK-18)."""
    worth, with_all_boxes = Worth(setup.yahtzee_points, setup.bonus), get_future(setup, card)
    future = fold(worth, *with_all_boxes)
    node: Node = "choice" if card.dice else "chance"
    options: list[_Option]
    if not card.dice:
        options = [_FirstThrow(worth, future)]
    else:
        dice = NUMBER[tuple(sorted(card.dice))]
        gains = list_gains(worth, with_all_boxes)
        options = [_Box(worth, column, gain[POINTS[column][dice]]) for column, gain in gains]
        throws = 0 if card.is_final else ROLLS - card.rolls
        if throws:
            turn = _RunningTurn(worth, future)
            options += [_Keep(turn, throws, size, number) for size, number in CAN_KEEP[dice]]
    try:
        return _answer(node, options, get_total(setup, card), wanted)
    except OutOfTime:
        choices = tuple(Choice(option.action) for option in options)
        return Odds(node, method="none", why="seconds", choices=choices)


def _answer(node: Node, options: Sequence[_Option], total: int, wanted: Wanted) -> Odds:
    """Return the odds of a card with this total so far. Raises `OutOfTime`."""
    limit, targets = wanted.limit, wanted.targets
    values = [total + option.get_value(limit) for option in options]
    first = options[find_best(values)]
    missing = [target - total for target in targets]
    choices = [
        Choice(option.action, value, *(_list_chances(option, missing, limit) if missing else ((), ())))
        for option, value in zip(options, values, strict=True)
    ]
    return Odds(
        node,
        value=max(values),
        choices=tuple(choices),
        targets=answer_targets(targets, choices),
        distribution=_trim(total, first.get_totals(limit)) if wanted.distribution else None,
    )


def _list_chances(
    option: _Option, missing: Sequence[int], limit: TimeLimit
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the best chances of gaining so many points or more, and those of play by value."""
    best, totals = option.get_best_chances(limit), option.get_totals(limit)
    return tuple(map(best.get, missing)), tuple(_add_up(totals, points) for points in missing)


def _add_up(totals: Totals, points: int) -> float:
    """Return the chance of so many points or more."""
    return min(fsum(totals[max(points, 0) :]), 1.0)


def _trim(total: int, totals: Totals) -> Distribution:
    """Return the chances of final totals, without those at both ends that are impossible."""
    possible = [points for points, chance in enumerate(totals) if chance]
    lowest, highest = possible[0], possible[-1]
    return Distribution(total + lowest, tuple(totals[lowest : highest + 1]))


class _Option(Protocol):
    """A choice: its action, and what is then still to come."""

    @property
    def action(self) -> Action:
        """The action in the words of a transcript."""

    def get_value(self, limit: TimeLimit) -> float:
        """Return the points that it brings on average."""

    def get_totals(self, limit: TimeLimit) -> Totals:
        """Return the chances of 0, 1, 2, ... points under play by value."""

    def get_best_chances(self, limit: TimeLimit) -> Chances:
        """Return the best chances of any number of points."""


class _FirstThrow:
    """The first throw of a turn, before which nothing is to be decided."""

    action: Action = {"type": "roll"}

    def __init__(self, worth: Worth, future: Future):
        self._worth, self._future = worth, future

    def get_value(self, limit: TimeLimit) -> float:
        return get_values(self._worth).get(self._future, limit)

    def get_totals(self, limit: TimeLimit) -> Totals:
        return get_totals_by_value(self._worth).get(self._future, limit)

    def get_best_chances(self, limit: TimeLimit) -> Chances:
        return get_best_chances(self._worth).get(self._future, limit)


class _Box:
    """Scoring the dice in a box."""

    def __init__(self, worth: Worth, column: int, gain: Gain):
        self.action: Action = {"type": "score", "box": BOXES[column].word}
        self._worth, self._points, self._future = worth, gain.points, gain.future

    def get_value(self, limit: TimeLimit) -> float:
        return self._points + get_values(self._worth).get(self._future, limit)

    def get_totals(self, limit: TimeLimit) -> Totals:
        return [0.0] * self._points + get_totals_by_value(self._worth).get(self._future, limit)

    def get_best_chances(self, limit: TimeLimit) -> Chances:
        return get_best_chances(self._worth).get(self._future, limit).add_points(self._points)


class _RunningTurn:
    """What all choices of dice to keep share: the turn that is running, worked out once."""

    def __init__(self, worth: Worth, future: Future):
        self.worth, self.future = worth, future
        self._played: Play | None = None
        self._chances: TurnChances | None = None

    def play(self, limit: TimeLimit) -> Play:
        """Return the turn as it is played by value."""
        if self._played is None:
            self._played = Play(get_values(self.worth).list_boxes(self.future, limit))
        return self._played

    def get_chances(self, limit: TimeLimit) -> TurnChances:
        """Return the best chances within the turn."""
        if self._chances is None:
            self._chances = get_best_chances(self.worth).play_turn(self.future, limit)
        return self._chances


class _Keep:
    """Keeping some dice and throwing the others."""

    def __init__(self, turn: _RunningTurn, throws: int, size: int, number: int):
        self.action: Action = {"type": "roll", "keep": list(KEPT[size][number])}
        self._turn, self._throws, self._size, self._number = turn, throws, size, number

    def get_value(self, limit: TimeLimit) -> float:
        return self._turn.play(limit).turn.kept[self._throws][self._size][self._number]

    def get_totals(self, limit: TimeLimit) -> Totals:
        play = self._turn.play(limit)
        weights = play.follow(follow_kept(self._size, self._number), self._throws - 1)
        return get_totals_by_value(self._turn.worth).score(self._turn.future, play, weights, limit)

    def get_best_chances(self, limit: TimeLimit) -> Chances:
        return self._turn.get_chances(limit).get_kept(self._throws, self._size, self._number)
