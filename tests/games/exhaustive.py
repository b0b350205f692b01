"""Every action that can be taken, and everything that can come of a state near the end of a game.

Dice are listed without their order, which no game looks at, except for penalty dice that are thrown together; those are
left out, since the same faces can be recorded one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from games.core.cards import JOKER
from games.core.game import Ruleset
from games.core.specs import (
    ActionSpec,
    ChoiceField,
    DiceField,
    DrawField,
    Field,
    FlagField,
    NumberField,
    PickField,
)
from tests.games.sampling import list_specs

NOT_GIVEN = object()


def list_actions(spec: ActionSpec) -> Iterator[dict[str, Any]]:
    """Yield every action that a spec offers; of fields that exclude each other, those with the first one."""
    fields = [field for field in spec.fields if field.name not in spec.one_of[1:]]
    picks = [field for field in fields if field.kind == "pick"]
    others = [field for field in fields if field.kind != "pick"]
    head = ({} if spec.seat is None else {"seat": spec.seat}) | {"type": spec.type}
    for picked in product(*(_list_values(field, {}, spec) for field in picks)):
        given = _fill(picks, picked)
        for values in product(*(_list_values(field, given, spec) for field in others)):
            yield head | given | _fill(others, values)


def _fill(fields: Sequence[Field], values: tuple[Any, ...]) -> dict[str, Any]:
    return {field.name: value for field, value in zip(fields, values, strict=True) if value is not NOT_GIVEN}


def _list_values(field: Field, given: dict[str, Any], spec: ActionSpec) -> list[Any]:
    optional = [] if field.required or field.name in spec.one_of else [NOT_GIVEN]
    match field:
        case DiceField(single=True):
            return [*optional, *(face.face for face in field.faces)]
        case DiceField():
            faces, count = [face.face for face in field.faces], field.count
            less = len(given.get(count.less_pick, ())) if count.less_pick else 0
            low, high = (len(given[count.like_pick]),) * 2 if count.like_pick else (count.low - less, count.high - less)
            rolls = (combinations_with_replacement(faces, size) for size in range(low, high + 1))
            return [*optional, *(list(roll) for size in rolls for roll in size)]
        case PickField():
            return [*optional, *(list(pick.dice) for pick in field.picks)]
        case ChoiceField():
            return [*optional, *(choice.value for choice in field.choices if choice.open)]
        case NumberField():
            return [*optional, *(field.values or range(field.low, field.high + 1))]
        case FlagField():
            return [*optional, True]
        case DrawField(single=True):
            return [*optional, *field.cards, *[JOKER][: field.jokers]]
        case DrawField():
            draws = dict.fromkeys(combinations([*field.cards, *[JOKER] * field.jokers], field.count))
            return [*optional, *map(list, draws)]
    raise AssertionError(f"{field.kind} is not listed")


def list_next(ruleset: Ruleset, state: Any) -> Iterator[Any]:
    """Yield every state that one action other than retiring leads to."""
    seats = ruleset.game.seats(state)
    for spec in list_specs(ruleset, state):
        if spec.type not in ("retire", "cut"):
            for action in list_actions(spec):
                yield ruleset.game.play(state, ruleset.read_action(action, seats))


def explore(
    ruleset: Ruleset, state: Any, limit: int, simplify: Callable[[Any], Hashable] = lambda state: state
) -> list[Any] | None:
    """Return every state that can follow, this one first; None if there are more than `limit`.

    Args:
        simplify: returns the same for states with the same continuations and results; one of them is listed.
    """
    found, todo = {simplify(state): state}, [state]
    while todo:
        for after in list_next(ruleset, todo.pop()):
            key = simplify(after)
            if key not in found:
                found[key] = after
                todo.append(after)
                if len(found) > limit:
                    return None
    return list(found.values())
