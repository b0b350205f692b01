"""A scorecard with what can be recorded on it now: the action specs of the games (`games.core.specs`), as data.

A client makes an action of a spec by giving it a value for each required field: `{"type": …, "seat": …, …}`.
"""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from games.core.specs import (
    CardsField,
    Choice,
    ChoiceField,
    DiceField,
    DrawField,
    Field,
    FlagField,
    NumberField,
    PickField,
)
from scorekeeper.api.serializers.base import FaceField, FacesField, FigureField, ReadSerializer, TextField
from scorekeeper.api.serializers.luck import COMPUTED_STATES
from scorekeeper.api.serializers.results import ScorecardSerializer
from scorekeeper.common.game_adapter import translate


class CountSerializer(ReadSerializer):
    """How many dice: `low` to `high`. With `less_pick`, minus those in that field; with `like_pick`, as many."""

    low = serializers.IntegerField()
    high = serializers.IntegerField()
    less_pick = serializers.CharField(allow_null=True)
    like_pick = serializers.CharField(allow_null=True)


class FaceSerializer(ReadSerializer):
    """A face as an action writes it, and the word for it."""

    face = FaceField()
    word = TextField()
    art = serializers.CharField(allow_blank=True)


class DicePickSerializer(ReadSerializer):
    """One allowed selection of dice, and what it would score."""

    dice = FacesField()
    points = serializers.IntegerField(allow_null=True)


class ActionChoiceSerializer(ReadSerializer):
    """One choice. A closed one says why it is closed, and by which clause."""

    value = FaceField()
    label = serializers.SerializerMethodField()  # type: ignore[assignment]
    points = serializers.IntegerField(allow_null=True)
    open = serializers.BooleanField()
    seat = serializers.IntegerField(allow_null=True)
    why_not = serializers.SerializerMethodField()
    clause = serializers.SerializerMethodField()

    def get_label(self, choice: Choice) -> str:
        """Return its label in words."""
        return translate(choice.label, choice.params)

    def get_why_not(self, choice: Choice) -> str | None:
        """Return why it is closed; None for an open one."""
        return None if choice.why_not is None else translate(choice.why_not, choice.params)

    def get_clause(self, choice: Choice) -> str | None:
        """Return the clause that closes it."""
        return choice.rule or None


class _FieldSerializer(ReadSerializer):
    name = serializers.CharField()
    label = TextField()  # type: ignore[assignment]


class DiceFieldSerializer(_FieldSerializer):
    """The faces of real dice of one colour, as a list; if `single`, the face of one die instead of a list."""

    faces = FaceSerializer(many=True)
    count = CountSerializer()
    required = serializers.BooleanField()  # type: ignore[assignment]
    single = serializers.BooleanField()
    colour = serializers.CharField()
    kind = serializers.ChoiceField(["dice"])


class PickFieldSerializer(_FieldSerializer):
    """A selection of the dice showing: one of `picks`."""

    showing = FacesField(help_text="The dice on the table.")
    picks = DicePickSerializer(many=True, help_text="The allowed selections.")
    required = serializers.BooleanField()  # type: ignore[assignment]
    faces = FaceSerializer(many=True)
    colour = serializers.CharField()
    kind = serializers.ChoiceField(["pick"])


class ChoiceFieldSerializer(_FieldSerializer):
    """One choice from a list, best first if the points are known."""

    choices = ActionChoiceSerializer(many=True)
    required = serializers.BooleanField()  # type: ignore[assignment]
    kind = serializers.ChoiceField(["choice"])


class NumberFieldSerializer(_FieldSerializer):
    """A whole number from `low` to `high`, or one of `values` if there are any."""

    low = serializers.IntegerField()
    high = serializers.IntegerField()
    values = serializers.ListField(child=serializers.IntegerField())
    required = serializers.BooleanField()  # type: ignore[assignment]
    kind = serializers.ChoiceField(["number"])


class FlagFieldSerializer(_FieldSerializer):
    """Yes or no; a missing value means no."""

    required = serializers.BooleanField()  # type: ignore[assignment]
    kind = serializers.ChoiceField(["flag"])


class CardsFieldSerializer(_FieldSerializer):
    """A playing card for each of these seats, or null for an absent seat."""

    seats = serializers.ListField(child=serializers.IntegerField())
    required = serializers.BooleanField()  # type: ignore[assignment]
    kind = serializers.ChoiceField(["cards"])


class DrawFieldSerializer(_FieldSerializer):
    """Cards drawn from a pack, as a list of `count` codes; if `single`, one code instead of a list.

    Each of `cards` can come once, and `JOKER` as often as `jokers` says.
    """

    cards = serializers.ListField(child=serializers.CharField())
    count = serializers.IntegerField()
    jokers = serializers.IntegerField()
    required = serializers.BooleanField()  # type: ignore[assignment]
    single = serializers.BooleanField()
    kind = serializers.ChoiceField(["draw"])


FIELD_SERIALIZERS: dict[type[Any], type[ReadSerializer]] = {
    DiceField: DiceFieldSerializer,
    PickField: PickFieldSerializer,
    ChoiceField: ChoiceFieldSerializer,
    NumberField: NumberFieldSerializer,
    FlagField: FlagFieldSerializer,
    CardsField: CardsFieldSerializer,
    DrawField: DrawFieldSerializer,
}


@extend_schema_field(
    PolymorphicProxySerializer(
        "ActionField", list(FIELD_SERIALIZERS.values()), resource_type_field_name=None, many=True
    )
)
class ActionFieldsField(serializers.ReadOnlyField):
    """The fields of an action, each of its kind."""

    def to_representation(self, value: tuple[Field, ...]) -> list[Any]:
        """Return them as plain data."""
        return [FIELD_SERIALIZERS[type(field)](field).data for field in value]


class OrdinalSerializer(ReadSerializer):
    """A position in a series: the second roll of three."""

    number = serializers.IntegerField()
    of = serializers.IntegerField()


class LegalActionSerializer(ReadSerializer):
    """An action that can be done now: send its type and seat, and a value for each required field."""

    type = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    label = TextField()  # type: ignore[assignment]
    fields = ActionFieldsField()  # type: ignore[assignment]
    one_of = serializers.ListField(child=serializers.CharField(), help_text="Exactly one of these fields is given.")
    nth = OrdinalSerializer(allow_null=True)


WIN = "Rogue between two, near its end: the chance to win the game if this turn is played to win."
RACE = "Drag Rage: the chance to win the race if later heats are even."


class ChoiceValueSerializer(ReadSerializer):
    """What a choice is worth."""

    action = serializers.DictField(help_text="As in a transcript, without its seat and what chance decides.")
    value = FigureField(allow_null=True, help_text="What best play comes to after it.")
    loss = FigureField(allow_null=True, help_text="What it costs, compared with the best; never negative.")
    win = FigureField(required=False, help_text=WIN)
    race = FigureField(required=False, help_text=RACE)


class OddsSerializer(ReadSerializer):
    """What the choices of the seat to act are worth, as `python -m games odds` says."""

    state = serializers.ChoiceField(COMPUTED_STATES, help_text="“pending” until the worker has computed it.")
    why = serializers.CharField(allow_null=True, help_text="Why there is none: “seconds”, “unbounded” or “not_known”.")
    seat = serializers.IntegerField()
    measure = serializers.CharField(allow_null=True, help_text="What values count: “total”, “turn” or “heat”.")
    value = FigureField(allow_null=True, help_text="What best play comes to on average.")
    options = ChoiceValueSerializer(many=True)
    win = FigureField(source="chances.win", required=False, help_text=WIN)
    race = FigureField(source="chances.race", required=False, help_text=RACE)


class PlaySerializer(ReadSerializer):
    """How far a scorecard has come, and what can be recorded on it."""

    length = serializers.IntegerField(help_text="How many entries its log has; sent as “seen” with an action.")
    is_sealed = serializers.BooleanField(help_text="Whether its contest is closed.")
    is_damaged = serializers.BooleanField(help_text="Whether its log cannot be read; nothing can be recorded then.")
    free_slots = serializers.ListField(child=serializers.UUIDField(), help_text="Slots without a turn, in order.")
    is_finished = serializers.BooleanField()
    to_act = serializers.IntegerField(allow_null=True, help_text="The seat whose turn it is.")
    legal_actions = LegalActionSerializer(many=True)
    odds = OddsSerializer(
        allow_null=True, help_text="Null unless the contest is set to coach and open, and somebody is to act."
    )


class ScorecardDetailSerializer(ScorecardSerializer):
    """A scorecard, for organisers with what can be recorded on it."""

    play = PlaySerializer(allow_null=True)
