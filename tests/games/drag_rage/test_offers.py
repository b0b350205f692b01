"""The offers are exactly the possible actions, at every moment of many random races."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from games.core.specs import ActionSpec, ChoiceField, DiceField
from games.drag_rage import GAME
from games.drag_rage.rules import list_problems
from games.drag_rage.state import COUNTERS
from tests.games.drag_rage.random_races import RULESET, drive
from tests.games.drag_rage.table import Action, challenge, decline, move, roll, start

ROLLS = ((), (6,), (1, 1), (6, 6), (1, 1, 1), (6, 6, 6), (1, 1, 1, 1))
POSSIBLE: tuple[Action, ...] = (
    *(start(seat) for seat in (0, 1)),
    *(move(seat, counter) for seat, counter in product((0, 1), COUNTERS)),
    *(roll(seat, *dice) for seat, dice in product((0, 1), ROLLS)),
    *(one(seat) for one, seat in product((challenge, decline), (0, 1))),
)


def holds(spec: ActionSpec, action: dict[str, Any]) -> bool:
    """Return whether the spec offers the action."""
    if (spec.type, spec.seat) != (action["type"], action.get("seat")):
        return False
    for field in spec.fields:
        given = action[field.name]
        if isinstance(field, ChoiceField) and given not in [choice.value for choice in field.choices if choice.open]:
            return False
        if isinstance(field, DiceField) and not field.count.low <= len(given) <= field.count.high:
            return False
    return True


@pytest.mark.parametrize("seed", range(40))
def test_an_action_is_possible_exactly_when_it_is_offered(seed: int) -> None:
    for step in drive(Random(seed)):
        for action in POSSIBLE:
            is_offered = any(holds(spec, action) for spec in step.offered)
            problems = GAME.problems(step.before, RULESET.read_action(action, 2))
            assert (problems == ()) is is_offered, (step, action)


@pytest.mark.parametrize("seed", range(10))
def test_a_closed_counter_gives_the_reason_for_which_it_would_be_rejected(seed: int) -> None:
    for step in drive(Random(seed)):
        for spec in step.offered:
            for field in spec.fields:
                if spec.type == "advance" and isinstance(field, ChoiceField):
                    assert [choice.value for choice in sorted(field.choices, key=lambda c: c.value)] == [*COUNTERS]
                    for choice in field.choices:
                        if not choice.open:
                            assert spec.seat is not None
                            action = RULESET.read_action(move(spec.seat, int(choice.value)), 2)
                            (problem,) = list_problems(step.before.heat, action)
                            assert (problem.text, problem.rule) == (choice.why_not, choice.rule)
                            assert problem.params == choice.params
