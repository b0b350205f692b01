"""Random legal actions, drawn from what a game offers. They know the engine's contract and no game.

A spec promises that every combination of its field values is legal, so a drawn action is one that a person could have
entered. Offers that need dice are drawn most often, since a practice is about entering rolls.

Derived: everything follows from the random numbers that the caller passes, so the same seed gives the same actions.
"""

from __future__ import annotations

from random import Random
from typing import Any

from games.core.actions import Retire
from games.core.cards import CARDS, JOKER
from games.core.game import Ruleset
from games.core.specs import (
    ActionSpec,
    CardsField,
    ChoiceField,
    Count,
    DiceField,
    DrawField,
    Field,
    FlagField,
    NumberField,
    PickField,
)

MAX_TURN_ACTIONS = 100
MAX_TABLE_ACTIONS = 5_000
OPTIONAL_FIELD_SHARE = 0.6  # how often an optional field is filled in
BEST_CHOICES = 3  # the best are listed first, and most people choose one of them
WITH_DICE, WITH_FIELDS, WITH_NUMBERS, PLAIN = 8, 4, 1, 1  # how often an offer is drawn, relative to the others

ActionData = dict[str, Any]


def draw_turn(ruleset: Ruleset, state: Any, rng: Random) -> list[ActionData] | None:
    """Return the actions of one whole turn of a card with one seat, without the seat; None if it can play no turn.

    Args:
        state: the state of the card before the turn.
    """
    game = ruleset.game
    before = len(game.turns(state, 0))
    actions: list[ActionData] = []
    while len(game.turns(state, 0)) == before:
        action = _draw_action(game.legal_actions(state, 0), rng)
        if action is None or len(actions) == MAX_TURN_ACTIONS:
            return None
        state = game.play(state, ruleset.read_action(action, 1))
        actions.append({name: value for name, value in action.items() if name != "seat"})
    return actions


def draw_table_action(ruleset: Ruleset, state: Any, rng: Random) -> ActionData | None:
    """Return the next action at a table; None once its game is over."""
    game = ruleset.game
    if game.is_finished(state):
        return None
    next_seat = game.to_act(state)
    seats = range(game.seats(state)) if next_seat is None else (next_seat,)
    offers = [spec for seat in (None, *seats) for spec in game.legal_actions(state, seat)]
    return _draw_action(offers, rng)


def _draw_action(offers: Any, rng: Random) -> ActionData | None:
    """Return a random action; nobody retires unless nothing else is offered."""
    usual = [spec for spec in offers if spec.type != Retire.type]
    if not usual:
        return None
    spec = rng.choices(usual, [_weigh(spec) for spec in usual])[0]
    return _fill_in(spec, rng)


def _weigh(spec: ActionSpec) -> int:
    kinds = {field.kind for field in spec.fields}
    if kinds & {"dice", "draw"}:
        return WITH_DICE
    if "number" in kinds:
        return WITH_NUMBERS
    return WITH_FIELDS if kinds else PLAIN


def _fill_in(spec: ActionSpec, rng: Random) -> ActionData:
    action: ActionData = {} if spec.seat is None else {"seat": spec.seat}
    action["type"] = spec.type
    chosen = rng.choice(spec.one_of) if spec.one_of else None
    # Picks come first, because the number of dice may depend on a pick.
    for field in sorted(spec.fields, key=lambda field: field.kind != "pick"):
        if field.name in spec.one_of:
            is_given = field.name == chosen
        else:
            is_given = field.required or rng.random() < OPTIONAL_FIELD_SHARE
        if is_given:
            action[field.name] = _draw_value(field, action, rng)
    return action


def _draw_value(field: Field, action: ActionData, rng: Random) -> Any:
    match field:
        case DiceField(single=True):
            return rng.choice(field.faces).face
        case DiceField():
            return [rng.choice(field.faces).face for _ in range(_draw_count(field.count, action, rng))]
        case PickField():
            return list(rng.choice(field.picks).dice)
        case ChoiceField():
            open_values = [choice.value for choice in field.choices if choice.open]
            return rng.choice(open_values[:BEST_CHOICES])
        case NumberField():
            return rng.choice(field.values) if field.values else rng.randint(field.low, field.high)
        case FlagField():
            return field.required or rng.random() < 0.5
        case CardsField():
            return {
                str(seat): card
                for seat, card in zip(field.seats, rng.sample(list(CARDS), len(field.seats)), strict=True)
            }
        case DrawField():
            drawn = rng.sample([*field.cards, *[JOKER] * field.jokers], field.count)
            return drawn[0] if field.single else drawn


def _draw_count(count: Count, action: ActionData, rng: Random) -> int:
    if count.like_pick:
        return len(action.get(count.like_pick, ()))
    length = rng.randint(count.low, count.high)
    return length - len(action.get(count.less_pick, ())) if count.less_pick else length
