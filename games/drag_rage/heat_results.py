"""When a heat is over, and who has won it.

Each function here looks at the two cars after one kind of event and returns the finished heat, or None while the heat
goes on. A car that crosses stays where it is: from then on only the other plays, *alone*, once it has let its right to
challenge the crossing go.
"""

from __future__ import annotations

from games.drag_rage.state import Car, Cars, Counters, FinishedHeat, has_crossed, is_blown, is_broken


def finish_heat(cars: Cars, winner: int | None) -> FinishedHeat:
    """Return the heat as it ends here; a winner of None is a dead heat."""
    first, second = cars
    return FinishedHeat(winner, (first.played, second.played), (first.space, second.space))


def judge_move(cars: Cars, seat: int, unused: Counters) -> FinishedHeat | None:
    """Judge the heat after this seat's move."""
    mover, other = cars[seat], cars[1 - seat]
    if has_crossed(other):
        return _judge_solo_move(cars, seat, unused)
    if has_crossed(mover):
        # A crossing that can still be challenged or answered closes nothing (DRAG-12, DRAG-21, DRAG-24).
        return None if is_broken(mover) or other.played < mover.played else finish_heat(cars, seat)
    return judge_engines(cars, unused)


def judge_engines(cars: Cars, unused: Counters) -> FinishedHeat | None:
    """Judge the engines of two cars on their way, as after a spin-out: both blown is a dead heat (DRAG-15, DRAG-23)."""
    first, second = cars
    return finish_heat(cars, None) if is_blown(first, unused) and is_blown(second, unused) else None


def judge_failed_challenge(cars: Cars, seat: int, unused: Counters) -> FinishedHeat | None:
    """Judge the heat after this seat's challenged move held: only a crossing can close it now (DRAG-25)."""
    return finish_heat(cars, seat) if has_crossed(cars[seat]) and is_blown(cars[1 - seat], unused) else None


def _judge_solo_move(cars: Cars, seat: int, unused: Counters) -> FinishedHeat | None:
    """Judge the move of a seat that plays on alone, the other having crossed."""
    mover, other = cars[seat], cars[1 - seat]
    if has_crossed(mover):
        return finish_heat(cars, _winner_of_crossed(mover, other, seat))
    is_level = mover.played >= other.played and not is_broken(other)  # a broken 'chute waits for any number (DRAG-24)
    # What a counter takes from the unused ones it adds to the space, so no move blows its own player's engine: one that
    # is blown here was so before, and by this move the player let the right to challenge go (DRAG-25).
    return finish_heat(cars, 1 - seat) if is_level or is_blown(mover, unused) else None


def _winner_of_crossed(mover: Car, other: Car, seat: int) -> int | None:
    """Both have crossed: whole 'chutes, then fewer counters, then the nearer space (DRAG-10, DRAG-11, DRAG-14)."""
    ours = (is_broken(mover), mover.played, mover.space)
    theirs = (is_broken(other), other.played, other.space)
    if ours == theirs or (is_broken(mover) and is_broken(other)):
        return None
    return seat if ours < theirs else 1 - seat
