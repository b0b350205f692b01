"""The consequences of an action: a spin-out, a broken ’chute, a blown engine, and why a heat is won or run again."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.actions import Action
from games.core.consequences import Consequence
from games.core.text import gettext_noop
from games.drag_rage.actions import Advance, Defend, Pass
from games.drag_rage.state import (
    FINISH,
    LAST,
    SEATS,
    Car,
    FinishedHeat,
    Heat,
    Race,
    has_crossed,
    is_blown,
    is_broken,
    is_over,
)

SPINS_OUT = gettext_noop("%(total)s is below %(counter)s: %(name)s spins out, back to space %(space)s.")
CHALLENGE_FAILS = gettext_noop("%(total)s is not below %(counter)s: the challenge fails.")
BREAKS = gettext_noop("Space %(space)s is beyond %(last)s: %(name)s has a broken ’chute.")
CROSSES = gettext_noop("%(name)s crosses the line. Counters played: %(counters)s.")
BLOWN = gettext_noop("There are not enough counters left for %(name)s to reach the line: blown engine.")
ALL_BREAK = gettext_noop("Every counter left would give %(name)s a broken ’chute: %(counters)s.")
DEAD_BROKEN = gettext_noop("Both ’chutes are broken: a dead heat. Run it again.")
DEAD_BLOWN = gettext_noop("Both engines are blown: a dead heat. Run it again.")
DEAD_EQUAL = gettext_noop("Same number of counters and same space: a dead heat. Run it again.")
WON_OTHER_BROKEN = gettext_noop("%(name)s wins the heat: %(other)s has a broken ’chute.")
WON_COUNTERS = gettext_noop("%(name)s wins the heat with fewer counters, %(ours)s to %(theirs)s.")
WON_SPACE = gettext_noop("%(name)s wins the heat: same number of counters, but closer to space %(finish)s.")
WON_BLOWN = gettext_noop("%(name)s wins the heat: %(other)s has a blown engine.")
WON_PASSED = gettext_noop("%(name)s wins the heat: %(other)s has no counters left and passes.")
WON_FEWER_OR_EQUAL = gettext_noop(
    "%(name)s wins the heat: %(other)s has played at least as many counters and has not crossed."
)
RACE_WON = gettext_noop("%(name)s has won two heats and the race.")


def list_consequences(before: Race, action: Action, after: Race) -> tuple[Consequence, ...]:
    """Return the consequences of an action, in the order in which they happen."""
    return tuple(_iter_consequences(before, action, after))


def _iter_consequences(before: Race, action: Action, after: Race) -> Iterator[Consequence]:
    if before.heat is None or after.retired != before.retired:
        return
    if isinstance(action, Defend):
        yield _describe_roll(before.heat, action)
    if after.heat is not None:
        yield from _iter_car_consequences(before.heat, action, after.heat)
        return
    yield from _describe_end(before.heat, action, after.heats[-1])
    if is_over(after):
        winner = 0 if after.won[0] > after.won[1] else 1
        yield Consequence(RACE_WON, "DRAG-16", seats={"name": winner})


def _describe_roll(heat: Heat, action: Defend) -> Consequence:
    assert heat.move is not None
    params = {"total": sum(action.dice), "counter": heat.move.counter, "space": heat.move.origin}
    if params["total"] < heat.move.counter:
        return Consequence(SPINS_OUT, "DRAG-6", params, {"name": heat.to_act})
    return Consequence(CHALLENGE_FAILS, "DRAG-7", params)


def _iter_car_consequences(before: Heat, action: Action, after: Heat) -> Iterator[Consequence]:
    """Return the consequences for the cars in a heat that continues."""
    for seat in range(SEATS):
        was, car = before.cars[seat], after.cars[seat]
        if is_broken(car) and not is_broken(was):
            params = {"space": car.space, "last": LAST}
            yield Consequence(BREAKS, "DRAG-13", params, {"name": seat})
        elif has_crossed(car) and not has_crossed(was):
            yield Consequence(CROSSES, "DRAG-12", {"counters": car.played}, {"name": seat})
        elif is_blown(car, after.unused) and not is_blown(was, before.unused):
            yield Consequence(BLOWN, "DRAG-15", seats={"name": seat})
    if isinstance(action, Advance | Defend | Pass):
        yield from _warn(after)


def _warn(heat: Heat) -> Iterator[Consequence]:
    """Warn if the seat to act can only play counters that break the ’chute."""
    car = heat.cars[heat.to_act]
    if heat.due != "roll" and heat.unused and not has_crossed(car) and car.space + min(heat.unused) > LAST:
        yield Consequence(ALL_BREAK, "DRAG-13", {"counters": tuple(sorted(heat.unused))}, {"name": heat.to_act})


def _describe_end(before: Heat, action: Action, heat: FinishedHeat) -> Iterator[Consequence]:
    """Return why a heat is over."""
    cars = [Car(space, played) for space, played in zip(heat.spaces, heat.counters, strict=True)]
    if heat.winner is None:
        if all(is_broken(car) for car in cars):
            yield Consequence(DEAD_BROKEN, "DRAG-14")
        elif all(has_crossed(car) for car in cars):
            yield Consequence(DEAD_EQUAL, "DRAG-11")
        else:
            yield Consequence(DEAD_BLOWN, "DRAG-15")
        return
    ours, theirs = cars[heat.winner], cars[1 - heat.winner]
    seats = {"name": heat.winner, "other": 1 - heat.winner}
    if is_broken(theirs):
        yield Consequence(WON_OTHER_BROKEN, "DRAG-14", seats=seats)
    elif not has_crossed(theirs) and isinstance(action, Pass) and not before.unused:
        yield Consequence(WON_PASSED, "DRAG-27", seats=seats)
    elif not has_crossed(theirs) and not is_broken(ours) and theirs.played >= ours.played:
        yield Consequence(WON_FEWER_OR_EQUAL, "DRAG-12", seats=seats)
    elif not has_crossed(theirs):
        yield Consequence(WON_BLOWN, "DRAG-25", seats=seats)
    elif ours.played < theirs.played:
        yield Consequence(WON_COUNTERS, "DRAG-10", {"ours": ours.played, "theirs": theirs.played}, seats)
    else:
        yield Consequence(WON_SPACE, "DRAG-11", {"finish": FINISH}, seats)
