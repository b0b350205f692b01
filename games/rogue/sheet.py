"""The score sheet: the points set aside in the running turn, each total, and the points still to go."""

from __future__ import annotations

from games.core.sheet import Cell, Line, ScoreSheet
from games.core.text import gettext_noop
from games.rogue.state import Setup, Table

RUNNING_TURN = gettext_noop("Set aside this turn")
TO_WAR = gettext_noop("Points to the war")
TO_TARGET = gettext_noop("Points to the target")
TOTAL = gettext_noop("Points")


def make_sheet(table: Table) -> ScoreSheet:
    """Return the sheet. Only the seat to act has a running turn; a goal that is reached has an empty cell."""
    setup: Setup = table.ruleset.setup
    to_act = table.seat if table.winner is None else None
    running = tuple(Cell(table.turn.points if seat == to_act else None) for seat in range(len(table.scores)))
    lines = (
        Line("turn", RUNNING_TURN, "ROGUE-23", running),
        Line("to_war", TO_WAR, "ROGUE-12", _list_distances(table, setup.war_at)),
        Line("to_target", TO_TARGET, "ROGUE-13", _list_distances(table, setup.target)),
        Line("total", TOTAL, "ROGUE-23", tuple(Cell(score) for score in table.scores), "total"),
    )
    return ScoreSheet(lines, table.scores)


def _list_distances(table: Table, goal: int) -> tuple[Cell, ...]:
    return tuple(Cell(goal - score if score < goal else None) for score in table.scores)
