"""The luck of a closed contest: of one card, of everyone on it, and the luck-adjusted table."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.core.odds import DECIMALS
from scorekeeper.api.serializers.base import ReadSerializer
from scorekeeper.api.serializers.head import ContestHeadSerializer, EventHeadSerializer

COMPUTED_STATES = [(state, state) for state in ("none", "pending", "ready")]
LUCK_STATES = "“none” before the contest is closed, while its result is withheld, and in games without odds."


class StepFigureField(serializers.FloatField):
    """A figure of a step, as the command `odds` says it, and not rounded further."""

    def to_representation(self, value: Any) -> Any:
        """Return the figure, never -0.0."""
        return round(value, DECIMALS) + 0.0


class _CardSerializer(ReadSerializer):
    """Whose card it is."""

    card = serializers.UUIDField(source="card.card_id")
    holder = serializers.UUIDField(source="card.entrant_id")


class _RowSerializer(_CardSerializer):
    """Whose card it is, and its place."""

    number = serializers.CharField(source="row.number", allow_blank=True)
    place = serializers.CharField(source="row.rank_label", help_text="In the standings.")


class _SumsSerializer(ReadSerializer):
    """What a total is made of."""

    recorded = serializers.BooleanField(
        source="is_recorded", help_text="Whether the card is finished and every turn was entered by rolls."
    )
    value = serializers.FloatField(
        source="balance.start", help_text="What best play comes to on average, before anything."
    )
    luck = serializers.FloatField(source="balance.luck", help_text="What the throws brought.")
    loss = serializers.FloatField(source="balance.loss", help_text="What the choices cost; never negative.")
    unsplit = serializers.FloatField(
        source="balance.unsplit", help_text="What turns brought whose rolls were not entered one by one."
    )
    missed = serializers.FloatField(source="balance.missed", help_text="What missing turns and retiring brought.")
    total = serializers.FloatField(source="balance.total", help_text="The total; expected if the card is not finished.")
    adjusted = serializers.FloatField(allow_null=True, help_text="The total without luck; null if not “recorded”.")


class LuckRowSerializer(_RowSerializer, _SumsSerializer):
    """A row of the luck-adjusted table, which decides nothing.

    Each sum has one decimal: total = value + luck − loss + unsplit + missed. Where a low total is good, the four
    amounts count the other way round.
    """

    riders = serializers.CharField(source="named.riders", required=False, allow_blank=True)
    name = serializers.CharField(source="named.name", required=False, allow_blank=True)


class LuckTableSerializer(ReadSerializer):
    """The luck-adjusted table, the best adjusted total first."""

    event = EventHeadSerializer(source="contest.event")
    contest = ContestHeadSerializer()
    state = serializers.ChoiceField(COMPUTED_STATES, help_text=LUCK_STATES)
    luck = LuckRowSerializer(many=True)


class LuckStepSerializer(ReadSerializer):
    """What one throw brought or one choice cost. An action may be a choice and then a throw."""

    turn = serializers.IntegerField(help_text="The position of its slot; 0 where there is none.")
    kind = serializers.ChoiceField(["throw", "choice", "unsplit", "missed"], source="step.kind")
    action = serializers.DictField(source="step.action", help_text="As in a transcript.")
    amount = StepFigureField(source="step.amount", help_text="What it brought; what a choice cost.")
    value = StepFigureField(source="step.value", help_text="The expected total after it.")
    best = serializers.DictField(
        source="step.best", allow_null=True, help_text="The best choice, if another one was made."
    )


class CardLuckSerializer(_CardSerializer, _SumsSerializer):
    """One entrant’s card.

    Each sum has one decimal: total = value + luck − loss + unsplit + missed. Where a low total is good, the four
    amounts count the other way round.
    """

    steps = LuckStepSerializer(many=True)


class ScorecardLuckSerializer(ReadSerializer):
    """The luck of everyone on a scorecard."""

    state = serializers.ChoiceField(COMPUTED_STATES, help_text=LUCK_STATES)
    seats = CardLuckSerializer(many=True)
