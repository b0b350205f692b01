"""The rules of a turn: which actions are legal, and how they change the table.

The functions in the first part return every rule that an action breaks, the most specific first. They check the dice
only if an action with dice of that kind is possible at this moment. The functions in the second part return the new
table; they are called only for actions that no problem blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.core.actions import Action
from games.core.problems import Problem
from games.core.text import gettext_noop, ngettext_lazy
from games.rogue.actions import Bank, Keep, Roll
from games.rogue.rounds import end_turn, rogue_out
from games.rogue.scoring import CRITTER, DICE, FACES, KEEPS, ROGUE, RUN, Dice, get_best_keep, sort_dice
from games.rogue.state import Table, Turn

KEEP_FIRST = gettext_noop("Set aside dice from this roll before the next one: %(best)s, for example.")
WRONG_COUNT = ngettext_lazy(
    "%(count)s die is left to roll. You entered %(given)s.",
    "%(count)s dice are left to roll, all at once. You entered %(given)s.",
)
NOTHING_ROLLED = gettext_noop("A turn starts with a roll of all six dice. Record the roll first.")
ALREADY_SET_ASIDE = ngettext_lazy(
    "Dice have already been set aside from this roll. Roll the %(count)s die that is left, or end the turn.",
    "Dice have already been set aside from this roll. Roll the %(count)s dice that are left, or end the turn.",
)
NOTHING_SET_ASIDE = gettext_noop("Set aside at least one die: %(best)s, for example.")
NOT_ON_TABLE = gettext_noop("These dice are not showing, or not that many of them: %(missing)s. Showing: %(showing)s.")
BROKEN_RUN = gettext_noop("A run scores with all six dice: set aside %(run)s, or the critter alone as a rogue.")
LONE_CRITTER = gettext_noop("With %(count)s critters showing none is a rogue. Set two or more of them aside, or none.")
LONE_NUMBER = gettext_noop("One die of a number scores nothing: %(alone)s. Set aside %(best)s, for example.")
BANK_BEFORE_KEEP = gettext_noop("Set aside dice from this roll before you end the turn: %(best)s, for example.")
BANK_BEFORE_ROLL = gettext_noop("Nothing has been set aside this turn. Record the roll of all six dice first.")


def _roll_problems(turn: Turn, action: Roll) -> tuple[Problem, ...]:
    if turn.showing:
        return (Problem("keep_first", "ROGUE-2", KEEP_FIRST, params={"best": get_best_keep(turn.showing)}),)
    if len(action.dice) != turn.left:
        params = {"count": turn.left, "given": len(action.dice)}
        return (Problem("wrong_count", "ROGUE-2", WRONG_COUNT, "dice", params=params),)
    return ()


def _keep_problems(turn: Turn, action: Keep) -> tuple[Problem, ...]:
    showing, kept = turn.showing, action.dice
    if not showing:
        if turn.has_kept:
            return (Problem("kept_already", "ROGUE-2", ALREADY_SET_ASIDE, params={"count": turn.left}),)
        return (Problem("nothing_rolled", "ROGUE-2", NOTHING_ROLLED),)
    if len(kept) <= len(showing) and sort_dice(kept) in KEEPS[showing]:
        return ()
    return _selection_problems(showing, kept)


def _selection_problems(showing: Dice, kept: Dice) -> tuple[Problem, ...]:
    """Return what is wrong with a selection that is not a keep of the dice showing."""
    if not kept:
        return (Problem("nothing_kept", "ROGUE-2", NOTHING_SET_ASIDE, "dice", params={"best": get_best_keep(showing)}),)
    found = []
    missing = tuple(face for face in FACES if kept.count(face) > showing.count(face))
    if missing:
        params = {"missing": missing, "showing": showing}
        found.append(Problem("not_on_table", "ROGUE-6", NOT_ON_TABLE, "dice", params=params))
    elif showing == RUN:
        return (Problem("broken_run", "ROGUE-19", BROKEN_RUN, "dice", params={"run": RUN}),)
    critters = showing.count(CRITTER)
    if critters > 1 and kept.count(CRITTER) == 1:
        found.append(Problem("lone_critter", "ROGUE-17", LONE_CRITTER, "dice", params={"count": critters}))
    alone = tuple(face for face in FACES if face != CRITTER and kept.count(face) == 1)
    if alone:
        params = {"alone": alone, "best": get_best_keep(showing)}
        found.append(Problem("lone_number", "ROGUE-16", LONE_NUMBER, "dice", params=params))
    return tuple(found)


def _bank_problems(turn: Turn, action: Bank) -> tuple[Problem, ...]:
    if turn.showing:
        params = {"best": get_best_keep(turn.showing)}
        return (Problem("bank_before_keep", "ROGUE-22", BANK_BEFORE_KEEP, params=params),)
    if not turn.has_kept:
        return (Problem("bank_before_roll", "ROGUE-22", BANK_BEFORE_ROLL),)
    return ()


def _roll(table: Table, action: Roll) -> Table:
    points, left, _, rogues = table.turn
    showing = sort_dice(action.dice)
    if not KEEPS[showing]:  # ROGUE-3
        return end_turn(table, table.turn)
    return _set_turn(table, Turn(points, left, showing, rogues))


def _keep(table: Table, action: Keep) -> Table:
    points, left, showing, rogues = table.turn
    if left == 1:  # a rogue, because a single die has no other keep
        if rogues == DICE - 1:  # ROGUE-24
            return rogue_out(table)
        return end_turn(table, Turn(points * 2, 0, (), rogues))  # ROGUE-8
    kept = sort_dice(action.dice)
    turn = Turn(points + KEEPS[showing][kept], left - len(kept), (), rogues + (kept == ROGUE))
    return _set_turn(table, turn) if turn.left else end_turn(table, turn)


def _bank(table: Table, action: Bank) -> Table:
    return end_turn(table, table.turn)


def _set_turn(table: Table, turn: Turn) -> Table:
    ruleset, scores, seat, _, retired, winner = table
    return Table(ruleset, scores, seat, turn, retired, winner)


PROBLEMS: Mapping[type[Action], Callable[[Turn, Any], tuple[Problem, ...]]] = {
    Roll: _roll_problems,
    Keep: _keep_problems,
    Bank: _bank_problems,
}
APPLY: Mapping[type[Action], Callable[[Table, Any], Table]] = {
    Roll: _roll,
    Keep: _keep,
    Bank: _bank,
}
