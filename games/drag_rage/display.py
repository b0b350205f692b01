"""The picture of the race, as plain data for `display.html`.

Terms: a seat's *number* counts from 1. Positions on the strip use the units of the drawing: `x` is the position of a
car's nose, at the front edge of its space. Beyond the last space there is one more place, for cars with a broken
'chute.

Between two heats the strip shows the cars where they were when the last heat ended. A finished heat records how many
counters each seat played, but not which counters they were or which were left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from games.drag_rage.state import (
    COUNTERS,
    FINISH,
    LAST,
    START,
    Car,
    FinishedHeat,
    Heat,
    Race,
    find_winner,
    has_crossed,
    is_blown,
    is_broken,
    is_over,
)

LEFT = 42  # leaves space for a whole car on the first space
WIDTH = 12  # of a space

CarStatus = Literal["racing", "crossed", "broken", "blown"]


def make_display(race: Race) -> dict[str, Any]:
    """Return the strip with both cars, the counters, the action that is due, and the heats so far."""
    winner = find_winner(race)
    return {
        "heat": _list_numbers(race)[-1],
        "next_heat": sum(race.won) + 1,
        "is_running": race.heat is not None and not is_over(race),
        "is_over": is_over(race),
        "winner": None if winner is None else winner + 1,
        "due": _due(race),
        "move": None if is_over(race) else _move(race.heat),
        "cars": _list_cars(race),
        "spaces": [{"number": space, "x": _x(space - 1)} for space in range(START, LAST + 1)],
        "finish": _x(FINISH - 1),
        "end": _x(LAST),
        "counters": _list_counters(race.heat),
        "heats": [_finished(number, heat) for number, heat in zip(_list_numbers(race), race.heats, strict=False)],
    }


def _x(space: int) -> int:
    """Return the position of the front edge of a space."""
    return LEFT + WIDTH * min(space, LAST + 1)


def _due(race: Race) -> Mapping[str, Any] | None:
    """Return which action is due from which seat; None if no heat is running."""
    heat = race.heat
    if heat is None or is_over(race):
        return None
    return {
        "what": heat.due,
        "seat": heat.to_act + 1,
        "opponent": 2 - heat.to_act,
        "has_nitro": heat.cars[heat.to_act].has_nitro,
        "has_counters": bool(heat.unused),
    }


def _move(heat: Heat | None) -> Mapping[str, Any] | None:
    """Return the move that is or can be challenged (DRAG-18). The action that is due tells whose move it is."""
    if heat is None or heat.move is None:
        return None
    mover = heat.to_act if heat.due == "roll" else 1 - heat.to_act
    return {
        "seat": mover + 1,
        "counter": heat.move.counter,
        "origin": heat.move.origin,
        "from_x": _x(heat.move.origin),
        "to_x": _x(heat.cars[mover].space),
    }


def _list_cars(race: Race) -> list[Mapping[str, Any]]:
    if race.heat is not None:
        cars = race.heat.cars
        statuses = [_get_status(car, race.heat.unused) for car in cars]
    elif race.heats:
        cars, statuses = _stopped(race.heats[-1])
    else:
        cars, statuses = (Car(), Car()), ["racing", "racing"]
    return [_car(race, seat, car, status) for seat, (car, status) in enumerate(zip(cars, statuses, strict=True))]


def _stopped(heat: FinishedHeat) -> tuple[tuple[Car, Car], list[CarStatus]]:
    """Return the cars as they were at the end of a heat. Blown engines are no longer shown."""
    first, second = (Car(*car) for car in zip(heat.spaces, heat.counters, strict=True))
    return (first, second), [_get_status(car, frozenset(COUNTERS)) for car in (first, second)]


def _get_status(car: Car, unused: frozenset[int]) -> CarStatus:
    if is_broken(car):
        return "broken"
    if has_crossed(car):
        return "crossed"
    return "blown" if is_blown(car, unused) else "racing"


def _car(race: Race, seat: int, car: Car, status: CarStatus) -> Mapping[str, Any]:
    return {
        "number": seat + 1,
        "space": car.space,
        "x": _x(car.space),
        "status": status,
        "played": car.played,
        "has_nitro": car.has_nitro if race.heat else None,
        "won": race.won[seat],
        "is_retired": seat in race.retired,
        "is_to_act": race.heat is not None and not is_over(race) and seat == race.heat.to_act,
    }


def _list_counters(heat: Heat | None) -> list[Mapping[str, Any]]:
    """Return the eleven counters of the running heat; empty between heats."""
    if heat is None:
        return []
    played = heat.move.counter if heat.move else None
    return [
        {"number": counter, "is_used": counter not in heat.unused, "is_move": counter == played} for counter in COUNTERS
    ]


def _list_numbers(race: Race) -> Sequence[int]:
    """Return the number of each heat so far, or 1 at the start. A dead heat is run again under its number (DRAG-16)."""
    decided = [sum(heat.winner is not None for heat in race.heats[:place]) for place in range(len(race.heats) + 1)]
    begun = len(race.heats) + (race.heat is not None)
    return [number + 1 for number in decided[: begun or 1]]


def _finished(number: int, heat: FinishedHeat) -> Mapping[str, Any]:
    return {
        "number": number,
        "winner": None if heat.winner is None else heat.winner + 1,
        "counters": list(heat.counters),
        "spaces": list(heat.spaces),
    }
