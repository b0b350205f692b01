"""Descriptions of actions in words, with the faces, choices and numbers that they contain.

What was recorded is described by what its spec says of a finished action (`ActionSpec.done`), a choice that can be made
by the label of the button.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.core.actions import Retire
from games.core.game import Game, Ruleset
from games.core.replay import replay_from
from games.core.specs import ActionSpec, Choice, ChoiceField, DiceField, Field, FlagField
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.word_lists import join_and
from scorekeeper.scorecards.offers import Offer, find_offer, list_offers, list_specs, make_offers


def describe_action(game: Game[Any], state: Any, action: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return an action that was recorded in words, such as "Rolled 2 2 4".

    An action under review may be out of turn and is described as if it were in turn; one that nobody may do now is
    shown as it was sent.

    Args:
        state: of the game just before it.
        names: of the seats.
    """
    seat, action_type = _get_seat(action, game.seats(state)), str(action.get("type", ""))
    specs = list_specs(game, state, seat)
    if action_type == Retire.type:
        return next((_describe_done(spec) for spec in specs if spec.type == action_type), action_type)
    for candidate in (_drop_empty(action), action):
        offer = find_offer(make_offers(specs), candidate) or find_offer(list_offers(game, state), candidate)
        if offer is not None:
            return describe_offer_action(offer, candidate, names)
    return _format_raw_action(action_type, action)


def describe_offer_action(offer: Offer, action: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """Return an action made from an offer in words, as one that was done; it may be incomplete.

    Args:
        names: of the seats; omitted if the reader must not know who has them.
    """
    return _describe_values(_describe_done(offer.spec), offer, action, names)


def _describe_done(spec: ActionSpec) -> str:
    return translate(spec.label if spec.done is None else spec.done)


def _describe_values(label: str, offer: Offer, action: Mapping[str, Any], names: Sequence[str]) -> str:
    action = _drop_empty(action)
    given = [field for field in offer.fields if field.name in action]
    flags = [translate(field.label) for field in given if field in offer.flags]
    value_fields = [field for field in given if not isinstance(field, FlagField)]
    if len(value_fields) == 1:
        return ", ".join(
            [f"{label} {_format_field_value(value_fields[0], action[value_fields[0].name], names)}", *flags]
        )
    return ", ".join([label, *_label_values(value_fields, action, names), *flags])


def describe_choice(game: Game[Any], state: Any, choice: Mapping[str, Any]) -> str:
    """Return a choice of odds in words, such as "Dice set aside 5 5", without what chance decides after it.

    Where dice are thrown next, the offer's own label is often that of a button which records the throw; then the game
    or the fields that are decided say what the choice is.

    Args:
        state: of the game just before it; the seat that is to act has the choice.
    """
    own_label, given = game.choice_label(choice), _drop_empty(choice)
    offers = list_offers(game, state)
    whole = find_offer(offers, given)
    if whole is not None and own_label is None:
        return _describe_values(translate(whole.spec.label), whole, given, ())
    offer = next((offer for offer in offers if offer.spec.type == given["type"] and _has_fields(offer, given)), None)
    if offer is None:
        return _format_raw_action(str(choice["type"]), choice) if own_label is None else translate(own_label)
    flags = [translate(field.label) for field in offer.flags if field.name in given]
    values = _label_values([field for field in offer.fields if not isinstance(field, FlagField)], given, ())
    label = [translate(own_label)] if own_label is not None else [] if values else [translate(offer.spec.label)]
    return ", ".join([*label, *values, *flags])


def _has_fields(offer: Offer, given: Mapping[str, Any]) -> bool:
    return given.keys() - {"type", "seat"} <= {field.name for field in offer.fields}


def _label_values(fields: Sequence[Field], action: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Return each of the fields that the action has, with its label: "Black dice 10 25"."""
    return [
        f"{translate(field.label)} {_format_field_value(field, action[field.name], names)}"
        for field in fields
        if field.name in action
    ]


def _drop_empty(action: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action without the fields that say nothing: no dice, and a flag that is not set."""
    return {name: value for name, value in action.items() if value not in ([], ()) and value is not False}


def describe_actions(ruleset: Ruleset, state: Any, actions: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Return who did what, such as "Ann: Rolled 2 2 4".

    Args:
        state: of the game just before the first of the actions; each later one is described
            in the state after those before it.
        names: of the seats.
    """
    described = zip(actions, _describe_each(ruleset, state, actions, names), strict=True)
    return "; ".join(
        _("%(who)s: %(what)s") % {"who": name_acting_seat(names, action), "what": what} for action, what in described
    )


def describe_turn(ruleset: Ruleset, state: Any, actions: Sequence[Mapping[str, Any]]) -> str:
    """Return the actions of a bike's turn in words, also of one that the rules do not allow."""
    return "; ".join(_describe_each(ruleset, state, actions, ()))


def _describe_each(
    ruleset: Ruleset, state: Any, actions: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> Iterator[str]:
    """Yield each action in words, in the state after those before it."""
    for action in actions:
        yield describe_action(ruleset.game, state, action, names)
        state = replay_from(ruleset, state, [action]).state


def name_acting_seat(names: Sequence[str], action: Mapping[str, Any]) -> str:
    """Return who acted: the seat's name, or "The table" if the table acted as a whole."""
    seat = _get_seat(action, len(names))
    return _("The table") if seat is None else names[seat]


def get_choice_label(choice: Choice, names: Sequence[str]) -> str:
    """Return the label of a choice; if it stands for a seat and names are given, that seat's name."""
    return names[choice.seat] if names and choice.seat is not None else translate(choice.label)


def join_names(names: Sequence[str]) -> str:
    """Return names as one text: "Ann and Bob", or with semicolons if a name has commas: "Bike 3, Cleo; Bike 4, Dan"."""
    if any("," in name for name in names):
        return "; ".join(names)
    return join_and(names)


def _get_seat(action: Mapping[str, Any], seats: int) -> int | None:
    """Return the seat an action names; it may omit the only seat. An action under review may name any seat."""
    seat = action.get("seat", 0 if seats == 1 else None)
    return seat if type(seat) is int and 0 <= seat < seats else None


def _format_raw_action(action_type: str, action: Mapping[str, Any]) -> str:
    """Return an action as it was sent: its type and its values."""
    return " ".join(
        [action_type, *(_format_value(value) for name, value in action.items() if name not in ("type", "seat"))]
    )


def _format_field_value(field: Field, value: Any, names: Sequence[str]) -> str:
    if isinstance(field, ChoiceField):
        return next((get_choice_label(choice, names) for choice in field.choices if choice.value == value), str(value))
    if isinstance(field, DiceField) and isinstance(value, str):  # a flag, or a face such as "x"
        return next((translate(face.word) for face in field.faces if face.face == value), value)
    return _format_value(value)


def _format_value(value: Any) -> str:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return " ".join(str(part or "–") for part in value) or "–"
    return str(value)
