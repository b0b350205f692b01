"""Random races, with a driving style that changes from heat to heat.

Even chances hardly ever lead to the rarer endings of a heat. Those need drivers who challenge often, low rolls, or
small counters. A style sets these chances for one heat. Only offered actions are played.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from games.core.specs import ActionSpec
from games.drag_rage import GAME
from games.drag_rage.state import Race
from tests.games.sampling import list_specs, sample

RULESET = GAME.ruleset()


class DrivingStyle(NamedTuple):
    """How one heat is driven.

    Attributes:
        challenge: the probability of a challenge if one is possible.
        decline: the probability of a pass if one is possible.
        luck: how often to roll the dice; the lowest (if negative) or the highest (if positive) roll is recorded.
        stride: how often to draw a counter; the smallest (if negative) or the largest (if positive) is played.
    """

    challenge: float
    decline: float
    luck: int
    stride: int


class Step(NamedTuple):
    """One action of a random race: the states before and after it, and the actions of its heat up to this one."""

    before: Race
    after: Race
    offered: tuple[ActionSpec, ...]
    heat: tuple[dict[str, Any], ...]


def drive(random: Random) -> Iterator[Step]:
    """Drive one race to its end, without retiring."""
    state = GAME.start(RULESET, 2)
    style = _draw_style(random)
    heat: tuple[dict[str, Any], ...] = ()
    while not GAME.is_finished(state):
        offered = tuple(spec for spec in list_specs(RULESET, state) if spec.type != "retire")
        assert offered, "nothing can be done, and the race is not over"
        if state.heat is None:
            style, heat = _draw_style(random), ()
        action = _draw_action(offered, style, random)
        after = GAME.play(state, RULESET.read_action(action, 2))
        heat = (*heat, action)
        yield Step(state, after, offered, heat)
        state = after


def _draw_style(random: Random) -> DrivingStyle:
    return DrivingStyle(
        random.choice((0.1, 0.5, 0.9)), random.choice((0.1, 0.5, 0.9)), random.randint(-3, 3), random.randint(-3, 3)
    )


def _draw_action(offered: tuple[ActionSpec, ...], style: DrivingStyle, random: Random) -> dict[str, Any]:
    by_type = {spec.type: spec for spec in offered}
    if "challenge" in by_type and random.random() < style.challenge:
        return sample(by_type["challenge"], random)
    if "pass" in by_type and random.random() < style.decline:
        return sample(by_type["pass"], random)
    if "advance" in by_type:
        return _sample_extreme(by_type["advance"], style.stride, random, lambda action: action["counter"])
    if "defend" in by_type:
        return _sample_extreme(by_type["defend"], style.luck, random, lambda action: sum(action["dice"]))
    return sample(random.choice(offered), random)


def _sample_extreme(spec: ActionSpec, times: int, random: Random, size: Any) -> dict[str, Any]:
    drawn = [sample(spec, random) for _ in range(1 + abs(times))]
    return min(drawn, key=size) if times < 0 else max(drawn, key=size)
