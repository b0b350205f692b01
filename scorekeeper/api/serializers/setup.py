"""What is set up before a ride: the event, its stops, groups, bikes, people and contests."""

from __future__ import annotations

import datetime as dt
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scorekeeper.api.serializers.base import BikeNumberValueField, ClassSerializer
from scorekeeper.audience.visible_standings import EventStandings
from scorekeeper.bikes.models import Bike, FurtherSheet
from scorekeeper.common.game_adapter import translate
from scorekeeper.crew.models import CrewMember, DiceSet, Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_share_link
from scorekeeper.players.models import EventClass, Player
from scorekeeper.scorecards.contest_rules import derive_card_id
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
    """A stop. Opening hours are in the event’s time zone. Only organisers and the crew see the note for the crew."""

    position = serializers.IntegerField(source="ordinal", help_text="In the order of the ride.")
    crew_note = serializers.CharField(allow_blank=True, allow_null=True)

    class Meta:
        model = Stop
        fields = ("id", "position", "name", "opens_at", "closes_at", "address", "latitude", "longitude", "crew_note")

    def to_representation(self, instance: Stop) -> dict[str, Any]:
        """Return the stop; for the audience, without the note for the crew."""
        data: dict[str, Any] = super().to_representation(instance)
        if not self.context["sees_setup"]:
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


class EventClassSerializer(serializers.ModelSerializer[EventClass]):
    """A class of the event, such as ladies or 125 cc."""

    position = serializers.IntegerField(source="ordinal", help_text="In the order of the event’s classes.")

    class Meta:
        model = EventClass
        fields = ("id", "position", "name")


class _WithClasses(serializers.ModelSerializer[Any]):
    """Adds the classes of a bike or a person, which the view has read for the whole event."""

    classes = serializers.SerializerMethodField(
        help_text="The classes that it was given, in their order. A bike is also ranked in those of its rider, and a "
        "rider in those of the bike."
    )

    @extend_schema_field(ClassSerializer(many=True))
    def get_classes(self, subject: Bike | Player) -> Any:
        """Return its own classes."""
        return ClassSerializer(self.context["classes"].get(subject.pk, ()), many=True).data


class PlayerSerializer(_WithClasses):
    """A person, with the bike they ride on."""

    bike = serializers.UUIDField(source="bike_id", allow_null=True)

    class Meta:
        model = Player
        fields = ("id", "name", "role", "bike", "classes")


class FurtherSheetSerializer(serializers.ModelSerializer[FurtherSheet]):
    """A further sheet of a bike: another scorecard of it in one contest."""

    id = serializers.UUIDField(help_text="Sent as the bike of what is recorded on it.")
    label = serializers.CharField(help_text="As people read it: “57/2”.")  # type: ignore[assignment]
    number = serializers.IntegerField(source="sheet", help_text="Which sheet of the bike it is: the 2 in “57/2”.")
    contest = serializers.UUIDField(source="sheet_contest_id", help_text="The only contest in which it plays.")
    card = serializers.SerializerMethodField(help_text="The id of its scorecard, which follows from the sheet.")

    class Meta:
        model = FurtherSheet
        fields = ("id", "label", "number", "contest", "card")

    @extend_schema_field({"type": "string", "format": "uuid"})
    def get_card(self, sheet: FurtherSheet) -> str:
        """Return the id of its scorecard, which may not exist yet."""
        assert sheet.sheet_contest_id is not None, "a further sheet is of one contest"
        return str(derive_card_id(sheet.sheet_contest_id, sheet.pk))


class BikeSerializer(_WithClasses):
    """A bike. `label` is its number as people read it: “57 (2)” for the second bike that claims 57.

    `further_sheets` are the sheets beside its first, in every contest that sells them; the bike itself is the first.
    """

    number = BikeNumberValueField(help_text="A whole number, or a text with letters, such as 12A.")
    label = serializers.CharField()  # type: ignore[assignment]
    group = serializers.UUIDField(source="group_id", allow_null=True)
    people = PlayerSerializer(many=True, source="players")
    further_sheets = serializers.SerializerMethodField()

    class Meta:
        model = Bike
        fields = (
            "id",
            "number",
            "label",
            "make",
            "model",
            "group",
            "is_walk_up",
            "did_not_start",
            "classes",
            "people",
            "further_sheets",
        )

    @extend_schema_field(FurtherSheetSerializer(many=True))
    def get_further_sheets(self, bike: Bike) -> Any:
        """Return its further sheets, which the view has read for the whole page."""
        return FurtherSheetSerializer(self.context["further_sheets"].get(bike.pk, ()), many=True).data


class SlotSerializer(serializers.ModelSerializer[Slot]):
    """A turn of a contest at a stop."""

    position = serializers.IntegerField(source="ordinal", help_text="In the order of play.")
    stop = serializers.UUIDField(source="stop_id")

    class Meta:
        model = Slot
        fields = ("id", "position", "stop")


class ContestSerializer(serializers.ModelSerializer[Contest]):
    """A contest. Organisers and the crew see its options; for the audience they are null."""

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
            "sheets_for",
            "sheets_max",
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
        """Return the options, for organisers and the crew."""
        return dict(contest.ruleset.options) if self.context["sees_setup"] else None
