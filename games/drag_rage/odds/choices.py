"""The choices of a moment of a heat, and what they lead to, by the game's own rules and transitions.

Only the number of dice of a roll is a choice, so the dice of a `Defend` stand for any others.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.core.actions import Action
from games.drag_rage.actions import Advance, Challenge, Defend, Pass
from games.drag_rage.rules import find_advance_problem, find_challenge_problem, find_counter_problem, find_pass_problem
from games.drag_rage.state import ALL_DICE, FREE_DICE, FinishedHeat, Heat
from games.drag_rage.transitions import APPLY

LOWEST_FACE, HIGHEST_FACE = 1, 6  # the lowest roll spins out unless no roll does, the highest never does


def list_choices(heat: Heat) -> Iterator[Action]:
    """Yield the choices of the seat to act: counters from the lowest one, then a challenge, then a pass."""
    seat = heat.to_act
    if heat.due == "roll":
        yield Defend(seat, (LOWEST_FACE,) * FREE_DICE)
        if heat.cars[seat].has_nitro:
            yield Defend(seat, (LOWEST_FACE,) * ALL_DICE)
        return
    if find_advance_problem(heat) is None:
        for counter in sorted(heat.unused):
            if find_counter_problem(heat, counter) is None:
                yield Advance(seat, counter)
    if find_challenge_problem(heat) is None:
        yield Challenge(seat)
    if find_pass_problem(heat) is None:
        yield Pass(seat)


def list_next(heat: Heat) -> Iterator[Heat | FinishedHeat]:
    """Yield what can come next: for a roll, both what follows the lowest one and what follows the highest one."""
    for action in list_choices(heat):
        yield APPLY[type(action)](heat, action)
        if isinstance(action, Defend):
            yield APPLY[Defend](heat, Defend(action.seat, (HIGHEST_FACE,) * len(action.dice)))
