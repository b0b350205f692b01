"""Log entries and entries under review, for organisers only."""

from __future__ import annotations

import datetime as dt

from rest_framework import serializers

from scorekeeper.api.serializers.base import (
    AnythingField,
    AnythingListField,
    BlankIsNullField,
    FacesField,
    ReadSerializer,
    TimeField,
)
from scorekeeper.ledger.models import ReviewItem


class LogTimeField(TimeField):
    """When the server wrote an entry, always with microseconds."""

    def to_representation(self, value: dt.datetime) -> str:
        """Return the time."""
        return value.astimezone(dt.UTC).isoformat(timespec="microseconds")


class LogEntrySerializer(ReadSerializer):
    """An entry of the log. The log is a chain: each entry’s hash covers the hash of the one before."""

    at = LogTimeField(source="entry.at")
    chain = serializers.UUIDField(source="entry.chain_id", help_text="The scorecard, the contest or the event.")
    chain_name = serializers.CharField()
    seq = serializers.IntegerField(source="entry.seq")
    kind = serializers.CharField(source="entry.kind")
    by = serializers.CharField(source="actor_name", allow_blank=True, help_text="“” if the name was erased.")
    slot = serializers.UUIDField(source="entry.slot_id", allow_null=True)
    actions = AnythingListField(help_text="As in the game’s rule book.")
    data = AnythingField()  # type: ignore[assignment]
    reason = serializers.CharField(allow_blank=True)
    witness = serializers.CharField(allow_blank=True)
    operation = serializers.UUIDField(source="entry.operation_id")
    hash = serializers.CharField(source="entry.hash")
    damaged = BlankIsNullField(help_text="The text of an entry that cannot be read.")


class ReviewSideSerializer(ReadSerializer):
    """What was recorded, in words."""

    description = serializers.CharField(allow_blank=True)
    dice = FacesField()
    by = serializers.CharField(source="actor_name", allow_blank=True)
    at = TimeField(source="recorded_at", allow_null=True)


class RuleProblemSerializer(ReadSerializer):
    """A rule that an action would break."""

    code = serializers.CharField()
    clause = BlankIsNullField()
    field = serializers.CharField(allow_null=True, help_text="The field of the action that it is about.")
    detail = serializers.CharField()


class ReviewedOperationSerializer(ReadSerializer):
    """What was sent."""

    id = serializers.UUIDField(source="operation.pk")
    kind = serializers.CharField(source="operation.kind")
    by = serializers.CharField(source="actor_name", allow_blank=True)
    received_at = TimeField(source="operation.received_at")


class ReviewItemSerializer(ReadSerializer):
    """An entry under review."""

    id = serializers.UUIDField(source="item.pk")
    contest = serializers.SlugField(source="item.contest.slug")
    card = serializers.UUIDField(source="item.card_id", allow_null=True)
    slot = serializers.UUIDField(source="item.slot_id", allow_null=True)
    reason = serializers.ChoiceField(ReviewItem.Reason.values, source="item.reason")
    problems = RuleProblemSerializer(many=True)
    opened_at = TimeField(source="item.opened_at")
    settled_at = TimeField(source="item.settled_at", allow_null=True)
    decision = serializers.ChoiceField(ReviewItem.Decision.values, allow_null=True)
    operation = ReviewedOperationSerializer(source="*")
    current = ReviewSideSerializer(many=True, help_text="While it is open.")
    under_review = ReviewSideSerializer(many=True, help_text="While it is open.")
