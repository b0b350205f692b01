"""The effect of each action on the heat: its next state, or its end.

These functions are called only for actions that no problem blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.core.actions import Action
from games.drag_rage.actions import Advance, Challenge, Defend, Pass
from games.drag_rage.heat_results import finish_heat, judge_engines, judge_failed_challenge, judge_move
from games.drag_rage.state import FREE_DICE, Car, Cars, FinishedHeat, Heat, Move, has_crossed


def _advance(heat: Heat, action: Advance) -> Heat | FinishedHeat:
    seat, counter = heat.to_act, action.counter
    car = heat.cars[seat]
    keeps_nitro = car.has_nitro and heat.due != "after_hold"  # given up (DRAG-7)
    cars = _replace_car(heat.cars, seat, Car(car.space + counter, car.played + 1, keeps_nitro))
    unused = heat.unused - {counter}
    finished = judge_move(cars, seat, unused)
    if finished:
        return finished
    if has_crossed(cars[1 - seat]):  # playing on alone: every turn is this seat's (DRAG-12, DRAG-19)
        return Heat(seat, cars, "turn", None, unused)
    return Heat(1 - seat, cars, "turn", Move(counter, car.space), unused)


def _challenge(heat: Heat, action: Challenge) -> Heat:
    return Heat(1 - heat.to_act, heat.cars, "roll", heat.move, heat.unused)


def _defend(heat: Heat, action: Defend) -> Heat | FinishedHeat:
    """Apply the roll: below the counter the car spins out, otherwise the move holds (DRAG-5 to DRAG-7)."""
    assert heat.move is not None
    seat, unused = heat.to_act, heat.unused
    car = heat.cars[seat]
    keeps_nitro = car.has_nitro and len(action.dice) == FREE_DICE
    if sum(action.dice) < heat.move.counter:
        cars = _replace_car(heat.cars, seat, Car(heat.move.origin, car.played, keeps_nitro))
        return judge_engines(cars, unused) or Heat(1 - seat, cars, "after_spin_out", None, unused)
    cars = _replace_car(heat.cars, seat, Car(car.space, car.played, keeps_nitro))
    return judge_failed_challenge(cars, seat, unused) or Heat(1 - seat, cars, "after_hold", None, unused)


def _pass(heat: Heat, action: Pass) -> Heat | FinishedHeat:
    seat, cars, unused = heat.to_act, heat.cars, heat.unused
    if heat.due == "turn":  # no counter is left (DRAG-27)
        return finish_heat(cars, 1 - seat)
    if heat.due == "after_spin_out":
        return Heat(1 - seat, cars, "turn", None, unused)
    # A car that has crossed takes no turn, so the turn comes straight back to the challenger (DRAG-8, DRAG-20).
    return Heat(seat if has_crossed(cars[1 - seat]) else 1 - seat, cars, "advance", None, unused)


def _replace_car(cars: Cars, seat: int, car: Car) -> Cars:
    return (cars[0], car) if seat else (car, cars[1])


APPLY: Mapping[type[Action], Callable[[Heat, Any], Heat | FinishedHeat]] = {
    Advance: _advance,
    Challenge: _challenge,
    Defend: _defend,
    Pass: _pass,
}
