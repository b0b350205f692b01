"""The consequences of an action: a roll that scores nothing, a turn's points, an additional turn, the war, the end."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.actions import Action, Retire
from games.core.consequences import Consequence
from games.core.text import gettext_noop, ngettext_lazy
from games.rogue.actions import Keep, Roll
from games.rogue.scoring import DICE, KEEPS, sort_dice
from games.rogue.state import NEW_TURN, Setup, Table

NOTHING_SCORES = ngettext_lazy(
    "Nothing scores and there is no rogue: the turn ends with %(points)s point.",
    "Nothing scores and there is no rogue: the turn ends with %(points)s points.",
    "points",
)
LAST_DIE = gettext_noop("A rogue on the last die doubles the turn.")
ROGUES_IN_A_ROW = gettext_noop("Rogues in a row: %(count)s of 6. The sixth is rogue out.")
TURN_GIVES = ngettext_lazy("The turn scores %(points)s point.", "The turn scores %(points)s points.", "points")
ADDITIONAL_TURN = gettext_noop("It is war, and the turn used all six dice: %(name)s takes an additional turn.")
NO_ADDITIONAL_TURN = gettext_noop("A rogue was set aside by itself, so there is no additional turn.")
WAR = gettext_noop("A player has %(points)s points: it is war for everyone.")
LAST_ROUND = gettext_noop("A player has %(points)s points: this is the last round.")
ONE_MORE_ROUND = gettext_noop("The lead is tied at the end of the round: everyone takes another turn.")
ROGUE_OUT = gettext_noop("Rogue out: six rogues in a row. %(name)s has won.")
WON = gettext_noop("The last round is over and %(name)s has the most points: %(name)s has won.")


def list_consequences(before: Table, action: Action, after: Table) -> tuple[Consequence, ...]:
    """Return the consequences of an action, in the order in which they happen."""
    return () if isinstance(action, Retire) else tuple(_iter_consequences(before, action, after))


def _iter_consequences(before: Table, action: Action, after: Table) -> Iterator[Consequence]:
    seat, turn = before.seat, before.turn
    is_last_die = isinstance(action, Keep) and turn.left == 1
    if isinstance(action, Roll) and not KEEPS[sort_dice(action.dice)]:
        yield Consequence(NOTHING_SCORES, "ROGUE-3", {"points": turn.points})
    elif is_last_die and turn.rogues == DICE - 1:
        yield Consequence(ROGUE_OUT, "ROGUE-24", seats={"name": seat})
        return
    elif is_last_die:
        yield Consequence(LAST_DIE, "ROGUE-8")
    if after.turn != NEW_TURN:
        if after.turn.rogues > max(turn.rogues, 1) and after.turn.rogues == DICE - after.turn.left:
            yield Consequence(ROGUES_IN_A_ROW, "ROGUE-24", {"count": after.turn.rogues})
        return
    if not isinstance(action, Roll):
        yield Consequence(TURN_GIVES, "ROGUE-23", {"points": after.scores[seat] - before.scores[seat]})
    yield from _iter_round_consequences(before, action, after)


def _iter_round_consequences(before: Table, action: Action, after: Table) -> Iterator[Consequence]:
    """Return the consequences of the end of a turn for the round and the game."""
    setup: Setup = before.ruleset.setup
    most, more = max(before.scores), max(after.scores)
    if most < setup.war_at <= more:
        yield Consequence(WAR, "ROGUE-12", {"points": more})
    if after.winner is not None:
        yield Consequence(WON, "ROGUE-13", seats={"name": after.winner})
        return
    if after.seat == before.seat:
        yield Consequence(ADDITIONAL_TURN, "ROGUE-12", seats={"name": after.seat})
    elif more >= setup.war_at and before.turn.rogues and _uses_all(before, action):
        yield Consequence(NO_ADDITIONAL_TURN, "ROGUE-12")
    is_round_over = after.seat < before.seat
    if is_round_over and more >= setup.target:
        yield Consequence(ONE_MORE_ROUND, "ROGUE-14")
    elif most < setup.target <= more:
        yield Consequence(LAST_ROUND, "ROGUE-13", {"points": more})


def _uses_all(before: Table, action: Action) -> bool:
    return isinstance(action, Keep) and len(action.dice) == before.turn.left
