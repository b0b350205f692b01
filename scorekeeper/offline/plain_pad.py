"""The plain pad: the turns of every game as forms without the rules, for phones on which the rules do not run.

A form is made from the game's own `plain_turn`. The phone fills in the bikes and the stops, and the server judges what
was entered, as soon as it is sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from games.core.cards import JOKER
from games.core.game import Game
from games.core.specs import ActionSpec, ChoiceField, DiceField, DrawField, NumberField
from scorekeeper.common.game_adapter import list_games, translate
from scorekeeper.scorecards.card_pad import present_card_pad
from scorekeeper.scorecards.dice_faces import present_faces

PlainField = DiceField | DrawField | ChoiceField | NumberField


def list_plain_turns() -> list[dict[str, Any]]:
    """Return the form of each game that has one: what to show, and `actions` as JSON, from which the phone makes the
    entry.
    """
    return [
        {
            "key": game.key,
            "fields": [_present_field(game, field) for spec in game.plain_turn for field in _list_fields(spec)],
            "actions": json.dumps([_describe_action(spec) for spec in game.plain_turn]),
        }
        for game in list_games().values()
        if game.plain_turn
    ]


def _list_fields(spec: ActionSpec) -> Iterator[PlainField]:
    for field in spec.fields:
        if not isinstance(field, DiceField | DrawField | ChoiceField | NumberField):
            raise TypeError(f"{field.name}: a plain turn has only dice, cards, choices and numbers")
        yield field


def _present_field(game: Game[Any], field: PlainField) -> dict[str, Any]:
    shown: dict[str, Any] = {"name": field.name, "label": translate(field.label), "kind": field.kind}
    if isinstance(field, DiceField):
        return {**shown, "faces": present_faces(game, field), "places": [{}] * field.count.high}
    if isinstance(field, DrawField):
        return {**shown, "pad": present_card_pad(field), "places": [{}] * field.count}
    if isinstance(field, NumberField):
        return {**shown, "low": field.low, "high": field.high}
    return {**shown, "choices": [{"value": choice.value, "label": translate(choice.label)} for choice in field.choices]}


def _describe_action(spec: ActionSpec) -> dict[str, Any]:
    return {"type": spec.type, "fields": [_describe_field(field) for field in _list_fields(spec)]}


def _describe_field(field: PlainField) -> dict[str, Any]:
    """Return the values of a field as an action has them: a form has only their texts."""
    described: dict[str, Any] = {"name": field.name, "kind": field.kind, "required": field.required}
    if isinstance(field, DiceField):
        low, high = field.count.low, field.count.high
        values = [face.face for face in field.faces]
        return {**described, "single": field.single, "low": low, "high": high, "values": values}
    if isinstance(field, DrawField):
        low = field.count if field.low is None else field.low
        return {**described, "single": field.single, "low": low, "high": field.count, "values": [*field.cards, JOKER]}
    if isinstance(field, NumberField):
        return {**described, "low": field.low, "high": field.high}
    return {**described, "values": [choice.value for choice in field.choices]}
