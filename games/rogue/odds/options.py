"""From the state of a table to its odds.

The measure is the expected points of the running turn under best play, what is set aside included; additional turns
(ROGUE-12) are not in it, and a rogue out counts 0. A seat that waits is told the same of the turn it waits for.
"""

from __future__ import annotations

from games.core.odds import Choice, Node, Odds, Wanted
from games.rogue.actions import Bank, Keep, Roll
from games.rogue.odds.values import BestTurn, get_best_points, get_progress, make_gain
from games.rogue.scoring import KEEPS
from games.rogue.state import Table, Turn


def get_odds(table: Table, seat: int, wanted: Wanted) -> Odds:
    """Return the odds of the seat."""
    if table.winner is not None or seat in table.retired:
        return Odds("done", "turn")
    choices = list_choices(table.turn, get_best_points())
    value = max(choice.value for choice in choices if choice.value is not None)
    node = get_node(table, seat)
    return Odds(node, "turn", value=value, choices=() if node == "waiting" else choices)


def get_node(table: Table, seat: int) -> Node:
    """Return the kind of moment for a seat that takes part in a game that is not over."""
    if seat != table.seat:
        return "waiting"
    return "choice" if table.turn.showing or table.turn.has_kept else "chance"


def list_choices(turn: Turn, best: BestTurn) -> tuple[Choice, ...]:
    """Return the choices of the seat in turn with their values; before the first roll of a turn, that roll.

    Selections are in the order that settles ties: fewer dice first, then more points.
    """
    progress = get_progress(turn)
    if not turn.showing:
        roll = Choice({"type": Roll.type}, best.get_roll(progress))
        return (roll, Choice({"type": Bank.type}, best.get_end(progress))) if turn.has_kept else (roll,)
    gains = {kept: make_gain(turn.showing, kept) for kept in KEEPS[turn.showing]}
    in_order = sorted(gains, key=lambda kept: (gains[kept].dice, -gains[kept].points))
    return tuple(
        Choice({"type": Keep.type, "dice": list(kept)}, best.get_kept(progress, gains[kept])) for kept in in_order
    )
