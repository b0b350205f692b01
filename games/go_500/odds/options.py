"""From the state of a race to its odds.

The measure is the final total. A race that can go on without end, because every roll of six dice is circled (GO-7),
has no odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from games.core.odds import Choice, Distribution, Node, Odds, Wanted, answer_targets, find_best
from games.core.reading import Face
from games.core.time_limit import OutOfTime
from games.go_500.actions import Lock, Penalty, Reroll, Roll, Stand, Start
from games.go_500.odds.chances import Row, Tail, Vector
from games.go_500.odds.race import ByValueChain, Course, HouseValueChain, TargetChain, get_course
from games.go_500.odds.segment import STARTS, Segment
from games.go_500.scoring import add_penalty
from games.go_500.state import Dice, Hand, Penalties, Race, Rolled, Setup, Thrown, get_total
from games.go_500.transitions import lock_dice

F = TypeVar("F")


class Option(NamedTuple):
    """One choice, or the throw at a chance node: its action in the words of a transcript, and what it does."""

    action: dict[str, Any]
    black: Dice = ()
    with_green: bool = False


def get_odds(setup: Setup, race: Race, wanted: Wanted) -> Odds:
    """Return the odds of a race that is not done."""
    node = get_node(race)
    options = list_options(setup, race)
    unknown = tuple(Choice(option.action) for option in options)
    course = get_course(setup)
    if course.kit.is_always_circled:
        return Odds(node, method="none", choices=unknown, why="unbounded")
    if course.kit.is_too_large:
        return Odds(node, method="none", choices=unknown, why="not_known")
    try:
        return _answer(setup, race, wanted, course, node, options)
    except OutOfTime:
        return Odds(node, method="none", choices=unknown, why="seconds")


def get_node(race: Race) -> Node:
    """Return the kind of moment: before a throw nothing is to be decided."""
    return "chance" if isinstance(race.moment, (Hand, Penalties)) else "choice"


def list_options(setup: Setup, race: Race) -> list[Option]:
    """Return every distinct choice, in the order that settles ties.

    What stands or locks comes before a reroll; then more dice, and then smaller faces.
    """
    moment = race.moment
    if moment is None:
        return [Option({"type": Start.type, "black": black, "green": int(green)}) for black, green in STARTS]
    if isinstance(moment, Hand):
        return [Option({"type": Roll.type})]
    if isinstance(moment, Penalties):
        return [Option({"type": Penalty.type})]
    reroll = [Option({"type": Reroll.type})] if race.rerolls else []
    if isinstance(moment, Rolled) and moment.end is None:
        return [*_list_locks(setup, moment), *reroll]
    return [Option({"type": Stand.type}), *reroll]


def _list_locks(setup: Setup, rolled: Rolled) -> list[Option]:
    """Return every way to lock dice of a roll (GO-14)."""
    black, green = setup.black.values, setup.green.values

    def list_values(option: Option) -> list[int]:
        locked = [black[face] for face in option.black]
        return sorted([*locked, green[rolled.green]] if option.with_green and rolled.green is not None else locked)

    found = [_make_lock(*dice) for dice in _iter_locks(setup, rolled)]
    return sorted(
        found,
        key=lambda option: (-len(option.black) - option.with_green, list_values(option), not option.with_green),
    )


def _iter_locks(setup: Setup, rolled: Rolled) -> Iterator[tuple[Dice, bool]]:
    showing = sorted(rolled.black, key=lambda face: (setup.black.values[face], str(face)))
    for with_green in (False, True) if rolled.can_lock_green else (False,):
        for size in range(0 if with_green else 1, len(showing) + 1):
            for black in dict.fromkeys(combinations(showing, size)):
                yield black, with_green


def _make_lock(black: tuple[Face, ...], with_green: bool) -> Option:
    action: dict[str, Any] = {"type": Lock.type}
    if black:
        action["black"] = list(black)
    if with_green:
        action["green"] = True
    return Option(action, black, with_green)


def get_figures(setup: Setup, race: Race, option: Option, segment: Segment[F]) -> F:
    """Return the figures of an option, about the points that come on top of the present total.

    Args:
        setup: the options of the game.
        race: the state.
        option: one of its options.
        segment: the running segment, or the next one, with the rerolls that are left.
    """
    moment = race.moment
    match option.action["type"]:
        case Start.type:
            return segment.get_hand(option.action["black"], bool(option.action["green"]), 0)
        case Reroll.type:
            assert segment.fewer is not None
            return _get_thrown_again(moment, segment.fewer)
        case Lock.type:
            assert isinstance(moment, Rolled)
            hand = lock_dice(setup, moment, option.black, option.with_green)
            return segment.get_completed(moment.total) if hand is None else _get_hand(hand, segment)
    if isinstance(moment, Rolled):
        assert moment.end is not None
        return segment.get_accepted(moment.end, moment.total)
    if isinstance(moment, Thrown):
        return segment.get_penalties(add_penalty(setup, moment.penalties, moment.face))
    if isinstance(moment, Penalties):
        return segment.get_penalties(moment)
    assert isinstance(moment, Hand)
    return _get_hand(moment, segment)


def _get_thrown_again(moment: Any, segment: Segment[F]) -> F:
    if isinstance(moment, Thrown):
        return segment.get_penalties(moment.penalties)
    assert isinstance(moment, Rolled)
    return _get_hand(moment.hand, segment)


def _get_hand(hand: Hand, segment: Segment[F]) -> F:
    return segment.get_hand(hand.black, hand.no_green is None, hand.locked)


def _answer(setup: Setup, race: Race, wanted: Wanted, course: Course, node: Node, options: Sequence[Option]) -> Odds:
    """Return the odds with all figures that are wanted, or raise `OutOfTime`."""
    total, number, rerolls, time = get_total(race), len(race.scores), race.rerolls, wanted.limit
    values = course.get_chain(HouseValueChain, number, rerolls).get(number, time)[rerolls]
    choices = [Choice(option.action, total + get_figures(setup, race, option, values)) for option in options]
    value = max(choice.value for choice in choices if choice.value is not None)
    distribution = None
    if wanted.targets or wanted.distribution:
        by_value = course.get_chain(ByValueChain, number, rerolls)
        segment = by_value.get(number, time)[rerolls]
        row = by_value.get_row(number)
        vectors = [get_figures(setup, race, option, segment).chances for option in options]
        if wanted.distribution:
            best = find_best([choice.value for choice in choices if choice.value is not None])
            distribution = make_distribution(Tail(row, vectors[best]), total)
        if wanted.targets:
            needed = [target - total for target in wanted.targets]
            best_row, best_segment = _get_targets(course, race, min(needed), wanted)
            choices = [
                choice._replace(
                    reach=_list_chances(best_row, get_figures(setup, race, option, best_segment), needed),
                    reach_by_value=_list_chances(row, vector, needed),
                )
                for choice, option, vector in zip(choices, options, vectors, strict=True)
            ]
    targets = answer_targets(wanted.targets, choices) if wanted.targets else ()
    return Odds(node, value=value, choices=tuple(choices), targets=targets, distribution=distribution)


def _get_targets(course: Course, race: Race, needed: int, wanted: Wanted) -> tuple[Row, Segment[Vector]]:
    number, rerolls = len(race.scores), race.rerolls
    chain = course.get_chain(TargetChain, number, rerolls)
    segments, row = chain.get(number, wanted.limit), chain.get_row(number)
    if needed < row.lowest:
        row, segments = chain.get_from_below(number, wanted.limit)
    return row, segments[rerolls]


def _list_chances(row: Row, vector: Vector, needed: Sequence[int]) -> tuple[float, ...]:
    return tuple(row.get_chance(vector, points) for points in needed)


def make_distribution(tail: Tail, total: int) -> Distribution:
    """Return the chances of the final totals, from those of so many points or more still to come."""
    row, vector = tail.trim()
    if not row.length:
        return Distribution(total + row.lowest - row.step, (1.0,))
    # Fewer points than the lowest number means one step less, to within what is negligible.
    exact = [one - other for one, other in zip([1.0, *vector], [*vector, 0.0], strict=True)]
    chances = [0.0] * (row.length * row.step + 1)
    chances[:: row.step] = [max(0.0, chance) for chance in exact]
    return Distribution(total + row.lowest - row.step, tuple(chances))
