"""From a race to its odds: every choice of the moment with its value, and the chance to win the race.

A choice is made by the game's own transitions. What follows is looked at in the same way, up to the next moment at
which a player must advance: its value comes from the recursion.
"""

from __future__ import annotations

from functools import lru_cache

from games.core.actions import Action
from games.core.odds import Choice, Node, Odds, Wanted
from games.core.time_limit import OutOfTime, TimeLimit
from games.drag_rage.actions import Advance, Defend
from games.drag_rage.odds.alone import DEAD_HEAT, LOSS, WIN, get_alone_value, get_value
from games.drag_rage.odds.chances import SPIN_OUT, SPIN_OUT_WITH_NITRO
from games.drag_rage.odds.choices import HIGHEST_FACE, LOWEST_FACE, list_choices
from games.drag_rage.odds.openings import read_openings
from games.drag_rage.odds.unused import write_set
from games.drag_rage.odds.values import HeatValues
from games.drag_rage.rules import find_advance_problem
from games.drag_rage.state import ALL_DICE, FREE_DICE, HEATS_TO_WIN, FinishedHeat, Heat, Race, has_crossed, is_over
from games.drag_rage.transitions import APPLY

MAX_VALUES = 1_000_000  # some 180 MB; more are dropped before the next question


def find_odds(race: Race, seat: int, wanted: Wanted) -> Odds:
    """Return the odds of a seat: its chance to win the running heat, and the race (DRAG-16)."""
    if is_over(race):
        return Odds("done", "heat")
    heat = race.heat
    if heat is None:
        # Nobody knows who starts: by DRAG-17 the players decide it away from the table.
        return Odds("between", "heat", value=DEAD_HEAT, chances=_get_race_chance(race, seat, DEAD_HEAT))
    node: Node = "waiting"
    actions: list[Action] = []
    if seat == heat.to_act:
        actions = list(list_choices(heat))
        node = "chance" if heat.due == "roll" and len(actions) == 1 else "choice"
    try:
        values = _prepare_values(wanted.limit)
        choices = tuple(_make_choice(race, action, value_choice(values, heat, action)) for action in actions)
        value = max(choice.value for choice in choices if choice.value is not None) if choices else None
        if value is None:
            value = WIN - value_heat(values, heat)
    except OutOfTime:
        choices = tuple(Choice(_write(action)) for action in actions)
        return Odds(node, "heat", method="none", choices=choices, why="seconds")
    return Odds(node, "heat", value=value, choices=choices, chances=_get_race_chance(race, seat, value))


def _make_choice(race: Race, action: Action, value: float) -> Choice:
    assert race.heat is not None
    return Choice(_write(action), value, chances=_get_race_chance(race, race.heat.to_act, value))


def value_heat(values: HeatValues, heat: Heat) -> float:
    """Return the value of a running heat for the seat that acts next."""
    choices = [action for action in list_choices(heat) if not isinstance(action, Advance)]
    found = [value_choice(values, heat, action) for action in choices]
    if heat.due != "roll" and find_advance_problem(heat) is None:
        found.append(_value_advance(values, heat))
    return max(found)


def _value_advance(values: HeatValues, heat: Heat) -> float:
    """Return the value for the seat that acts next if it advances, by the best counter."""
    car, other = heat.cars[heat.to_act], heat.cars[1 - heat.to_act]
    lead, unused = car.played - other.played, write_set(heat.unused)
    if has_crossed(other):
        return get_alone_value(car.space, other.space, -lead, unused)
    keeps_nitro = car.has_nitro and heat.due != "after_hold"  # given up (DRAG-7)
    return values.get_advance_value(car.space, other.space, lead, keeps_nitro, other.has_nitro, unused)


def value_choice(values: HeatValues, heat: Heat, action: Action) -> float:
    """Return the value of a choice for the seat that makes it. Only the number of dice of a roll counts."""
    if not isinstance(action, Defend):
        return _value_next(values, heat, action)
    assert heat.move is not None
    size = len(action.dice)
    chance = (SPIN_OUT if size == FREE_DICE else SPIN_OUT_WITH_NITRO)[heat.move.counter]
    holds = _value_next(values, heat, Defend(heat.to_act, (HIGHEST_FACE,) * size))
    if not chance:
        return holds
    return chance * _value_next(values, heat, Defend(heat.to_act, (LOWEST_FACE,) * size)) + (1 - chance) * holds


def _value_next(values: HeatValues, heat: Heat, action: Action) -> float:
    after = APPLY[type(action)](heat, action)
    if isinstance(after, FinishedHeat):
        return get_value(after, heat.to_act)
    value = value_heat(values, after)
    return value if after.to_act == heat.to_act else WIN - value


def _write(action: Action) -> dict[str, object]:
    """Return a choice in the words of a transcript, without the dice."""
    if isinstance(action, Advance):
        return {"type": action.type, "counter": action.counter}
    if isinstance(action, Defend):
        return {"type": action.type, "nitro": len(action.dice) == ALL_DICE}
    return {"type": action.type}


def _get_race_chance(race: Race, seat: int, value: float) -> dict[str, float]:
    """Return the chance to win the race, if each later heat is won by either player with a chance of a half."""
    own, other = race.won[seat], race.won[1 - seat]
    return {"race": value * _win_race(own + 1, other) + (1 - value) * _win_race(own, other + 1)}


def _win_race(own: int, other: int) -> float:
    if own == HEATS_TO_WIN:
        return WIN
    if other == HEATS_TO_WIN:
        return LOSS
    return (_win_race(own + 1, other) + _win_race(own, other + 1)) / 2


@lru_cache(maxsize=1)
def _get_values() -> HeatValues:
    return HeatValues(read_openings())


def _prepare_values(limit: TimeLimit) -> HeatValues:
    """Return the values that earlier questions left, unless they have become too many."""
    if len(_get_values().known) > MAX_VALUES:
        _get_values.cache_clear()
    values = _get_values()
    values.limit = limit
    return values
