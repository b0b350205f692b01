"""The actions that can be recorded now, as action specs. They follow the same rules as `rules`."""

from __future__ import annotations

from games.core.dice import PIP_FACES
from games.core.specs import ActionSpec, Count, DiceField, FaceSpec, Pick, PickField
from games.core.text import gettext_noop, pgettext_noop
from games.rogue.actions import Bank, Keep, Roll
from games.rogue.scoring import CRITTER, KEEPS
from games.rogue.state import Turn

FACES = (
    *PIP_FACES[1:],
    FaceSpec(CRITTER, gettext_noop("critter"), "critter"),
)

ROLL = gettext_noop("Record roll")
KEEP = gettext_noop("Set aside")
BANK = gettext_noop("End turn")
ROLLED = pgettext_noop("an action that was recorded", "Rolled")
KEPT = pgettext_noop("an action that was recorded", "Set aside")
BANKED = pgettext_noop("an action that was recorded", "Turn ended")
ROLL_DICE = gettext_noop("Roll the dice")
KEEP_PROMPT = gettext_noop("set dice aside")
BANK_PROMPT = gettext_noop("end the turn")
DICE_ROLLED = gettext_noop("Dice rolled")
DICE_SET_ASIDE = gettext_noop("Dice set aside")


def list_offers(turn: Turn, seat: int) -> tuple[ActionSpec, ...]:
    """Return the actions that the seat to act can record now."""
    if turn.showing:
        return (_keep(turn, seat),)
    dice = DiceField("dice", DICE_ROLLED, FACES, Count(turn.left, turn.left))
    roll = ActionSpec(Roll.type, seat, ROLL, (dice,), done=ROLLED)
    return (roll, ActionSpec(Bank.type, seat, BANK, prompt=BANK_PROMPT, done=BANKED)) if turn.has_kept else (roll,)


def _keep(turn: Turn, seat: int) -> ActionSpec:
    """Return every selection to set aside, best first. The last die can only be a rogue, which doubles (ROGUE-8)."""
    if turn.left == 1:
        picks = [Pick(turn.showing, turn.points)]
    else:
        picks = [Pick(dice, points) for dice, points in KEEPS[turn.showing].items()]
        picks.sort(key=lambda pick: -(pick.points or 0))
    dice = PickField("dice", DICE_SET_ASIDE, turn.showing, tuple(picks), faces=FACES)
    return ActionSpec(Keep.type, seat, KEEP, (dice,), prompt=KEEP_PROMPT, done=KEPT)
