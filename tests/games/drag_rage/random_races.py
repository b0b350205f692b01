"""Races driven at random, with a temper that changes from heat to heat.

Even chances hardly ever lead to the rarer ends of a heat: they need drivers who challenge much, dice that fall low, or
small counters. A temper says how drivers and dice are for one heat; whatever it is, only what is offered is done.
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
        challenge: how likely a challenge is where there can be one.
        decline: how likely a pass is where there can be one.
        luck: dice are thrown so often and the lowest (below 0) or the highest (above 0) roll is noted.
        stride: counters are drawn so often and the smallest (below 0) or the largest (above 0) is played.
    """

    challenge: float
    decline: float
    luck: int
    stride: int


class Step(NamedTuple):
    """One action of a random race: the states around it, and the actions of its heat, this one included."""

    before: Race
    after: Race
    offered: tuple[ActionSpec, ...]
    heat: tuple[dict[str, Any], ...]


def drive(random: Random) -> Iterator[Step]:
    """Drive one race to its end; nobody retires."""
    state = GAME.start(RULESET, 2)
    temper = _draw_style(random)
    heat: tuple[dict[str, Any], ...] = ()
    while not GAME.is_finished(state):
        offered = tuple(spec for spec in list_specs(RULESET, state) if spec.type != "retire")
        assert offered, "nothing can be done, and the race is not over"
        if state.heat is None:
            temper, heat = _draw_style(random), ()
        action = _draw_action(offered, temper, random)
        after = GAME.play(state, RULESET.read_action(action, 2))
        heat = (*heat, action)
        yield Step(state, after, offered, heat)
        state = after


def _draw_style(random: Random) -> DrivingStyle:
    return DrivingStyle(
        random.choice((0.1, 0.5, 0.9)), random.choice((0.1, 0.5, 0.9)), random.randint(-3, 3), random.randint(-3, 3)
    )


def _draw_action(offered: tuple[ActionSpec, ...], temper: DrivingStyle, random: Random) -> dict[str, Any]:
    by_type = {spec.type: spec for spec in offered}
    if "challenge" in by_type and random.random() < temper.challenge:
        return sample(by_type["challenge"], random)
    if "pass" in by_type and random.random() < temper.decline:
        return sample(by_type["pass"], random)
    if "advance" in by_type:
        return _sample_extreme(by_type["advance"], temper.stride, random, lambda action: action["counter"])
    if "defend" in by_type:
        return _sample_extreme(by_type["defend"], temper.luck, random, lambda action: sum(action["dice"]))
    return sample(random.choice(offered), random)


def _sample_extreme(spec: ActionSpec, times: int, random: Random, size: Any) -> dict[str, Any]:
    drawn = [sample(spec, random) for _ in range(1 + abs(times))]
    return min(drawn, key=size) if times < 0 else max(drawn, key=size)
