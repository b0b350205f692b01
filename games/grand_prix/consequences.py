"""The consequences of an action: damage paid, how far the car moves, what it misses, and how a circuit ends."""

from __future__ import annotations

from collections.abc import Iterator

from games.core.actions import Action
from games.core.consequences import Consequence
from games.core.text import Params, gettext_noop, ngettext_lazy
from games.grand_prix.actions import Move
from games.grand_prix.scoring import NOT_FINISHED, WON, Circuit, count_missed, count_spaces
from games.grand_prix.sheet import name_circuit
from games.grand_prix.state import Drive, Setup, get_circuit, get_total, is_done

PAID = gettext_noop("This costs %(price)s damage. Unused damage: %(unused)s.")
MOVES = ngettext_lazy("The car moves %(count)s space.", "The car moves %(count)s spaces.")
STAYS = gettext_noop("No die is lower than the gear: the car stays where it is.")
MISSES = ngettext_lazy(
    "The car misses %(count)s section in gear %(gear)s: %(damage)s damage. Unused damage: %(unused)s.",
    "The car misses %(count)s sections in gear %(gear)s: %(damage)s damage. Unused damage: %(unused)s.",
)
NO_ROOM = ngettext_lazy(
    "The car misses %(count)s section in gear %(gear)s: %(damage)s damage, but there is room for only %(unused)s.",
    "The car misses %(count)s sections in gear %(gear)s: %(damage)s damage, but there is room for only %(unused)s.",
)
CIRCUIT_LOST = gettext_noop("The car did not finish %(circuit)s: place %(place)s.")
CIRCUIT_WON = gettext_noop("The car reaches the flag and wins %(circuit)s: place %(place)s.")
TIME_UP = ngettext_lazy(
    "Time ran out %(count)s space before the flag: place %(place)s at %(circuit)s.",
    "Time ran out %(count)s spaces before the flag: place %(place)s at %(circuit)s.",
)
NEXT_CIRCUIT = gettext_noop("Next: %(circuit)s.")
SEASON_OVER = gettext_noop("That was the last circuit: the places add up to %(total)s.")


def list_consequences(setup: Setup, before: Drive, action: Action, after: Drive) -> tuple[Consequence, ...]:
    """Return the consequences of an action, in the order in which they happen."""
    if isinstance(action, Move):
        return tuple(_iter_move_consequences(setup, before, after))
    price, unused = sum(before.unused) - sum(after.unused), sum(after.unused)
    return (Consequence(PAID, "GP-17", {"price": price, "unused": unused}),) if price else ()


def _iter_move_consequences(setup: Setup, before: Drive, after: Drive) -> Iterator[Consequence]:
    turn, circuit = before.turn, get_circuit(setup, before)
    assert turn is not None
    spaces = count_spaces(turn.dice, turn.gear, turn.with_include)
    missed = count_missed(circuit, before.position, before.position + spaces)
    damage, room = turn.gear * missed, before.unused[-1]
    yield Consequence(MOVES, "GP-4", {"count": spaces}) if spaces else Consequence(STAYS, "GP-4")
    if missed:
        is_lost = damage > room
        params = {"count": missed, "gear": turn.gear, "damage": damage, "unused": room if is_lost else room - damage}
        yield Consequence(NO_ROOM if is_lost else MISSES, "GP-6", params)
    if len(after.places) > len(before.places):
        yield _describe_end(circuit, after.places[-1], is_lost=damage > room)
        yield _describe_next(setup, after)


def _describe_end(circuit: Circuit, place: int, *, is_lost: bool) -> Consequence:
    params: Params = {"circuit": name_circuit(circuit), "place": place}
    if is_lost:
        return Consequence(CIRCUIT_LOST, "GP-7", {**params, "place": NOT_FINISHED})
    if place == WON:
        return Consequence(CIRCUIT_WON, "GP-9", params)
    return Consequence(TIME_UP, "GP-8", {**params, "count": place})


def _describe_next(setup: Setup, after: Drive) -> Consequence:
    if is_done(setup, after):
        return Consequence(SEASON_OVER, "GP-1", {"total": get_total(after)})
    return Consequence(NEXT_CIRCUIT, "GP-1", {"circuit": name_circuit(get_circuit(setup, after))})
