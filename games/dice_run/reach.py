"""The exact best and worst total that a sheet can still reach, for goals under which totals alone rank (DICE-19).

A turn that has not begun is worth most with the best dice, and least when it is missed (DICE-11). A running turn always
has a throw left (DICE-5), so it can still have the best dice; it cannot be missed any more, and where its best throw
counts it is worth no less than that.
"""

from __future__ import annotations

from games.core.standing import Reach, Standing
from games.dice_run.state import Setup, Sheet, add_up, get_turn_points, make_key


def get_reach(setup: Setup, sheet: Sheet) -> Reach | None:
    """Return the best and the worst standing that a sheet can still reach; None with a target."""
    if setup.goal == "target":
        return None
    best, worst = (setup.lowest, setup.highest) if setup.goal == "low" else (setup.highest, setup.lowest)
    ended = [turn.points for turn in sheet.turns]
    running = []
    if sheet.throws:
        running = [get_turn_points(setup, map(sum, sheet.throws)) if setup.best_throw else worst]
    left = setup.turns - len(ended)
    return Reach(
        _make_done_standing(setup, add_up(setup, [*ended, *[best] * left])),
        _make_done_standing(setup, add_up(setup, [*ended, *running, *[setup.missed] * (left - len(running))])),
    )


def _make_done_standing(setup: Setup, total: int) -> Standing:
    return Standing(total, make_key(setup, setup.turns, 0, total), "done")
