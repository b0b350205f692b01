"""An action in words: what the spec of its moment calls it, and the faces, choices and numbers that it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from games.core.actions import Retire
from games.core.game import Game
from games.core.specs import CardsField, ChoiceField, Field, FlagField
from scorekeeper.common.rules import say
from scorekeeper.tables.offers import Offer, find_offer, list_specs, make_offers


def say_action(game: Game[Any], state: Any, action: Mapping[str, Any]) -> str:
    """Return what an action says, such as "Note the roll 2 2 4".

    Args:
        state: of the game just before it.
    """
    specs = list_specs(game, state, action.get("seat"))
    if action["type"] == Retire.type:
        return next((say(spec.label) for spec in specs if spec.type == Retire.type), str(action["type"]))
    offer = find_offer(make_offers(specs), action)
    return str(action["type"]) if offer is None else say_offer(offer, action)


def say_offer(offer: Offer, action: Mapping[str, Any]) -> str:
    """Return what an action that was made of an offer says, perhaps only in part."""
    label = say(offer.spec.label)
    given = [field for field in offer.fields if field.name in action]
    flags = [say(field.label) for field in given if field in offer.flags]
    told = [field for field in given if not isinstance(field, FlagField)]
    if len(told) == 1:
        return ", ".join([f"{label} {_say_value(told[0], action[told[0].name])}", *flags])
    return ", ".join(
        [label, *(f"{say(field.label)} {_say_value(field, action[field.name])}" for field in told), *flags]
    )


def say_who(names: Sequence[str], action: Mapping[str, Any]) -> str:
    """Return who did it: the seat's name, or "The table" for what the table did as a whole."""
    seat = action.get("seat", 0 if len(names) == 1 else None)
    return _("The table") if seat is None else names[seat]


def list_names(names: Sequence[str]) -> str:
    """Return names as one text: "Ann and Bob"."""
    return str(get_text_list(list(names), _("and")))


def _say_value(field: Field, value: Any) -> str:
    if isinstance(field, ChoiceField):
        return next((say(choice.label) for choice in field.choices if choice.value == value), str(value))
    if isinstance(field, CardsField):
        return " ".join(card or "–" for card in value.values())
    if isinstance(value, list | tuple):
        return " ".join(map(str, value)) or "–"
    return str(value)
