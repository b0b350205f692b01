"""The results of rolls and penalty rolls, as pure functions of the dice on the table."""

from __future__ import annotations

from games.core.reading import Face
from games.go_500.kit import BLACK_DICE, BLACK_FLAG, CIRCLED_X, CRASH, FLAT, RED_FLAG, YELLOW_FLAG, Die
from games.go_500.state import Dice, Hand, Penalties, Setup

ALL_CIRCLED = 175

# Pairs of the excess over the limit, and the rolls of the red die from there on (GO-13, GO-18).
RED_ROLLS = ((120, 16), (100, 11), (80, 7), (60, 4), (40, 2), (20, 1))


def get_roll_total(setup: Setup, hand: Hand, black: Dice, green: Face | None) -> int:
    """Return the sum of the dice just rolled and the dice locked before (GO-5)."""
    values = setup.black.values
    total = hand.locked + sum([values[face] for face in black])
    return total if green is None else total + setup.green.values[green]


def find_end(setup: Setup, limit: int | None, total: int, black: Dice, green: Face | None, flag: str) -> str | None:
    """Return the clause by which a roll ends the segment, or None if there are dice to lock.

    Args:
        setup: the options.
        limit: the segment's speed limit, if it has one.
        total: the sum of the dice just rolled and the dice locked.
        black: the faces of the black dice.
        green: the face of the green die, if it was rolled.
        flag: the face of the flag die.
    """
    # This implies GO-21: once a die is locked, there are no six dice left to roll.
    if len(black) == BLACK_DICE and green in setup.green.circled and setup.black.circled.issuperset(black):
        return "GO-7"
    if flag == BLACK_FLAG:
        return "GO-9"
    if flag == YELLOW_FLAG:
        return "GO-10"
    if flag == RED_FLAG:
        return "GO-11"
    if limit is not None and total > limit:
        return "GO-13"
    if not black and (green is None or green == FLAT):
        return "GO-23"
    return None


def count_red_rolls(excess: int) -> int:
    """Return how often the red die is rolled for a total that exceeds the limit by `excess` (GO-13, GO-18)."""
    return next((rolls for least, rolls in RED_ROLLS if excess >= least), 0)


def get_penalty_die(setup: Setup, penalties: Penalties) -> Die:
    """Return the die that is due: the yellow one under a yellow flag, otherwise the red one."""
    return setup.yellow if penalties.rule == "GO-10" else setup.red


def add_penalty(setup: Setup, penalties: Penalties, face: Face) -> Penalties:
    """Return the penalties still due, and the score, after an accepted penalty roll (GO-10, GO-11, GO-24)."""
    rule, due, score, is_second, ends_race = penalties
    score += get_penalty_die(setup, penalties).values[face]
    if rule == "GO-10" or face not in (CRASH, CIRCLED_X):
        return Penalties(rule, due - 1, score, False, ends_race)
    if not is_second:
        return Penalties(rule, due, score, True, ends_race)
    return Penalties(rule, due - 1, score, False, ends_race or face == CIRCLED_X)
