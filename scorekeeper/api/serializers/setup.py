"""What is set up before a ride: the event, its stops, groups, bikes, people and contests."""

from __future__ import annotations

import datetime as dt
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scorekeeper.audience.visible_standings import EventStandings
from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import translate
from scorekeeper.crew.models import CrewMember, DiceSet, Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_share_link
from scorekeeper.players.models import Player
from scorekeeper.stops.models import Slot, Stop


class EventSerializer(serializers.ModelSerializer[Event]):
    """An event."""

    url = serializers.SerializerMethodField(help_text="Its public page.")
    frozen_at = serializers.SerializerMethodField(
        help_text="Since when its audience sees frozen standings; null while it sees current ones."
    )

    class Meta:
        model = Event
        fields = ("id", "slug", "name", "date", "time_zone", "state", "is_practice", "url", "frozen_at")

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, event: Event) -> str:
        """Return the address to share."""
        return get_share_link(event)

    @extend_schema_field({"type": ["string", "null"], "format": "date-time"})
    def get_frozen_at(self, event: Event) -> str | None:
        """Return the time of the freeze; it is read with the event."""
        freeze = getattr(event, "freeze", None)
        return None if freeze is None or freeze.at is None else freeze.at.astimezone(dt.UTC).isoformat()


class StopSerializer(serializers.ModelSerializer[Stop]):
    """A stop. Opening hours are in the event’s time zone. Only organisers see the note for the crew."""

    position = serializers.IntegerField(source="ordinal", help_text="In the order of the ride.")
    crew_note = serializers.CharField(allow_blank=True, allow_null=True)

    class Meta:
        model = Stop
        fields = ("id", "position", "name", "opens_at", "closes_at", "address", "latitude", "longitude", "crew_note")

    def to_representation(self, instance: Stop) -> dict[str, Any]:
        """Return the stop; for the audience, without the note for the crew."""
        data: dict[str, Any] = super().to_representation(instance)
        if not self.context["is_organiser"]:
            data["crew_note"] = None
        return data


class CrewMemberSerializer(serializers.ModelSerializer[CrewMember]):
    """A member of a group’s crew."""

    class Meta:
        model = CrewMember
        fields = ("id", "name", "role")


class DiceSetSerializer(serializers.ModelSerializer[DiceSet]):
    """Five real dice that a crew member carries."""

    class Meta:
        model = DiceSet
        fields = ("id", "name")


class GroupSerializer(serializers.ModelSerializer[Group]):
    """A group of bikes, with its crew and dice sets."""

    position = serializers.IntegerField(source="ordinal")
    crew = CrewMemberSerializer(many=True)
    dice_sets = DiceSetSerializer(many=True)

    class Meta:
        model = Group
        fields = ("id", "position", "name", "crew", "dice_sets")


class PlayerSerializer(serializers.ModelSerializer[Player]):
    """A person, with the bike they ride on."""

    bike = serializers.UUIDField(source="bike_id", allow_null=True)

    class Meta:
        model = Player
        fields = ("id", "name", "role", "bike")


class BikeSerializer(serializers.ModelSerializer[Bike]):
    """A bike. `label` is its number as people read it: “57 (2)” for the second bike that claims 57."""

    label = serializers.CharField()  # type: ignore[assignment]
    group = serializers.UUIDField(source="group_id", allow_null=True)
    people = PlayerSerializer(many=True, source="players")

    class Meta:
        model = Bike
        fields = ("id", "number", "label", "make", "model", "group", "is_walk_up", "did_not_start", "people")


class SlotSerializer(serializers.ModelSerializer[Slot]):
    """A turn of a contest at a stop."""

    position = serializers.IntegerField(source="ordinal", help_text="In the order of play.")
    stop = serializers.UUIDField(source="stop_id")

    class Meta:
        model = Slot
        fields = ("id", "position", "stop")


class ContestSerializer(serializers.ModelSerializer[Contest]):
    """A contest. Only organisers see its options; for the audience they are null."""

    game = serializers.CharField(source="game_key", help_text="The key of the game, as in its rule book’s address.")
    game_name = serializers.SerializerMethodField()
    status = serializers.SerializerMethodField()
    options = serializers.SerializerMethodField()
    slots = SlotSerializer(many=True, help_text="Its turns at the stops; empty for a game at tables.")

    class Meta:
        model = Contest
        fields = (
            "id",
            "slug",
            "name",
            "game",
            "game_name",
            "rules_version",
            "seats_are",
            "odds_shown",
            "status",
            "options",
            "slots",
        )

    def get_game_name(self, contest: Contest) -> str:
        """Return the name of the game."""
        return translate(contest.game.name)

    @extend_schema_field({"type": "string", "enum": Contest.Status.values})
    def get_status(self, contest: Contest) -> str:
        """Return the status as the caller may see it."""
        standings: EventStandings | None = self.context["standings"]
        return contest.status if standings is None else standings.get_status(contest)

    @extend_schema_field({"type": ["object", "null"], "additionalProperties": True})
    def get_options(self, contest: Contest) -> Any:
        """Return the options, for organisers."""
        return dict(contest.ruleset.options) if self.context["is_organiser"] else None
