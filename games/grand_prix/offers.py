"""The actions that can be recorded now, as action specs. They follow the same rules as `rules`."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from games.core.dice import PIP_FACES
from games.core.specs import (
    ActionSpec,
    Choice,
    ChoiceField,
    Count,
    DiceField,
    Field,
    FlagField,
    Pick,
    PickField,
)
from games.core.text import gettext_noop, pgettext_noop
from games.grand_prix.actions import Move, Reroll, Roll, Select, SelectGear
from games.grand_prix.payments import can_pay, get_price
from games.grand_prix.rules import gear_problems
from games.grand_prix.scoring import DICE, Dice
from games.grand_prix.state import INCLUDE, REROLL, SELECT, SHIFT, Drive, Setup, Turn

GEARS = (
    gettext_noop("1st gear"),
    gettext_noop("2nd gear"),
    gettext_noop("3rd gear"),
    gettext_noop("4th gear"),
    gettext_noop("5th gear"),
    gettext_noop("6th gear"),
    gettext_noop("7th gear"),
)

SELECT_GEAR = gettext_noop("Select a gear")
FREE_SHIFT = gettext_noop("Shift to any other gear, for free")
PAID_SHIFT = gettext_noop("Shift to any other gear, for damage")
ROLL = gettext_noop("Record roll")
FREE_REROLL = gettext_noop("Re-roll all dice, for free")
PAID_REROLL = gettext_noop("Re-roll all dice, for damage")
FREE_SELECT = gettext_noop("Re-roll some dice, for free")
PAID_SELECT = gettext_noop("Re-roll some dice, for damage")
MOVE = gettext_noop("Move the car")
GEAR_SELECTED = pgettext_noop("an action that was recorded", "Selected")
SHIFTED_FREE = pgettext_noop("an action that was recorded", "Shifted for free to")
SHIFTED_PAID = pgettext_noop("an action that was recorded", "Shifted for damage to")
ROLLED = pgettext_noop("an action that was recorded", "Rolled")
REROLLED_FREE = pgettext_noop("an action that was recorded", "Re-rolled for free")
REROLLED_PAID = pgettext_noop("an action that was recorded", "Re-rolled for damage")
SELECTED_FREE = pgettext_noop("an action that was recorded", "Re-rolled some dice for free")
SELECTED_PAID = pgettext_noop("an action that was recorded", "Re-rolled some dice for damage")
MOVED = pgettext_noop("an action that was recorded", "Car moved")
ROLL_DICE = gettext_noop("Roll the dice")
GEAR_PROMPT = gettext_noop("select a gear")
SHIFT_PROMPT = gettext_noop("shift")
MOVE_PROMPT = gettext_noop("move the car")
REROLL_PROMPT = gettext_noop("re-roll")
GEAR = gettext_noop("Gear")
BY_SHIFT = gettext_noop("Shift")
DICE_ROLLED = gettext_noop("Dice rolled")
DICE_SELECTED = gettext_noop("Dice to roll again")
FREE_INCLUDE = gettext_noop("Include dice equal to the gear, for free")
PAID_INCLUDE = gettext_noop("Include dice equal to the gear, for damage")

ALL_DICE = DiceField("dice", DICE_ROLLED, PIP_FACES, Count(DICE, DICE))
SELECTED_DICE = DiceField("dice", DICE_ROLLED, PIP_FACES, Count(1, DICE, like_pick="reroll"))


def list_offers(setup: Setup, drive: Drive, seat: int) -> tuple[ActionSpec, ...]:
    """Return the actions that a seat can take now, if it is not done."""
    turn = drive.turn
    if turn is None:
        return _gears(setup, drive, seat)
    if not turn.dice:
        return (ActionSpec(Roll.type, seat, ROLL, (ALL_DICE, *_include(setup, drive, turn)), done=ROLLED),)
    offers = [ActionSpec(Move.type, seat, MOVE, prompt=MOVE_PROMPT, done=MOVED)]
    if can_pay(setup, drive, (REROLL,)):
        paid = get_price(setup, drive, (REROLL,))
        label, done = (PAID_REROLL, REROLLED_PAID) if paid else (FREE_REROLL, REROLLED_FREE)
        fields: tuple[Field, ...] = (ALL_DICE, *_include(setup, drive, turn, REROLL))
        offers.append(ActionSpec(Reroll.type, seat, label, fields, prompt=REROLL_PROMPT, done=done))
    if can_pay(setup, drive, (SELECT,)):
        paid = get_price(setup, drive, (SELECT,))
        label, done = (PAID_SELECT, SELECTED_PAID) if paid else (FREE_SELECT, SELECTED_FREE)
        picks = PickField("reroll", DICE_SELECTED, turn.dice, _list_picks(tuple(sorted(turn.dice))))
        fields = (picks, SELECTED_DICE, *_include(setup, drive, turn, SELECT))
        offers.append(ActionSpec(Select.type, seat, label, fields, prompt=REROLL_PROMPT, done=done))
    return tuple(offers)


def _gears(setup: Setup, drive: Drive, seat: int) -> tuple[ActionSpec, ...]:
    """Offer the gears, and again with a shift if that allows any others (GP-3, GP-19)."""
    gears = _gear_field(setup, drive, seat, False)
    offers = [ActionSpec(SelectGear.type, seat, SELECT_GEAR, (gears,), prompt=GEAR_PROMPT, done=GEAR_SELECTED)]
    by_shift = _gear_field(setup, drive, seat, True)
    if any(choice.open for choice in by_shift.choices):
        paid = get_price(setup, drive, (SHIFT,))
        label, done = (PAID_SHIFT, SHIFTED_PAID) if paid else (FREE_SHIFT, SHIFTED_FREE)
        fields = (FlagField("shift", BY_SHIFT, required=True), by_shift)
        offers.append(ActionSpec(SelectGear.type, seat, label, fields, prompt=SHIFT_PROMPT, done=done))
    return tuple(offers)


def _gear_field(setup: Setup, drive: Drive, seat: int, is_shift: bool) -> ChoiceField:
    choices = []
    for gear in range(1, setup.gears + 1):
        problems = gear_problems(setup, drive, SelectGear(seat, gear, is_shift))
        if problems:
            why = problems[0]
            choices.append(Choice(gear, GEARS[gear - 1], None, False, why.text, why.params, why.rule))
        else:
            choices.append(Choice(gear, GEARS[gear - 1], rule="GP-19" if is_shift else "GP-3"))
    return ChoiceField("gear", GEAR, tuple(choices))


def _include(setup: Setup, drive: Drive, turn: Turn, *specials: int) -> tuple[Field, ...]:
    """Return the field for include, if it can be declared together with these special actions (GP-17, GP-18)."""
    if turn.with_include or not can_pay(setup, drive, (*specials, INCLUDE)):
        return ()
    label = PAID_INCLUDE if get_price(setup, drive, (INCLUDE,)) else FREE_INCLUDE
    return (FlagField("include", label),)


@cache
def _list_picks(dice: Dice) -> tuple[Pick, ...]:
    """Return every selection of one to six of these sorted dice: at most 63, for each of 462 different rolls."""
    picks = {pick for size in range(1, DICE + 1) for pick in combinations(dice, size)}
    return tuple(Pick(pick) for pick in sorted(picks, key=lambda pick: (len(pick), pick)))
