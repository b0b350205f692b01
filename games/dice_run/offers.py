"""The actions that can be recorded now, as action specs. They follow the same rules as `rules`."""

from __future__ import annotations

from functools import lru_cache

from games.core.specs import ActionSpec, Count, DiceField, NumberField, OrdinalOf
from games.core.text import gettext_noop, pgettext_noop
from games.dice_run.actions import Forfeit, Paper, Stop, Throw
from games.dice_run.faces import list_faces
from games.dice_run.state import Setup

THROW = gettext_noop("Record throw")
THROW_ALL = gettext_noop("Throw all the dice")
STOP = gettext_noop("Stop here")
PAPER = gettext_noop("Enter the sum alone")
FORFEIT_FOR_NOTHING = gettext_noop("Turn missed: it is worth 0")
FORFEIT_FOR_MOST = gettext_noop("Turn missed: it is worth the most that the dice can show")
THROWN = pgettext_noop("an action that was recorded", "Thrown")
STOPPED = pgettext_noop("an action that was recorded", "Stopped")
SUM_ENTERED = pgettext_noop("an action that was recorded", "Sum entered")
DICE = gettext_noop("Dice thrown")
TOTAL = gettext_noop("Sum of the dice")

# Any sum of the dice of any contest, for a phone on which the rules do not run: the server knows which are possible.
PLAIN_TURN = (ActionSpec(Paper.type, None, PAPER, (NumberField("total", TOTAL, 1, 200),)),)


@lru_cache
def list_offers(setup: Setup, throws: int, seat: int) -> tuple[ActionSpec, ...]:
    """Return the actions that can be recorded now on a sheet that is not done.

    Args:
        throws: how many throws the running turn has had.
    """
    dice = DiceField("dice", DICE, list_faces(setup.faces), Count(setup.dice, setup.dice))
    nth = OrdinalOf(throws + 1, setup.throws) if setup.throws > 1 else None
    throw = ActionSpec(Throw.type, seat, THROW, (dice,), nth=nth, done=THROWN)
    if throws:
        return (throw, ActionSpec(Stop.type, seat, STOP, done=STOPPED))
    total = NumberField("total", TOTAL, setup.lowest, setup.highest)
    forfeit = FORFEIT_FOR_MOST if setup.goal == "low" else FORFEIT_FOR_NOTHING
    paper = ActionSpec(Paper.type, seat, PAPER, (total,), done=SUM_ENTERED)
    return (throw, paper, ActionSpec(Forfeit.type, seat, forfeit, done=forfeit))
