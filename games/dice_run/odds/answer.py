"""The odds of one sheet, put together from the chances of its turns.

With a target (goal target) the values are expected distances from it, a low one is good, and the targets of a question
and the distribution are distances too. Missed turns rank before the distance (DICE-12) and are no part of it.

Choices are listed in the order that settles ties: stopping before throwing again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import fsum
from typing import Any, NamedTuple

from games.core.odds import Aim, Choice, Distribution, Node, Odds, Wanted, answer_targets, find_best
from games.core.time_limit import OutOfTime, TimeLimit
from games.dice_run.actions import Stop, Throw
from games.dice_run.odds.play import (
    ChancePlay,
    Future,
    Play,
    add_turn,
    follow,
    get_target_limits,
    get_value_play,
    start_future,
)
from games.dice_run.odds.throws import get_best_of, get_best_with, get_sign
from games.dice_run.odds.without_choice import get_totals
from games.dice_run.state import Setup, Sheet, get_turn_points


class _Option(NamedTuple):
    """A choice, and what is then still to come.

    Attributes:
        get_value: returns the expected final points, with a target the negative distance.
        get_totals: returns the chances of the final points of play by value.
        get_reach: returns the best chance of final points within limits.
    """

    action: Mapping[str, Any]
    get_value: Callable[[TimeLimit], float]
    get_totals: Callable[[TimeLimit], Mapping[int, float]]
    get_reach: Callable[[int, int, TimeLimit], float]


def get_odds(setup: Setup, sheet: Sheet, wanted: Wanted) -> Odds:
    """Return the odds of a sheet that is not done."""
    has_choice = setup.throws > 1 and not setup.best_throw
    options = _list_options_with_choice(setup, sheet) if has_choice else _list_options_without(setup, sheet)
    node: Node = "choice" if sheet.throws else "chance"
    aim: Aim = "high" if setup.goal == "high" else "low"
    try:
        return _answer(setup, node, aim, options, wanted)
    except OutOfTime:
        get_value_play.cache_clear()
        return Odds(
            node, aim=aim, method="none", why="seconds", choices=tuple(Choice(option.action) for option in options)
        )


def _answer(setup: Setup, node: Node, aim: Aim, options: list[_Option], wanted: Wanted) -> Odds:
    limit = wanted.limit
    sign = 1 if aim == "high" else -1
    values = [sign * option.get_value(limit) for option in options]
    first = find_best(values, aim)
    limits = [get_target_limits(setup, target) for target in wanted.targets]
    totals = [
        option.get_totals(limit) if limits or (wanted.distribution and index == first) else {}
        for index, option in enumerate(options)
    ]
    choices = tuple(
        Choice(
            option.action,
            value,
            tuple(option.get_reach(least, most, limit) for least, most in limits),
            tuple(_add_up(own, least, most) for least, most in limits),
        )
        for option, value, own in zip(options, values, totals, strict=True)
    )
    return Odds(
        node,
        aim=aim,
        value=values[first] if node == "chance" else (max if aim == "high" else min)(values),
        choices=choices,
        targets=answer_targets(wanted.targets, choices, aim),
        distribution=_make_distribution(setup, totals[first]) if wanted.distribution else None,
    )


def _add_up(totals: Mapping[int, float], least: int, most: int) -> float:
    return min(fsum(chance for points, chance in totals.items() if least <= points <= most), 1.0)


def _make_distribution(setup: Setup, totals: Mapping[int, float]) -> Distribution:
    """Return the chances of final totals, or of distances from the target, from the lowest that is possible on."""
    sign = get_sign(setup)
    chances: dict[int, float] = {}
    for points, chance in totals.items():
        shown = abs(points - setup.target) if setup.goal == "target" else sign * points
        if chance:
            chances[shown] = chances.get(shown, 0.0) + chance
    lowest, highest = min(chances), max(chances)
    return Distribution(lowest, tuple(chances.get(total, 0.0) for total in range(lowest, highest + 1)))


def _list_points(setup: Setup, sheet: Sheet) -> list[int]:
    sign = get_sign(setup)
    return [sign * turn.points for turn in sheet.turns]


# Without a choice: one throw a turn, or all throws and the best counts, which it never pays to stop before.


def _list_options_without(setup: Setup, sheet: Sheet) -> list[_Option]:
    if not sheet.throws:
        return [_make_fixed_option(setup, sheet, Throw.type, None)]
    points = get_sign(setup) * get_turn_points(setup, map(sum, sheet.throws))
    again = get_best_with(setup, points, setup.throws - len(sheet.throws))
    return [
        _make_fixed_option(setup, sheet, Stop.type, {points: 1.0}),
        _make_fixed_option(setup, sheet, Throw.type, again),
    ]


def _make_fixed_option(setup: Setup, sheet: Sheet, word: str, running: Mapping[int, float] | None) -> _Option:
    ended, known = _list_points(setup, sheet), dict[int, float]()
    left = setup.turns - len(ended) - (running is not None)

    def get_all(limit: TimeLimit) -> Mapping[int, float]:
        if not known:
            known.update(get_totals(ended, running, get_best_of(setup, setup.throws), left, setup.counts, limit))
        return known

    def get_value(limit: TimeLimit) -> float:
        totals = get_all(limit).items()
        if setup.goal == "target":
            return -fsum(abs(points - setup.target) * chance for points, chance in totals)
        return fsum(points * chance for points, chance in totals)

    return _Option({"type": word}, get_value, get_all, lambda least, most, limit: _add_up(get_all(limit), least, most))


# With a choice: a turn may stop after any throw, and the last one counts.


def _list_options_with_choice(setup: Setup, sheet: Sheet) -> list[_Option]:
    play, future = get_value_play(setup), start_future(setup, _list_points(setup, sheet))
    throw = _make_throw_option(play, future, setup.throws - len(sheet.throws))
    if not sheet.throws:
        return [throw]
    return [_make_stop_option(play, add_turn(setup, future, get_sign(setup) * sum(sheet.throws[-1]))), throw]


def _make_stop_option(play: Play, after: Future) -> _Option:
    return _Option(
        {"type": Stop.type},
        lambda limit: play.get(after, limit),
        lambda limit: follow(play, [(after, 1.0)], limit),
        lambda least, most, limit: ChancePlay(play.setup, least, most).get(after, limit),
    )


def _make_throw_option(play: Play, future: Future, throws: int) -> _Option:
    def get_figure(own: Play, limit: TimeLimit) -> float:
        return own.list_stages(own.list_ends(future, limit))[throws - 1]

    def follow_throw(limit: TimeLimit) -> Mapping[int, float]:
        chances = play.list_turn_chances(future, throws, limit)
        after = [add_turn(play.setup, future, points) for points in play.points]
        return follow(play, zip(after, chances, strict=True), limit)

    return _Option(
        {"type": Throw.type},
        lambda limit: get_figure(play, limit),
        follow_throw,
        lambda least, most, limit: get_figure(ChancePlay(play.setup, least, most), limit),
    )
