"""An action in words: what the spec of its moment calls it, and the faces, choices and numbers that it gives."""

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
from scorekeeper.tables.offers import Offer, find_offer, list_offers, list_specs, make_offers


def describe_action(game: Game[Any], state: Any, action: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return what an action says, such as "Note the roll 2 2 4".

    What waits may be out of turn, and is told as if it were in turn; what nobody may do now, as it was sent.

    Args:
        state: of the game just before it.
        names: of the seats.
    """
    seat, word = _get_seat(action, game.seats(state)), str(action.get("type", ""))
    specs = list_specs(game, state, seat)
    if word == Retire.type:
        return next((translate(spec.label) for spec in specs if spec.type == word), word)
    offer = find_offer(make_offers(specs), action) or find_offer(list_offers(game, state), action)
    return _format_raw_action(word, action) if offer is None else describe_offer_action(offer, action, names)


def describe_offer_action(offer: Offer, action: Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """Return what an action that was made of an offer says, perhaps only in part.

    Args:
        names: of the seats; left out where the reader is not to know who sits there.
    """
    label = translate(offer.spec.label)
    given = [field for field in offer.fields if field.name in action]
    flags = [translate(field.label) for field in given if field in offer.flags]
    told = [field for field in given if not isinstance(field, FlagField)]
    if len(told) == 1:
        return ", ".join([f"{label} {_format_field_value(told[0], action[told[0].name], names)}", *flags])
    return ", ".join(
        [
            label,
            *(f"{translate(field.label)} {_format_field_value(field, action[field.name], names)}" for field in told),
            *flags,
        ]
    )


def describe_actions(ruleset: Ruleset, state: Any, actions: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Return who did what, "Ann: Note the roll 2 2 4".

    Args:
        state: of the game just before the first of the actions; each later one is described
            in the state after those before it.
        names: of the seats.
    """
    told = []
    for action in actions:
        what = describe_action(ruleset.game, state, action, names)
        told.append(_("%(who)s: %(what)s") % {"who": name_acting_seat(names, action), "what": what})
        state = replay_from(ruleset, state, [action]).state
    return "; ".join(told)


def name_acting_seat(names: Sequence[str], action: Mapping[str, Any]) -> str:
    """Return who did it: the seat's name, or "The table" for what the table did as a whole."""
    seat = _get_seat(action, len(names))
    return _("The table") if seat is None else names[seat]


def get_choice_label(choice: Choice, names: Sequence[str]) -> str:
    """Return what a choice is called: its label, or the name of the seat it stands for, where names are given."""
    return names[choice.seat] if names and choice.seat is not None else translate(choice.label)


def join_names(names: Sequence[str]) -> str:
    """Return names as one text: "Ann and Bob"; those of several parts are kept apart: "Bike 3, Cleo; Bike 4, Dan"."""
    if any("," in name for name in names):
        return "; ".join(names)
    return str(get_text_list(list(names), _("and")))


def _get_seat(action: Mapping[str, Any], seats: int) -> int | None:
    """Return the seat an action names, which it may leave out where there is one; what waits may name any."""
    seat = action.get("seat", 0 if seats == 1 else None)
    return seat if type(seat) is int and 0 <= seat < seats else None


def _format_raw_action(word: str, action: Mapping[str, Any]) -> str:
    """Return an action as it was sent: its word, and what it gives."""
    return " ".join([word, *(_format_value(value) for name, value in action.items() if name not in ("type", "seat"))])


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
