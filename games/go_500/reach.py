"""The best and the worst total that a race can still have, from the dice and the limits that are left.

Terms: an *outcome* of a segment is the range of scores that it can still get, apart for those after which the race goes
on and those with which a circled X ends it (GO-11). A range without a highest score is open.

- Every flag can come up on every roll, so a black flag can always bring 0.
- Each total that a later roll of a turn can have, its first roll can have too: locked dice stay as they were rolled. So
  one roll of the dice in play says everything, except for six circled dice.
- Six circled dice score 175 and earn a turn that can earn another (GO-20). So as long as the kit has circled faces and
  a segment can still begin with all six dice, **there is no best total**.
- A contest can be closed while a race is running; then the total it has now stays. So that total is in the range too.

The ranges are exact, except that the 175 points of GO-7 are also counted as a total that could have been locked.

Measured on the default course: 0.1 ms at most, and 7 ms the first time for a kit, which fills the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from games.core.standing import Reach, Standing
from games.go_500.kit import BLACK_DICE, CIRCLED_X, CRASH, Die
from games.go_500.scoring import ALL_CIRCLED, add_penalty, count_red_rolls
from games.go_500.state import Hand, Penalties, Race, Rolled, Setup, Thrown, get_total, is_done
from games.go_500.transitions import lock_dice

MAX_TOTALS = 4000  # a kit whose dice can show more different totals is not worked out


class Range(NamedTuple):
    """Scores from `low` to `high`, both possible; if `high` is None, any score can be exceeded."""

    low: int
    high: int | None


class Outcome(NamedTuple):
    """The scores after which the race goes on, and those that end it; None where there are none."""

    on: Range | None
    over: Range | None


class Dice(NamedTuple):
    """The values of the dice, as far as totals depend on them.

    Attributes:
        red: the values of a red roll after which the race goes on, a second roll included.
        can_end_race: whether a red roll can end the race, which scores 0.
        can_circle: whether all six dice can be circled.
    """

    black: tuple[int, ...]
    green: tuple[int, ...]
    yellow: tuple[int, ...]
    red: tuple[int, ...]
    can_end_race: bool
    can_circle: bool


class TooManyTotals(Exception):
    """The dice of this kit can show too many different totals."""


def get_reach(setup: Setup, race: Race) -> Reach | None:
    """Return the best and the worst total that the race can still have, or end with if the contest is closed early.

    Returns:
        None if the dice of the kit can show too many different totals. `best` is None if there is none (GO-20).
    """
    total = get_total(race)
    if is_done(setup, race):
        return Reach(_make_standing(total), _make_standing(total))
    try:
        dice, done = _list_dice(setup), len(race.scores)
        limits = tuple(segment.limit for segment in setup.course.segments)
        left = _add_rest(_get_outcome(dice, setup, race, limits[done]), _get_rest(dice, limits[done + 1 :]))
    except TooManyTotals:
        return None
    best = None if left.high is None else _make_standing(total + max(0, left.high))
    return Reach(best, _make_standing(total + min(0, left.low)))


def _make_standing(total: int) -> Standing:
    return Standing(total, (total,), "done")


def _list_dice(setup: Setup) -> Dice:
    red = setup.red.values
    after_red = {value for face, value in red.items() if face not in (CRASH, CIRCLED_X)} | (
        {0} if CRASH in red else set()
    )
    return Dice(
        _list_values(setup.black),
        _list_values(setup.green),
        _list_values(setup.yellow),
        tuple(sorted(after_red)),
        CIRCLED_X in red,
        bool(setup.black.circled and setup.green.circled),
    )


def _list_values(die: Die) -> tuple[int, ...]:
    return tuple(sorted(set(die.values.values())))


@lru_cache(maxsize=256)
def _get_rest(dice: Dice, limits: tuple[int | None, ...]) -> Range:
    """Return what the segments with these limits can add."""
    rest = Range(0, 0)
    for limit in reversed(limits):
        rest = _add_rest(_get_new_segment(dice, limit), rest)
    return rest


def _add_rest(outcome: Outcome, rest: Range) -> Range:
    """Return the segment's scores with those of the segments after it, which an ended race does not have (GO-25)."""
    ranges = [outcome.over] if outcome.over is not None else []
    if outcome.on is not None:
        is_open = outcome.on.high is None or rest.high is None
        high = None if is_open else (outcome.on.high or 0) + (rest.high or 0)
        ranges.append(Range(outcome.on.low + rest.low, high))
    joined = _join(ranges)
    assert joined is not None, "a segment has an outcome"
    return joined


def _get_outcome(dice: Dice, setup: Setup, race: Race, limit: int | None) -> Outcome:
    """Return the outcome of the running segment, or of the one that is next."""
    moment = race.moment
    if moment is None:
        return _get_new_segment(dice, limit)
    if isinstance(moment, Hand):
        return _roll(dice, limit, moment)
    if isinstance(moment, Penalties):
        return _throw(dice, moment)
    if isinstance(moment, Thrown):
        # A penalty roll that can be rerolled can still come out in any way.
        return _throw(dice, moment.penalties if race.rerolls else add_penalty(setup, moment.penalties, moment.face))
    accepted = _accept(dice, setup, limit, moment)
    return _union((accepted, _roll(dice, limit, moment.hand))) if race.rerolls else accepted


@lru_cache(maxsize=256)
def _get_new_segment(dice: Dice, limit: int | None) -> Outcome:
    choices = product(range(BLACK_DICE + 1), (None, "GO-4"))
    return _union(_roll(dice, limit, Hand(black, no_green)) for black, no_green in choices)


@lru_cache(maxsize=4096)
def _roll(dice: Dice, limit: int | None, hand: Hand) -> Outcome:
    """Return the outcome of a turn whose next roll is of this hand."""
    on, over = [Range(0, 0)], []  # a black flag
    for total in _list_totals(dice, hand):
        yellow = Range(total + dice.yellow[0], total + dice.yellow[-1])
        outcome = _throw(dice, Penalties("GO-11", 1, total))
        excess = 0 if limit is None or total <= limit else total - limit
        green = _throw(dice, Penalties("GO-13", count_red_rolls(excess), total))
        on += [yellow, *(found.on for found in (outcome, green) if found.on is not None)]
        over += [found.over for found in (outcome, green) if found.over is not None]
    after = Outcome(_join(on), _join(over))
    is_six = hand.black == BLACK_DICE and hand.no_green is None
    return _open_up(after) if is_six and dice.can_circle else after


@lru_cache(maxsize=256)
def _list_totals(dice: Dice, hand: Hand) -> frozenset[int]:
    """Return every total of the dice that are locked and those that are rolled."""
    totals = {hand.locked}
    for values in [dice.black] * hand.black + ([dice.green] if hand.no_green is None else []):
        totals = {total + value for total in totals for value in values}
        if len(totals) > MAX_TOTALS:
            raise TooManyTotals
    return frozenset(totals)


def _throw(dice: Dice, penalties: Penalties) -> Outcome:
    """Return the outcome of a segment in which penalty rolls are due (GO-10, GO-11, GO-13, GO-24)."""
    score, due = penalties.score, penalties.due
    if penalties.rule == "GO-10":
        return Outcome(Range(score + due * dice.yellow[0], score + due * dice.yellow[-1]), None)
    ending = (0,) if dice.can_end_race else ()
    either = sorted({*dice.red, *ending})
    if penalties.ends_race or not due:
        added = Range(score + due * either[0], score + due * either[-1])
        return Outcome(None, added) if penalties.ends_race else Outcome(added, None)
    on = Range(score + due * dice.red[0], score + due * dice.red[-1]) if dice.red else None
    # One of the rolls ends the race and scores 0.
    over = Range(score + (due - 1) * either[0], score + (due - 1) * either[-1]) if ending else None
    return Outcome(on, over)


def _accept(dice: Dice, setup: Setup, limit: int | None, rolled: Rolled) -> Outcome:
    """Return the outcome of a turn in which this roll is accepted, or some of its dice are locked."""
    match rolled.end:
        case "GO-7":
            again = _get_new_segment(dice, limit)
            return Outcome(*(None if part is None else Range(part.low + ALL_CIRCLED, None) for part in again))
        case "GO-9":
            return Outcome(Range(0, 0), None)
        case "GO-10" | "GO-11":
            return _throw(dice, Penalties(rolled.end, 1, rolled.total))
        case "GO-13":
            assert limit is not None
            return _throw(dice, Penalties("GO-13", count_red_rolls(rolled.total - limit), rolled.total))
        case "GO-23":
            return Outcome(Range(rolled.total, rolled.total), None)
    complete = Outcome(Range(rolled.total, rolled.total), None)  # by locking all dice
    return _union([complete, *(_roll(dice, limit, hand) for hand in _list_hands(setup, rolled))])


def _list_hands(setup: Setup, rolled: Rolled) -> Iterator[Hand]:
    """Yield the hands that locking some of the dice can leave (GO-14)."""
    hands = {
        lock_dice(setup, rolled, black, with_green)
        for size in range(len(rolled.black) + 1)
        for black in set(combinations(rolled.black, size))
        for with_green in ((False, True) if rolled.can_lock_green else (False,))
        if black or with_green
    }
    return (hand for hand in hands if hand is not None)


def _open_up(outcome: Outcome) -> Outcome:
    """Return the outcome if 175 points and another turn may come before it, any number of times (GO-20)."""
    return Outcome(*(None if part is None else Range(part.low, None) for part in outcome))


def _union(outcomes: Iterable[Outcome]) -> Outcome:
    found = list(outcomes)
    return Outcome(
        _join(outcome.on for outcome in found if outcome.on is not None),
        _join(outcome.over for outcome in found if outcome.over is not None),
    )


def _join(ranges: Iterable[Range]) -> Range | None:
    found = list(ranges)
    if not found:
        return None
    highs = [part.high for part in found if part.high is not None]
    return Range(min(part.low for part in found), max(highs) if len(highs) == len(found) else None)
