"""Decides when a heat is over and who has won it.

Each function looks at the two cars after one kind of event. It returns the finished heat, or None while the heat
continues. A car that has crossed stays where it is. From then on only the other player plays, *alone*, after giving up
the right to challenge the crossing.
"""

from __future__ import annotations

from games.drag_rage.state import Car, Cars, Counters, FinishedHeat, has_crossed, is_blown, is_broken


def finish_heat(cars: Cars, winner: int | None) -> FinishedHeat:
    """Return the finished heat; if `winner` is None it is a dead heat."""
    first, second = cars
    return FinishedHeat(winner, (first.played, second.played), (first.space, second.space))


def judge_move(cars: Cars, seat: int, unused: Counters) -> FinishedHeat | None:
    """Judge the heat after this seat's move."""
    mover, other = cars[seat], cars[1 - seat]
    if has_crossed(other):
        return _judge_solo_move(cars, seat, unused)
    if has_crossed(mover):
        # A crossing that can still be challenged or matched does not end the heat (DRAG-12, DRAG-21, DRAG-24).
        return None if is_broken(mover) or other.played < mover.played else finish_heat(cars, seat)
    return judge_engines(cars, unused)


def judge_engines(cars: Cars, unused: Counters) -> FinishedHeat | None:
    """Judge the engines of two cars on the track, as after a spin-out: both blown is a dead heat (DRAG-15, DRAG-23)."""
    first, second = cars
    return finish_heat(cars, None) if is_blown(first, unused) and is_blown(second, unused) else None


def judge_failed_challenge(cars: Cars, seat: int, unused: Counters) -> FinishedHeat | None:
    """Judge the heat after this seat's challenged move held: only a crossing can end it now (DRAG-25)."""
    return finish_heat(cars, seat) if has_crossed(cars[seat]) and is_blown(cars[1 - seat], unused) else None


def _judge_solo_move(cars: Cars, seat: int, unused: Counters) -> FinishedHeat | None:
    """Judge the move of a seat that plays on alone because the other has crossed."""
    mover, other = cars[seat], cars[1 - seat]
    if has_crossed(mover):
        return finish_heat(cars, _winner_of_crossed(mover, other, seat))
    # Behind a broken 'chute the player drives on whatever the number of counters (DRAG-24).
    has_caught_up = mover.played >= other.played and not is_broken(other)
    # A counter adds to the space what it takes from the unused counters, so no move blows its own player's engine. If
    # the engine is blown here, it was blown before, and by moving the player gave up the right to challenge (DRAG-25).
    return finish_heat(cars, 1 - seat) if has_caught_up or is_blown(mover, unused) else None


def _winner_of_crossed(mover: Car, other: Car, seat: int) -> int | None:
    """Return the winner after both have crossed; None for a dead heat.

    An intact 'chute wins, then fewer counters, then the nearer space (DRAG-10, DRAG-11, DRAG-14).
    """
    ours = (is_broken(mover), mover.played, mover.space)
    theirs = (is_broken(other), other.played, other.space)
    if ours == theirs or (is_broken(mover) and is_broken(other)):
        return None
    return seat if ours < theirs else 1 - seat
