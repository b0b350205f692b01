"""From the state of a table to its odds.

The measure is the expected points of the running turn under best play, what is set aside included; additional turns
(ROGUE-12) are not in it, and a rogue out counts 0. A seat that waits is told the same of the turn it waits for.

Between two players there is also the chance to win, if the running turn is played to win, and all later turns of both
for their expected points. An additional turn is a later one. Where the chance needs too large a table, it is left out.
"""

from __future__ import annotations

from games.core.odds import Choice, Node, Odds, Wanted
from games.core.time_limit import OutOfTime, TimeLimit
from games.rogue.actions import Bank, Keep, Roll
from games.rogue.odds.duel import get_duel
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
    wins = find_wins(table, wanted.limit) if wanted.game_chances else None
    chances = {}
    if wins is not None:
        win = max(wins)
        chances["win"] = win if seat == table.seat else 1 - win
        choices = tuple(choice._replace(chances={"win": chance}) for choice, chance in zip(choices, wins, strict=True))
    return Odds(node, "turn", value=value, choices=() if node == "waiting" else choices, chances=chances)


def find_wins(table: Table, time: TimeLimit) -> list[float] | None:
    """Return the chance of the seat in turn to win after each of its choices, if it plays the turn to win.

    Returns:
        None if there are more than two seats, or it takes too long.
    """
    if len(table.scores) > 2:
        return None
    duel = get_duel(table.ruleset.setup)
    first, second = table.scores
    if not duel.can_prepare(first, second):
        return None
    try:
        duel.prepare(first, second, time)
    except OutOfTime:
        return None

    def win_as_first(points: int, is_full: bool) -> float:
        return duel.after_first(first + points, second, is_full=is_full)

    def win_as_second(points: int, is_full: bool) -> float:
        return 1 - duel.after_second(first, second + points, is_full=is_full)

    best = BestTurn(win_as_second if table.seat else win_as_first, rogue_out=1.0)
    return [choice.value for choice in list_choices(table.turn, best) if choice.value is not None]


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
