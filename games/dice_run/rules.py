"""The rules of a score sheet: which actions are legal, and how they change the sheet.

The functions in the first part return every rule that an action breaks, the most specific first. The functions in the
second part return the new sheet; they are called only for actions that no problem blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.core.actions import Action
from games.core.problems import Problem
from games.core.sheet import Turn, TurnSource
from games.core.text import gettext_noop, ngettext_lazy
from games.dice_run.actions import Forfeit, Paper, Stop, Throw
from games.dice_run.state import Dice, Setup, Sheet, get_turn_points

MISSED = gettext_noop("Missed")
SUM = gettext_noop("Sum of the dice")

WRONG_NUMBER = ngettext_lazy(
    "Throw all %(dice)s dice at once, and enter each of them. You entered %(count)s die.",
    "Throw all %(dice)s dice at once, and enter each of them. You entered %(count)s dice.",
)
WRONG_NUMBER_OF_ONE = gettext_noop("One die is thrown here. You entered %(count)s dice.")
NOTHING_THROWN = gettext_noop("This turn has no throw yet. Record its first throw before you stop.")
IMPOSSIBLE_TOTAL = gettext_noop("The dice cannot show this sum. Enter a sum from %(low)s to %(high)s.")
PAPER_AFTER_THROW = gettext_noop(
    "This turn has begun with %(dice)s, so it cannot be recorded by its sum. Record its throws instead."
)
FORFEIT_AFTER_THROW = gettext_noop("This turn has begun with %(dice)s. Only a turn without a throw can be missed.")


def _throw_problems(setup: Setup, sheet: Sheet, action: Throw) -> tuple[Problem, ...]:
    count = len(action.dice)
    if count == setup.dice:
        return ()
    text = WRONG_NUMBER if setup.dice > 1 else WRONG_NUMBER_OF_ONE
    return (Problem("wrong_number", "DICE-3", text, "dice", params={"dice": setup.dice, "count": count}),)


def _stop_problems(setup: Setup, sheet: Sheet, action: Stop) -> tuple[Problem, ...]:
    return () if sheet.throws else (Problem("nothing_thrown", "DICE-5", NOTHING_THROWN),)


def _paper_problems(setup: Setup, sheet: Sheet, action: Paper) -> tuple[Problem, ...]:
    found = []
    if not setup.lowest <= action.total <= setup.highest:
        params = {"low": setup.lowest, "high": setup.highest}
        found.append(Problem("impossible_total", "DICE-14", IMPOSSIBLE_TOTAL, "total", params=params))
    if sheet.throws:
        params_of_throw = {"dice": sheet.throws[0]}
        found.append(Problem("paper_after_throw", "DICE-14", PAPER_AFTER_THROW, params=params_of_throw))
    return tuple(found)


def _forfeit_problems(setup: Setup, sheet: Sheet, action: Forfeit) -> tuple[Problem, ...]:
    if not sheet.throws:
        return ()
    return (Problem("forfeit_after_throw", "DICE-11", FORFEIT_AFTER_THROW, params={"dice": sheet.throws[0]}),)


def _throw(setup: Setup, sheet: Sheet, action: Throw) -> Sheet:
    throws = (*sheet.throws, action.dice)
    return Sheet(sheet.turns, throws) if len(throws) < setup.throws else _end_turn(setup, sheet, throws)


def _stop(setup: Setup, sheet: Sheet, action: Stop) -> Sheet:
    return _end_turn(setup, sheet, sheet.throws)


def _end_turn(setup: Setup, sheet: Sheet, throws: tuple[Dice, ...]) -> Sheet:
    """Return the sheet after a turn with these throws, which shows the dice of the throw that counts (DICE-6)."""
    points = get_turn_points(setup, map(sum, throws))
    counting = throws[-1] if not setup.best_throw else next(dice for dice in throws if sum(dice) == points)
    return _add_turn(sheet, points, "rolls", counting)


def _paper(setup: Setup, sheet: Sheet, action: Paper) -> Sheet:
    return _add_turn(sheet, action.total, "paper")


def _forfeit(setup: Setup, sheet: Sheet, action: Forfeit) -> Sheet:
    return Sheet((*sheet.turns, Turn(None, MISSED, setup.missed, how="missed")))


def _add_turn(sheet: Sheet, points: int, how: TurnSource, dice: Dice = ()) -> Sheet:
    line = f"turn_{len(sheet.turns) + 1}"
    return Sheet((*sheet.turns, Turn(line, SUM, points, dice, how)))


PROBLEMS: Mapping[type[Action], Callable[[Setup, Sheet, Any], tuple[Problem, ...]]] = {
    Throw: _throw_problems,
    Stop: _stop_problems,
    Paper: _paper_problems,
    Forfeit: _forfeit_problems,
}
APPLY: Mapping[type[Action], Callable[[Setup, Sheet, Any], Sheet]] = {
    Throw: _throw,
    Stop: _stop,
    Paper: _paper,
    Forfeit: _forfeit,
}
