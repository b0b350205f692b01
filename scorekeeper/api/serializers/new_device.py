"""What an app sends and gets when it redeems an invitation."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

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
