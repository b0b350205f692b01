"""What results are of, and how official they are."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from scorekeeper.api.serializers.base import MarkField, ReadSerializer, TimeField
from scorekeeper.events.models import Contest


class OddsShownField(serializers.ChoiceField):
    """Which odds a contest shows during play; left out if none."""

    def __init__(self, **options: Any) -> None:
        shown = [one for one in Contest.OddsShown if one != Contest.OddsShown.OFF]
        super().__init__([(one.value, one.label) for one in shown], required=False, **options)

    def to_representation(self, value: Any) -> Any:
        """Return the setting."""
        return None if value == Contest.OddsShown.OFF else value


class EventHeadSerializer(ReadSerializer):
    """Which event results are of."""

    name = serializers.CharField()
    date = serializers.DateField()
    practice = MarkField(source="is_practice", help_text="Only in practice events: nothing in them counts.")


class ContestHeadSerializer(ReadSerializer):
    """Which contest results are of."""

    name = serializers.CharField()
    ruleset = serializers.CharField(source="game_key", help_text="The key of the game.")
    rules_version = serializers.IntegerField()
    lowest_wins = serializers.BooleanField(source="ruleset.lowest_wins", help_text="Whether a smaller total is better.")
    odds = OddsShownField(source="odds_shown", help_text="What is shown of the odds during play; left out if nothing.")


class HeadSerializer(ReadSerializer):
    """What results are of, and how official they are."""

    event = EventHeadSerializer(source="contest.event")
    contest = ContestHeadSerializer()
    official = serializers.BooleanField(source="board.is_official")
    revision = serializers.IntegerField(
        source="board.revision", allow_null=True, help_text="The number of the official result; null before."
    )
    revision_pending = serializers.BooleanField(
        source="board.needs_revision", help_text="Whether something was recorded since the last revision."
    )
    as_of = TimeField(
        source="board.as_of", allow_null=True, help_text="When the figures last changed or were published."
    )
    frozen_at = TimeField(source="board.frozen_at", required=False, help_text="Only while the standings are frozen.")
