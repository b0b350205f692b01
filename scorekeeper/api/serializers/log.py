"""Log entries and entries under review, and what can be done on a card: plain data, which these only describe."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scorekeeper.api.serializers.results import COMPUTED_STATES, FacesField, ScorecardSerializer
from scorekeeper.ledger.models import ReviewItem

ANYTHING: dict[str, Any] = {"type": "object", "additionalProperties": True}
ACTIONS: dict[str, Any] = {"type": "array", "items": ANYTHING}


@extend_schema_field(ANYTHING)
class AnythingField(serializers.Field[Any, Any, Any, Any]):
    """An object whose fields depend on the kind of the entry."""


@extend_schema_field(ACTIONS)
class ActionsListField(serializers.Field[Any, Any, Any, Any]):
    """Actions, as in the game’s rule book."""


class LogEntrySerializer(serializers.Serializer[Any]):
    """An entry of the log. The log is a chain: each entry’s hash covers the hash of the one before."""

    at = serializers.DateTimeField()
    chain = serializers.UUIDField(help_text="The scorecard, the contest or the event.")
    chain_name = serializers.CharField()
    seq = serializers.IntegerField()
    kind = serializers.CharField()
    by = serializers.CharField(allow_blank=True, help_text="“” if the name was erased.")
    slot = serializers.UUIDField(allow_null=True)
    actions = ActionsListField()
    data = AnythingField()  # type: ignore[assignment]
    reason = serializers.CharField(allow_blank=True)
    witness = serializers.CharField(allow_blank=True)
    operation = serializers.UUIDField()
    hash = serializers.CharField()
    damaged = serializers.CharField(allow_null=True, help_text="The text of an entry that cannot be read.")


class ReviewSideSerializer(serializers.Serializer[Any]):
    """What was recorded, in words."""

    description = serializers.CharField(allow_blank=True)
    dice = FacesField()
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True)


class RuleProblemSerializer(serializers.Serializer[Any]):
    """A rule that an action would break."""

    code = serializers.CharField()
    clause = serializers.CharField(allow_null=True)
    field = serializers.CharField(allow_null=True, help_text="The field of the action that it is about.")
    detail = serializers.CharField()


class ReviewedOperationSerializer(serializers.Serializer[Any]):
    """What was sent."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    by = serializers.CharField(allow_blank=True)
    received_at = serializers.DateTimeField()


class ReviewItemSerializer(serializers.Serializer[Any]):
    """An entry under review."""

    id = serializers.UUIDField()
    contest = serializers.SlugField()
    card = serializers.UUIDField(allow_null=True)
    slot = serializers.UUIDField(allow_null=True)
    reason = serializers.ChoiceField(ReviewItem.Reason.values)
    problems = RuleProblemSerializer(many=True)
    opened_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    decision = serializers.ChoiceField(ReviewItem.Decision.values, allow_null=True)
    operation = ReviewedOperationSerializer()
    current = ReviewSideSerializer(many=True, help_text="While it is open.")
    under_review = ReviewSideSerializer(many=True, help_text="While it is open.")


class CountSerializer(serializers.Serializer[Any]):
    """How many dice: `low` to `high`. With `less_pick`, minus those in that field; with `like_pick`, as many."""

    low = serializers.IntegerField()
    high = serializers.IntegerField()
    less_pick = serializers.CharField(allow_null=True)
    like_pick = serializers.CharField(allow_null=True)


@extend_schema_field({"type": ["integer", "string"]})
class FaceField(serializers.Field[Any, Any, Any, Any]):
    """A face of a die."""


class FaceSerializer(serializers.Serializer[Any]):
    """A face as an action writes it, and the word for it."""

    face = FaceField()
    word = serializers.CharField()
    art = serializers.CharField(allow_blank=True)


class DicePickSerializer(serializers.Serializer[Any]):
    """One allowed selection of dice, and what it would score."""

    dice = FacesField()
    points = serializers.IntegerField(allow_null=True)


@extend_schema_field({"type": ["integer", "string"]})
class ChoiceValueField(serializers.Field[Any, Any, Any, Any]):
    """The value that an action has for a choice."""


class ActionChoiceSerializer(serializers.Serializer[Any]):
    """One choice. A closed one says why it is closed, and by which clause."""

    value = ChoiceValueField()
    label = serializers.CharField()  # type: ignore[assignment]
    points = serializers.IntegerField(allow_null=True)
    open = serializers.BooleanField()
    why_not = serializers.CharField(allow_null=True)
    clause = serializers.CharField(allow_null=True)
    seat = serializers.IntegerField(allow_null=True)


class ActionFieldSerializer(serializers.Serializer[Any]):
    """A field of an action. Which of the others it has depends on its kind."""

    name = serializers.CharField()
    kind = serializers.ChoiceField(["dice", "pick", "choice", "number", "flag", "cards"])
    label = serializers.CharField()  # type: ignore[assignment]
    required = serializers.BooleanField()  # type: ignore[assignment]
    colour = serializers.CharField(required=False, help_text="Of the dice.")
    single = serializers.BooleanField(required=False, help_text="Of dice: the face of one die, not a list.")
    count = CountSerializer(required=False, help_text="Of dice.")
    faces = FaceSerializer(many=True, required=False, help_text="Of dice and picks.")
    showing = FacesField(required=False, help_text="Of a pick: the dice on the table.")
    picks = DicePickSerializer(many=True, required=False, help_text="Of a pick: the allowed selections.")
    choices = ActionChoiceSerializer(many=True, required=False, help_text="Of a choice.")
    low = serializers.IntegerField(required=False, help_text="Of a number.")
    high = serializers.IntegerField(required=False, help_text="Of a number.")
    values = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="Of a number: if not empty, one of these."
    )
    seats = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="Of cards: one for each of these seats, or null."
    )


class OrdinalSerializer(serializers.Serializer[Any]):
    """A position in a series: the second roll of three."""

    number = serializers.IntegerField()
    of = serializers.IntegerField()


class LegalActionSerializer(serializers.Serializer[Any]):
    """An action that can be done now: send its type and seat, and a value for each required field."""

    type = serializers.CharField()
    seat = serializers.IntegerField(allow_null=True)
    label = serializers.CharField()  # type: ignore[assignment]
    fields = ActionFieldSerializer(many=True)  # type: ignore[assignment]
    one_of = serializers.ListField(child=serializers.CharField(), help_text="Exactly one of these fields is given.")
    nth = OrdinalSerializer(allow_null=True)


class ChoiceValueSerializer(serializers.Serializer[Any]):
    """What a choice is worth."""

    action = serializers.DictField(help_text="As in a transcript, without its seat and what chance decides.")
    value = serializers.FloatField(allow_null=True, help_text="What best play comes to after it.")
    loss = serializers.FloatField(allow_null=True, help_text="What it costs, compared with the best; never negative.")


class OddsSerializer(serializers.Serializer[Any]):
    """What the choices of the seat to act are worth, as `python -m games odds` says."""

    state = serializers.ChoiceField(COMPUTED_STATES, help_text="“pending” until the worker has computed it.")
    why = serializers.CharField(allow_null=True, help_text="Why there is none: “seconds”, “unbounded” or “not_known”.")
    seat = serializers.IntegerField()
    measure = serializers.CharField(allow_null=True, help_text="What values count: “total”, “turn” or “heat”.")
    value = serializers.FloatField(allow_null=True, help_text="What best play comes to on average.")
    options = ChoiceValueSerializer(many=True)


class PlaySerializer(serializers.Serializer[Any]):
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
