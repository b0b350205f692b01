"""The actions that are possible on a card now, prepared for a form.

Terms: an *offer* is an action spec with a key of its own and exactly the fields that are filled in together: a spec
that wants one of several fields becomes that many offers. The *required fields* are those a person has to fill in.
Retiring is not an offer, since players leave for reasons of their own; it is handled separately.

Invariant: offers come from the game's specs, in the order of the game, the likeliest first. Nothing here depends on a
particular game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from games.core.actions import Retire
from games.core.game import Game
from games.core.specs import (
    ActionSpec,
    CardsField,
    ChoiceField,
    DiceField,
    DrawField,
    Field,
    FlagField,
    NumberField,
    PickField,
)

InputField = DiceField | PickField | ChoiceField | NumberField | CardsField | DrawField


class Offer(NamedTuple):
    """One action that is possible now.

    Attributes:
        key: its name among the current offers: the action's type, with a number from the second of that type on.
        fields: the fields that can be filled in.
        alternative: if the spec wants one of several fields, the one that this offer has.
    """

    key: str
    spec: ActionSpec
    fields: tuple[Field, ...]
    alternative: Field | None = None

    @property
    def required_fields(self) -> tuple[InputField, ...]:
        """The fields that a person has to fill in."""
        return tuple(
            field
            for field in self.fields
            if not isinstance(field, FlagField) and (field.required or field is self.alternative)
        )

    @property
    def flags(self) -> tuple[FlagField, ...]:
        """The flags that a person may set."""
        return tuple(field for field in self.fields if isinstance(field, FlagField) and not field.required)

    @property
    def dice_field(self) -> DiceField | None:
        """The first field that takes several dice."""
        return next((field for field in self.fields if isinstance(field, DiceField) and not field.single), None)

    @property
    def entry_field(self) -> DiceField | DrawField | None:
        """The first field that takes dice or cards one after the other."""
        drawn = next((field for field in self.fields if isinstance(field, DrawField)), None)
        return self.dice_field or drawn

    @property
    def pick_field(self) -> PickField | None:
        """The field that selects from dice already rolled."""
        return next((field for field in self.fields if isinstance(field, PickField)), None)

    @property
    def only_choice(self) -> ChoiceField | None:
        """The field of an offer that is a single choice."""
        field = self.fields[0] if len(self.fields) == 1 else None
        return field if isinstance(field, ChoiceField) else None

    @property
    def one_tap_field(self) -> PickField | ChoiceField | None:
        """The only required field, if one tap on an option fills it in."""
        required = self.required_fields
        field = required[0] if len(required) == 1 else None
        return field if isinstance(field, PickField | ChoiceField) else None


def get_seat_to_act(game: Game[Any], state: Any) -> int | None:
    """Return the seat whose action is entered next; None if no seat is to act."""
    return 0 if game.seats(state) == 1 else game.to_act(state)


def list_specs(game: Game[Any], state: Any, seat: int | None) -> tuple[ActionSpec, ...]:
    """Return the actions open to the seat now, and those that belong to no seat."""
    own = () if seat is None else game.legal_actions(state, seat)
    return (*own, *game.legal_actions(state, None))


def list_offers(game: Game[Any], state: Any) -> tuple[Offer, ...]:
    """Return the offers for the seat that is to act."""
    return make_offers(list_specs(game, state, get_seat_to_act(game, state)))


def make_offers(specs: Iterable[ActionSpec]) -> tuple[Offer, ...]:
    """Return the offers of specs, without retiring."""
    offers: list[Offer] = []
    counts: dict[str, int] = {}
    for spec in specs:
        if spec.type == Retire.type:
            continue
        alternatives: list[Field | None] = [field for field in spec.fields if field.name in spec.one_of]
        for alternative in alternatives or [None]:
            counts[spec.type] = counts.get(spec.type, 0) + 1
            key = spec.type if counts[spec.type] == 1 else f"{spec.type}.{counts[spec.type]}"
            fields = tuple(field for field in spec.fields if field.name not in spec.one_of or field is alternative)
            offers.append(Offer(key, spec, fields, alternative))
    return tuple(offers)


def find_offer(offers: Sequence[Offer], action: Mapping[str, Any]) -> Offer | None:
    """Return the offer that an action was made from: it has every field of the action, and requires no other."""
    given = set(action) - {"type", "seat"}
    for offer in offers:
        needed = {field.name for field in offer.required_fields}
        needed |= {field.name for field in offer.fields if isinstance(field, FlagField) and field.required}
        if offer.spec.type == action.get("type") and needed <= given <= {field.name for field in offer.fields}:
            return offer
    return None


def merge_offers(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return one offer for each type of action, with everything that can be entered for any of its offers.

    Which values fit together is for the rules to say.
    """
    merged: dict[str, Offer] = {}
    for offer in offers:
        known = merged.get(offer.spec.type)
        merged[offer.spec.type] = (
            offer if known is None else known._replace(fields=_merge_fields(known.fields, offer.fields))
        )
    return tuple(merged.values())


def _merge_fields(fields: Sequence[Field], others: Sequence[Field]) -> tuple[Field, ...]:
    by_name = {field.name: field for field in others}
    merged = [_merge_field(field, by_name.pop(field.name, None)) for field in fields]
    return (*merged, *by_name.values())


def _merge_field(field: Field, other: Field | None) -> Field:
    if isinstance(field, ChoiceField) and isinstance(other, ChoiceField):
        return replace(field, choices=(*field.choices, *other.choices))
    if isinstance(field, NumberField) and isinstance(other, NumberField):
        return replace(field, low=min(field.low, other.low), high=max(field.high, other.high), values=())
    return field


def list_retirable_seats(game: Game[Any], state: Any) -> tuple[int, ...]:
    """Return the seats that may retire now, whether or not it is their turn."""
    return tuple(
        seat
        for seat in range(game.seats(state))
        if any(spec.type == Retire.type for spec in game.legal_actions(state, seat))
    )
