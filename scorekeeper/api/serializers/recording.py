"""What phones and apps get: receipts for their operations, their device, and their key."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from scorekeeper.api.outcomes import OUTCOMES
from scorekeeper.api.serializers.base import AnythingField, ReadSerializer, TimeField
from scorekeeper.crew.models import CrewMember


class InvitationSerializer(serializers.Serializer[Any]):
    """A one-time link of the crew, or only the token at its end."""

    # Visible ASCII, perhaps with spaces around it. The schema says so too.
    invitation = serializers.RegexField(r"^ *[!-~]+ *$", max_length=500)


class NewDeviceSerializer(serializers.Serializer[Any]):
    """A device. Its token is sent only here."""

    device = serializers.UUIDField()
    token = serializers.CharField(help_text="Send it as “Authorization: Bearer …”. It is shown only once.")
    expires_at = serializers.DateTimeField()
    event = serializers.SlugField()
    member = serializers.UUIDField()
    name = serializers.CharField()
    role = serializers.ChoiceField(CrewMember.Role.choices)
    group = serializers.UUIDField(help_text="The group whose bikes the member records.")


class ReceiptProblemSerializer(ReadSerializer):
    """A problem: with the names that phones read, and with those of problem details."""

    code = serializers.CharField()
    rule = serializers.CharField(allow_blank=True)
    message = serializers.CharField()
    href = serializers.CharField(allow_blank=True)
    clause = serializers.CharField(allow_null=True)
    field = serializers.CharField(allow_null=True)


class ReceiptEntrySerializer(ReadSerializer):
    """An entry of the log that an operation wrote."""

    chain = serializers.UUIDField()
    seq = serializers.IntegerField()
    hash = serializers.CharField()


class ReceiptSerializer(ReadSerializer):
    """What became of an operation (`operation_results`, which phones without signal use too)."""

    id = serializers.CharField(allow_null=True)
    outcome = serializers.ChoiceField([(name, f"{one.meaning} {one.next_step}") for name, one in OUTCOMES.items()])
    entries = ReceiptEntrySerializer(many=True)
    review = serializers.UUIDField(allow_null=True)
    problems = ReceiptProblemSerializer(many=True)
    operation = serializers.UUIDField(
        required=False,
        help_text="The ID it is stored under, if someone else had already used the one it was sent with.",
    )
    data = AnythingField(required=False)  # type: ignore[assignment]


class BatchResultsSerializer(ReadSerializer):
    """A receipt for each operation, in the order of the request."""

    server_time = TimeField()
    receipts = ReceiptSerializer(many=True)


class PhoneSerializer(serializers.Serializer[Any]):
    """The device that asked."""

    device = serializers.UUIDField()


class RegisteredKeySerializer(PhoneSerializer):
    """The device that asked, and its key."""

    public_key = serializers.CharField(allow_blank=True, help_text="As it was registered; “” if none is.")
