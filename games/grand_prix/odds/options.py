"""From a drive to its odds: every distinct choice of the moment with the expected final total after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from games.core.odds import Choice, Node, Odds, Wanted
from games.core.time_limit import OutOfTime
from games.grand_prix.actions import Move, Reroll, Roll, Select, SelectGear
from games.grand_prix.odds.budgets import get_budget, is_unbounded
from games.grand_prix.odds.throws import average_kept
from games.grand_prix.odds.values import SeasonValues, Throw, translate
from games.grand_prix.payments import can_pay
from games.grand_prix.rules import APPLY, gear_problems
from games.grand_prix.scoring import Dice
from games.grand_prix.state import INCLUDE, REROLL, SELECT, Drive, Setup, Turn, get_total, is_done

KEPT_VALUES = 1_000_000  # more are dropped before the next question
MOST_MOMENTS = 4_000_000  # with more there is no use in trying
DEEPEST = 700  # of Python's 1,000 calls within each other
CALLS_OF_TURN, CALLS_OF_SPECIAL = 7, 3


def find_odds(setup: Setup, drive: Drive, wanted: Wanted) -> Odds:
    """Return the odds of a seat that is not done: the expected sum of its places."""
    choices = list_choices(setup, drive)
    turn = drive.turn
    is_chance = turn is not None and not turn.dice and len(choices) == 1
    node: Node = "chance" if is_chance else "choice"
    plain = tuple(Choice(action) for action in choices)
    if is_unbounded(setup):
        return Odds(node, aim="low", method="none", choices=plain, why="unbounded")
    if _estimate_depth(setup) > DEEPEST:
        return Odds(node, aim="low", method="none", choices=plain, why="seconds")
    try:
        values = _prepare_values(setup, drive, wanted)
        valued = tuple(Choice(action, value_choice(values, drive, action)) for action in choices)
    except OutOfTime:
        _get_values.cache_clear()
        return Odds(node, aim="low", method="none", choices=plain, why="seconds")
    value = min(choice.value for choice in valued if choice.value is not None)
    return Odds(node, aim="low", value=value, choices=valued)


def _estimate_depth(setup: Setup) -> int:
    """Return how many calls within each other the recursion takes at most, on the longest circuit."""
    uses = sum(setup.free) + sum(circuit.damage for circuit in setup.circuits) // min(filter(None, setup.costs))
    return CALLS_OF_TURN * max(circuit.time for circuit in setup.circuits) + CALLS_OF_SPECIAL * uses


def list_choices(setup: Setup, drive: Drive) -> list[dict[str, Any]]:
    """Return every distinct choice in the words of a transcript, without the dice that are thrown."""
    turn = drive.turn
    if turn is None:
        return list(_list_gears(setup, drive))
    if not turn.dice:
        return list(_list_with_include(setup, drive, turn, {"type": Roll.type}, ()))
    choices: list[dict[str, Any]] = [{"type": Move.type}]
    if can_pay(setup, drive, (SELECT,)):
        choices.extend(_list_selects(setup, drive, turn))
    if can_pay(setup, drive, (REROLL,)):
        choices.extend(_list_with_include(setup, drive, turn, {"type": Reroll.type}, (REROLL,)))
    return choices


def _list_gears(setup: Setup, drive: Drive) -> Iterator[dict[str, Any]]:
    for gear in range(1, setup.gears + 1):
        if not gear_problems(setup, drive, SelectGear(0, gear)):
            yield {"type": SelectGear.type, "gear": gear}
        elif not gear_problems(setup, drive, SelectGear(0, gear, True)):
            yield {"type": SelectGear.type, "gear": gear, "shift": True}


def _list_with_include(
    setup: Setup, drive: Drive, turn: Turn, action: dict[str, Any], specials: tuple[int, ...]
) -> Iterator[dict[str, Any]]:
    """Yield an action, and again with include, if that can be declared with it (GP-17, GP-18)."""
    yield action
    if not turn.with_include and can_pay(setup, drive, (*specials, INCLUDE)):
        yield {**action, "include": True}


def _list_selects(setup: Setup, drive: Drive, turn: Turn) -> Iterator[dict[str, Any]]:
    """Yield a select for each number of dice below, equal to and above the gear that stay, most dice first.

    Of dice that count the same, those with the smallest faces are thrown again.
    """
    for action in _list_with_include(setup, drive, turn, {"type": Select.type}, (SELECT,)):
        groups = _group_dice(turn.dice, turn.gear, turn.with_include or "include" in action)
        picks = [
            tuple(sorted(groups[0][:below] + groups[1][:equal] + groups[2][:above]))
            for below in range(len(groups[0]) + 1)
            for equal in range(len(groups[1]) + 1)
            for above in range(len(groups[2]) + 1)
        ]
        for pick in sorted(picks, key=lambda pick: (len(pick), pick)):
            if pick:
                yield {**action, "reroll": list(pick)}


def _group_dice(dice: Sequence[int], gear: int, with_include: bool) -> tuple[Dice, Dice, Dice]:
    """Return the dice below, equal to and above the gear, each ascending; with include none is equal."""
    showing = sorted(dice)
    below = tuple(face for face in showing if face < gear + with_include)
    equal = tuple(face for face in showing if face == gear and not with_include)
    return below, equal, tuple(face for face in showing if face > gear)


def value_choice(values: SeasonValues, drive: Drive, action: dict[str, Any]) -> float:
    """Return the expected final total after a choice."""
    setup, turn, circuit = values.setup, drive.turn, len(drive.places)
    budget: int | None = values.number_budget(circuit, get_budget(drive))
    assert budget is not None
    left = setup.circuits[circuit].time - drive.time
    done = float(get_total(drive))
    kind, includes = action["type"], bool(action.get("include"))
    if kind == SelectGear.type:
        after = APPLY[SelectGear](setup, drive, SelectGear(0, action["gear"], bool(action.get("shift"))))
        budget = values.number_budget(circuit, get_budget(after))
        return done + values.get_gear_value(circuit, drive.position, left - 1, action["gear"], budget)
    assert turn is not None
    if kind == Move.type:
        return value_drive(values, APPLY[Move](setup, drive, Move(0)))
    specials = {Roll.type: (), Reroll.type: (REROLL,), Select.type: (SELECT,)}[kind]
    budget = values.spend(circuit, budget, *specials, *((INCLUDE,) if includes else ()))
    assert budget is not None
    throw = Throw(circuit, drive.position, left, turn.gear, budget, turn.with_include or includes)
    shown = values.show(throw)
    if kind != Select.type:
        return done + shown.mean
    kept = list(turn.dice)
    for face in action["reroll"]:
        kept.remove(face)
    below, equal, _ = _group_dice(kept, turn.gear, throw.with_include)
    stages = average_kept(shown.table, throw.gear, throw.with_include, shown.has_equal)
    return done + stages[len(kept)][translate((len(below), len(equal)), shown.has_equal, False)]


def value_drive(values: SeasonValues, drive: Drive) -> float:
    """Return the expected final total of a drive between two turns."""
    done = float(get_total(drive))
    if is_done(values.setup, drive):
        return done
    circuit = len(drive.places)
    left = values.setup.circuits[circuit].time - drive.time
    budget = values.number_budget(circuit, get_budget(drive))
    return done + values.get_turn_value(circuit, drive.position, left, drive.last_gear, budget)


@lru_cache(maxsize=2)
def _get_values(setup: Setup) -> SeasonValues:
    return SeasonValues(setup)


def _prepare_values(setup: Setup, drive: Drive, wanted: Wanted) -> SeasonValues:
    """Return the values that earlier questions left, with the last circuits solved first: the recursion stays short."""
    if _get_values(setup).size > KEPT_VALUES:
        _get_values.cache_clear()
    values = _get_values(setup)
    values.limit = wanted.limit
    circuit, budget = len(drive.places), get_budget(drive)
    if (
        values.estimate_moments(circuit, drive.position, setup.circuits[circuit].time - drive.time, budget)
        > MOST_MOMENTS
    ):
        raise OutOfTime
    values.solve_later_circuits(circuit, budget)
    return values
