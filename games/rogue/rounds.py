"""What happens at the end of a turn: its points, an additional turn in the war, the next seat or round, or the end.

Terms: a *round* gives every seat that has not retired one turn, in seat order. An additional turn belongs to the turn
that earned it (ROGUE-25). The game ends only at the end of a round, unless a player rolls rogue out or only one seat
is left.
"""

from __future__ import annotations

from games.rogue.state import NEW_TURN, Setup, Table, Turn, list_playing


def end_turn(table: Table, turn: Turn) -> Table:
    """Return the table after this turn has ended, with an additional turn or the next seat's turn.

    The turn's own points count when the rules decide whether it is war (ROGUE-12, ROGUE-23).
    """
    table = _add_points(table, turn.points)
    setup: Setup = table.ruleset.setup
    has_used_all = turn.left == 0 and turn.rogues == 0
    if has_used_all and max(table.scores) >= setup.war_at:
        return table
    return _pass_turn(table)


def rogue_out(table: Table) -> Table:
    """Return the table after six rogues in a row (ROGUE-15, ROGUE-24). Such a turn has no points."""
    return _finish(table, table.seat)


def retire_seat(table: Table, seat: int) -> Table:
    """Return the table after the seat has retired (TABLE-3). If it was in its turn, the points so far count."""
    is_running = seat == table.seat
    if is_running:
        table = _add_points(table, table.turn.points)
    table = table._replace(retired=table.retired | {seat})
    playing = list_playing(table)
    if len(playing) == 1:
        return _finish(table, playing[0])
    return _pass_turn(table) if is_running else table


def _add_points(table: Table, points: int) -> Table:
    """Return the table with the points added to the seat whose turn it is, and with a new turn."""
    ruleset, scores, seat, _, retired, winner = table
    scores = (*scores[:seat], scores[seat] + points, *scores[seat + 1 :])
    return Table(ruleset, scores, seat, NEW_TURN, retired, winner)


def _pass_turn(table: Table) -> Table:
    """Return the table with the next seat to act; after the last seat the round is over."""
    playing = list_playing(table)
    following = next((seat for seat in playing if seat > table.seat), None)
    if following is not None:
        return table._replace(seat=following)
    leader = _sole_leader(table, playing)
    setup: Setup = table.ruleset.setup
    if leader is not None and max(table.scores) >= setup.target:
        return _finish(table, leader)
    return table._replace(seat=playing[0])


def _sole_leader(table: Table, playing: list[int]) -> int | None:
    """Return the playing seat with the most points; None if several share the lead (ROGUE-14)."""
    most = max(table.scores[seat] for seat in playing)
    leaders = [seat for seat in playing if table.scores[seat] == most]
    return leaders[0] if len(leaders) == 1 else None


def _finish(table: Table, winner: int) -> Table:
    return table._replace(turn=NEW_TURN, winner=winner)
