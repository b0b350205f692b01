"""What can be done now, as plain data: the action specs of the games (`games.core.specs`), with texts in words.

A client makes an action of a spec by giving it a value for each required field: `{"type": …, "seat": …, …}`.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from games.core.game import Game
from games.core.specs import ActionSpec, Choice
from games.core.text import Text
from scorekeeper.common.game_adapter import translate
from scorekeeper.scorecards.offers import get_seat_to_act

Data = dict[str, Any]


def make_play_data(game: Game[Any], state: Any) -> Data:
    """Return whose turn it is, and what each seat can do now."""
    seats: list[int | None] = [*range(game.seats(state)), None]
    return {
        "is_finished": game.is_finished(state),
        "to_act": get_seat_to_act(game, state),
        "legal_actions": [make_spec_data(spec) for seat in seats for spec in game.legal_actions(state, seat)],
    }


def make_spec_data(spec: ActionSpec) -> Data:
    """Return a spec as plain data."""
    return {field.name: _to_data(getattr(spec, field.name)) for field in fields(spec)}


def _to_data(value: Any) -> Any:
    if isinstance(value, Text):
        return translate(value)
    if isinstance(value, Choice):
        return _make_choice_data(value)
    if hasattr(value, "_asdict"):
        return {name: _to_data(part) for name, part in value._asdict().items()}
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: _to_data(getattr(value, field.name)) for field in fields(value)}
    return list(map(_to_data, value)) if isinstance(value, tuple) else value


def _make_choice_data(choice: Choice) -> Data:
    """Return a choice; a closed one says why it is closed, and by which clause."""
    data = choice._asdict()
    params, why_not, rule = data.pop("params"), data.pop("why_not"), data.pop("rule")
    data["label"] = translate(choice.label, params)
    return {**data, "why_not": None if why_not is None else translate(why_not, params), "clause": rule or None}
