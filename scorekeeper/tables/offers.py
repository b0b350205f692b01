"""What may be done at a table now, made ready to ask for.

Terms: an *offer* is an action spec under a key of its own, with exactly the fields that are asked for together: a spec
that wants one of several fields is as many offers. The fields *asked* are those a person has to fill. Retiring is no
offer, since somebody leaves for reasons of their own; it stands apart.

Invariant: offers are read off the game's specs, in the order of the game, the likeliest first. No game is known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from games.core.actions import Retire
from games.core.game import Game
from games.core.specs import (
    ActionSpec,
    CardsField,
    ChoiceField,
    DiceField,
    Field,
    FlagField,
    NumberField,
    PickField,
)

InputField = DiceField | PickField | ChoiceField | NumberField | CardsField


class Offer(NamedTuple):
    """One action that may be done now.

    Attributes:
        key: its name among the offers of the moment: the action's word, from the second of that word on with a number.
        fields: what can be given with it.
        one: of a spec that wants one of several fields, the one of this offer.
    """

    key: str
    spec: ActionSpec
    fields: tuple[Field, ...]
    alternative: Field | None = None

    @property
    def required_fields(self) -> tuple[InputField, ...]:
        """The fields that a person has to fill."""
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
    def one_tap_field(self) -> PickField | ChoiceField | None:
        """The field that is all there is to fill, where a tap on one of its options does so."""
        asked = self.required_fields
        field = asked[0] if len(asked) == 1 else None
        return field if isinstance(field, PickField | ChoiceField) else None


def get_seat_to_act(game: Game[Any], state: Any) -> int | None:
    """Return the seat whose actions are noted now; None while nobody's are due."""
    return 0 if game.seats(state) == 1 else game.to_act(state)


def list_specs(game: Game[Any], state: Any, seat: int | None) -> tuple[ActionSpec, ...]:
    """Return all that the seat may do now, and what may be done without a seat."""
    own = () if seat is None else game.legal_actions(state, seat)
    return (*own, *game.legal_actions(state, None))


def list_offers(game: Game[Any], state: Any) -> tuple[Offer, ...]:
    """Return what may be done now by whoever is to act."""
    return make_offers(list_specs(game, state, get_seat_to_act(game, state)))


def make_offers(specs: Iterable[ActionSpec]) -> tuple[Offer, ...]:
    """Return the offers of specs, retiring left out."""
    offers: list[Offer] = []
    counts: dict[str, int] = {}
    for spec in specs:
        if spec.type == Retire.type:
            continue
        ones: list[Field | None] = [field for field in spec.fields if field.name in spec.one_of]
        for one in ones or [None]:
            counts[spec.type] = counts.get(spec.type, 0) + 1
            key = spec.type if counts[spec.type] == 1 else f"{spec.type}.{counts[spec.type]}"
            fields = tuple(field for field in spec.fields if field.name not in spec.one_of or field is one)
            offers.append(Offer(key, spec, fields, one))
    return tuple(offers)


def find_offer(offers: Sequence[Offer], action: Mapping[str, Any]) -> Offer | None:
    """Return the offer that an action is made of: one with every field it gives and no other that is needed."""
    given = set(action) - {"type", "seat"}
    for offer in offers:
        needed = {field.name for field in offer.required_fields}
        needed |= {field.name for field in offer.fields if isinstance(field, FlagField) and field.required}
        if offer.spec.type == action.get("type") and needed <= given <= {field.name for field in offer.fields}:
            return offer
    return None


def list_retirable_seats(game: Game[Any], state: Any) -> tuple[int, ...]:
    """Return the seats that may retire now, also out of their turn."""
    return tuple(
        seat
        for seat in range(game.seats(state))
        if any(spec.type == Retire.type for spec in game.legal_actions(state, seat))
    )
