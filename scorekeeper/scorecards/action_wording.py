"""Descriptions of actions in words: the label of the action's spec, and the faces, choices and numbers it contains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from games.core.actions import Retire
from games.core.game import Game, Ruleset
from games.core.replay import replay_from
from games.core.specs import Choice, ChoiceField, Field, FlagField
from scorekeeper.common.game_adapter import translate
from scorekeeper.scorecards.offers import Offer, find_offer, list_offers, list_specs, make_offers


def describe_action(game: Game[Any], state: Any, action: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return an action in words, such as "Record roll 2 2 4".

    An action under review may be out of turn and is described as if it were in turn; one that nobody may do now is
    shown as it was sent.

    Args:
        state: of the game just before it.
        names: of the seats.
    """
    seat, action_type = _get_seat(action, game.seats(state)), str(action.get("type", ""))
    specs = list_specs(game, state, seat)
    if action_type == Retire.type:
        return next((translate(spec.label) for spec in specs if spec.type == action_type), action_type)
    offer = find_offer(make_offers(specs), action) or find_offer(list_offers(game, state), action)
    return _format_raw_action(action_type, action) if offer is None else describe_offer_action(offer, action, names)


def describe_offer_action(offer: Offer, action: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """Return an action made from an offer in words; it may be incomplete.

    Args:
        names: of the seats; omitted if the reader must not know who has them.
    """
    label = translate(offer.spec.label)
    given = [field for field in offer.fields if field.name in action]
    flags = [translate(field.label) for field in given if field in offer.flags]
    value_fields = [field for field in given if not isinstance(field, FlagField)]
    if len(value_fields) == 1:
        return ", ".join(
            [f"{label} {_format_field_value(value_fields[0], action[value_fields[0].name], names)}", *flags]
        )
    return ", ".join(
        [
            label,
            *(
                f"{translate(field.label)} {_format_field_value(field, action[field.name], names)}"
                for field in value_fields
            ),
            *flags,
        ]
    )


def describe_choice(game: Game[Any], state: Any, choice: Mapping[str, Any]) -> str:
    """Return a choice of the only seat in words, such as "Dice set aside 5 5", without what chance decides after it."""
    offers = [offer for offer in list_offers(game, state) if offer.spec.type == choice["type"]]
    for offer in offers:
        fields = [field for field in offer.fields if field.name in choice]
        if len(fields) == len(choice) - 1:
            if {field.name for field in offer.required_fields} <= choice.keys():
                return describe_offer_action(offer, choice)
            return ", ".join(
                f"{translate(field.label)} {_format_field_value(field, choice[field.name], ()) or _('none')}"
                for field in fields
            )
    return _format_raw_action(str(choice["type"]), choice)


def describe_actions(ruleset: Ruleset, state: Any, actions: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Return who did what, such as "Ann: Record roll 2 2 4".

    Args:
        state: of the game just before the first of the actions; each later one is described
            in the state after those before it.
        names: of the seats.
    """
    descriptions = []
    for action in actions:
        description = describe_action(ruleset.game, state, action, names)
        descriptions.append(_("%(who)s: %(what)s") % {"who": name_acting_seat(names, action), "what": description})
        state = replay_from(ruleset, state, [action]).state
    return "; ".join(descriptions)


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
    return str(get_text_list(list(names), _("and")))


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
    return _format_value(value)


def _format_value(value: Any) -> str:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return " ".join(str(part or "–") for part in value) or "–"
    return str(value)
