"""The rules of a drive: which actions are legal, and how they change the drive.

The functions in the first part return every rule that an action breaks, the most specific first. They do not check the
dice in detail if no dice are allowed at this moment, but a gear that does not exist is always reported. The functions
in the second part return the new drive; they are called only for actions that no problem blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.core.actions import Action
from games.core.dice import remove_dice
from games.core.problems import Problem
from games.core.text import Params, Text, gettext_noop, ngettext_lazy
from games.grand_prix.actions import Move, Reroll, Roll, Select, SelectGear
from games.grand_prix.payments import can_pay, get_price, pay
from games.grand_prix.scoring import DICE, Dice, count_missed, count_spaces, get_place
from games.grand_prix.state import INCLUDE, REROLL, SELECT, SHIFT, Drive, Setup, Turn, get_circuit, is_done

Problems = tuple[Problem, ...]

NO_SUCH_GEAR = gettext_noop("There is no such gear. The gears are 1 to %(gears)s.")
GEAR_SELECTED = gettext_noop("This turn already has a gear: %(gear)s. Select the next gear after the move.")
FIRST_GEAR_SHIFT = gettext_noop("On the first turn of a circuit any gear may be selected. Leave “shift” out.")
SAME_GEAR = gettext_noop("Gear %(last)s was used last turn. Select one of these: %(near)s.")
SAME_GEAR_SHIFT = gettext_noop(
    "A shift must go to a different gear, and gear %(last)s was used last turn. Select another."
)
SHIFT_NOT_NEEDED = gettext_noop("Gear %(gear)s is next to last turn’s gear, %(last)s. Leave “shift” out.")
GEAR_TOO_FAR = gettext_noop(
    "Gear %(gear)s is not next to last turn’s gear, %(last)s. Declare a shift, or select one of these: %(near)s."
)
SHIFT_UNPAID = gettext_noop(
    "A shift now costs %(price)s damage. Unused damage: %(unused)s. Select one of these gears: %(near)s."
)
NO_GEAR = gettext_noop("No gear is selected for this turn yet. Select one before the roll.")
ROLLED_ALREADY = gettext_noop(
    "The dice for this turn have already been rolled: %(dice)s. Move, or roll again with a special action."
)
SIX_DICE = ngettext_lazy(
    "Roll all six dice. You entered %(count)s die.",
    "Roll all six dice. You entered %(count)s dice.",
)
NOTHING_TO_REROLL = gettext_noop("No dice have been rolled this turn. Record the roll first.")
INCLUDE_UNPAID = gettext_noop(
    "With include, this now costs %(price)s damage. Unused damage: %(unused)s. Leave “include” out."
)
INCLUDED_ALREADY = gettext_noop("Include has already been declared and applies to the whole turn. Leave it out here.")
REROLL_UNPAID = gettext_noop(
    "This now costs %(price)s damage. Unused damage: %(unused)s. Move with the dice showing: %(dice)s."
)
NOT_SHOWING = gettext_noop("These dice are not showing: %(missing)s. Showing: %(dice)s.")
NOTHING_SELECTED = gettext_noop("Select at least one of the dice showing: %(dice)s.")
NOT_AS_MANY = gettext_noop("Roll as many dice as you selected: %(selected)s, not %(rolled)s.")
NO_DICE = gettext_noop(
    "The car moves by its dice, and none have been rolled this turn. Record the gear and the roll first."
)


def gear_problems(setup: Setup, drive: Drive, action: SelectGear) -> Problems:
    """Return why a gear cannot be selected (GP-3, GP-17, GP-19, GP-20)."""
    exists = 1 <= action.gear <= setup.gears
    found = () if exists else (Problem("no_such_gear", "GP-20", NO_SUCH_GEAR, "gear", params={"gears": setup.gears}),)
    if drive.turn is not None:
        return (*found, Problem("gear_selected", "GP-3", GEAR_SELECTED, params={"gear": drive.turn.gear}))
    if drive.last_gear:
        return found or _step_problems(setup, drive, action)
    if action.shift:
        return (*found, Problem("shift_on_first_turn", "GP-19", FIRST_GEAR_SHIFT, "shift"))
    return found


def _step_problems(setup: Setup, drive: Drive, action: SelectGear) -> Problems:
    """Return why the step from the last turn's gear to an existing gear is not allowed."""
    gear, last = action.gear, drive.last_gear
    step = abs(gear - last)
    if step == 1 and not action.shift:
        return ()
    near = tuple(neighbour for neighbour in (last - 1, last + 1) if 1 <= neighbour <= setup.gears)
    params: Params = {"gear": gear, "last": last, "near": near}
    if step == 0 and action.shift:
        return (Problem("same_gear", "GP-19", SAME_GEAR_SHIFT, "gear", params=params),)
    if step == 0:
        return (Problem("same_gear", "GP-3", SAME_GEAR, "gear", params=params),)
    if step == 1:
        return (Problem("shift_not_needed", "GP-19", SHIFT_NOT_NEEDED, "shift", params=params),)
    if not action.shift:
        return (Problem("gear_too_far", "GP-3", GEAR_TOO_FAR, "gear", params=params),)
    return _payment_problems(setup, drive, (SHIFT,), SHIFT_UNPAID, "shift", params)


def _payment_problems(
    setup: Setup, drive: Drive, specials: tuple[int, ...], text: Text, field: str | None, params: Params
) -> Problems:
    """Return a problem if the special actions cannot be paid for (GP-17)."""
    if can_pay(setup, drive, specials):
        return ()
    prices: Params = {"price": get_price(setup, drive, specials), "unused": sum(drive.unused), **params}
    return (Problem("cannot_pay", "GP-17", text, field, params=prices),)


def _roll_problems(setup: Setup, drive: Drive, action: Roll) -> Problems:
    turn = drive.turn
    if turn is None:
        return (Problem("no_gear", "GP-3", NO_GEAR),)
    if turn.dice:
        return (Problem("rolled_already", "GP-4", ROLLED_ALREADY, params={"dice": turn.dice}),)
    if action.include:
        unpaid = _payment_problems(setup, drive, (INCLUDE,), INCLUDE_UNPAID, "include", {})
        return (*_count_problems(action.dice, "GP-4"), *unpaid)
    return _count_problems(action.dice, "GP-4")


def _count_problems(dice: Dice, rule: str) -> Problems:
    if len(dice) == DICE:
        return ()
    return (Problem("not_six_dice", rule, SIX_DICE, "dice", params={"count": len(dice)}),)


def _reroll_problems(setup: Setup, drive: Drive, action: Reroll) -> Problems:
    turn = drive.turn
    if turn is None or not turn.dice:
        return (Problem("nothing_to_reroll", "GP-10", NOTHING_TO_REROLL),)
    return (*_count_problems(action.dice, "GP-10"), *_special_problems(setup, drive, turn, REROLL, action.include))


def _select_problems(setup: Setup, drive: Drive, action: Select) -> Problems:
    turn = drive.turn
    if turn is None or not turn.dice:
        return (Problem("nothing_to_reroll", "GP-10", NOTHING_TO_REROLL),)
    found = []
    _, missing = remove_dice(turn.dice, action.reroll)
    if missing:
        params: Params = {"missing": missing, "dice": turn.dice}
        found.append(Problem("not_showing", "GP-18", NOT_SHOWING, "reroll", params=params))
    if not action.reroll:
        found.append(Problem("nothing_selected", "GP-10", NOTHING_SELECTED, "reroll", params={"dice": turn.dice}))
    if len(action.dice) != len(action.reroll):
        params = {"selected": len(action.reroll), "rolled": len(action.dice)}
        found.append(Problem("not_as_many", "GP-10", NOT_AS_MANY, "dice", params=params))
    return (*found, *_special_problems(setup, drive, turn, SELECT, action.include))


def _special_problems(setup: Setup, drive: Drive, turn: Turn, special: int, include: bool) -> Problems:
    """Check the payment of a re-roll or select, and of an include that comes with it (GP-17, GP-18)."""
    alone = _payment_problems(setup, drive, (special,), REROLL_UNPAID, None, {"dice": turn.dice})
    if not include:
        return alone
    if turn.with_include:
        return (Problem("included_already", "GP-18", INCLUDED_ALREADY, "include"), *alone)
    return alone or _payment_problems(setup, drive, (special, INCLUDE), INCLUDE_UNPAID, "include", {})


def _move_problems(setup: Setup, drive: Drive, action: Move) -> Problems:
    if drive.turn is None or not drive.turn.dice:
        return (Problem("no_dice", "GP-4", NO_DICE),)
    return ()


def _select_gear(setup: Setup, drive: Drive, action: SelectGear) -> Drive:
    places, unused, free, position, time, last_gear, _ = drive
    if action.shift:
        unused, free = pay(setup, drive, (SHIFT,))
    return Drive(places, unused, free, position, time + 1, last_gear, Turn(action.gear))


def _roll(setup: Setup, drive: Drive, action: Roll) -> Drive:
    specials = (INCLUDE,) if action.include else ()
    return _set_dice(setup, drive, action.dice, specials)


def _reroll(setup: Setup, drive: Drive, action: Reroll) -> Drive:
    specials = (REROLL, INCLUDE) if action.include else (REROLL,)
    return _set_dice(setup, drive, action.dice, specials)


def _select(setup: Setup, drive: Drive, action: Select) -> Drive:
    specials = (SELECT, INCLUDE) if action.include else (SELECT,)
    assert drive.turn is not None
    left, _ = remove_dice(drive.turn.dice, action.reroll)
    return _set_dice(setup, drive, left + action.dice, specials)


def _set_dice(setup: Setup, drive: Drive, dice: Dice, specials: tuple[int, ...]) -> Drive:
    """Pay for the special actions and set the six dice showing."""
    places, unused, free, position, time, last_gear, turn = drive
    assert turn is not None
    if specials:
        unused, free = pay(setup, drive, specials)
    with_include = turn.with_include or INCLUDE in specials
    return Drive(places, unused, free, position, time, last_gear, Turn(turn.gear, dice, with_include))


def _move(setup: Setup, drive: Drive, action: Move) -> Drive:
    """Move the car, take the damage, and end the circuit if it is over (GP-4 to GP-9)."""
    places, unused, free, left, time, _, turn = drive
    assert turn is not None
    gear, dice, with_include = turn
    circuit = get_circuit(setup, drive)
    position = left + count_spaces(dice, gear, with_include)
    still_unused = unused[-1] - gear * count_missed(circuit, left, position)
    place = get_place(circuit, position, still_unused, time == circuit.time)
    unused = (*unused[:-1], max(0, still_unused))
    if place is None:
        return Drive(places, unused, free, position, time, gear)
    return _begin_circuit(setup, Drive((*places, place), unused, free))


def _begin_circuit(setup: Setup, drive: Drive) -> Drive:
    """Put the car at the flag of the next circuit, if there is one, with a fresh damage track."""
    if is_done(setup, drive):
        return drive
    return drive._replace(unused=(*drive.unused, get_circuit(setup, drive).damage))


PROBLEMS: Mapping[type[Action], Callable[[Setup, Drive, Any], Problems]] = {
    SelectGear: gear_problems,
    Roll: _roll_problems,
    Reroll: _reroll_problems,
    Select: _select_problems,
    Move: _move_problems,
}
APPLY: Mapping[type[Action], Callable[[Setup, Drive, Any], Drive]] = {
    SelectGear: _select_gear,
    Roll: _roll,
    Reroll: _reroll,
    Select: _select,
    Move: _move,
}
