"""The ride of a crew member's device, as plain resources: sheets, their turns, and what is next."""

from __future__ import annotations

from rest_framework import serializers

from scorekeeper.api.serializers.base import BikeNumberValueField, FacesField, ReadSerializer
from scorekeeper.api.serializers.setup import CrewMemberSerializer, DiceSetSerializer
from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.sheets import SHEET_STATES, SLOT_STATES

STATES_OF_SLOTS = (
    "“recorded”; “missed”, which is recorded too; “conflict” and “review”, while an entry for it needs the organiser’s "
    "decision; “missing”, if nothing is recorded and it can be; “not_open”, if nothing is recorded and nothing can be: "
    "the contest is closed, or the bike has retired or did not start."
)
STATES_OF_SHEETS = "“to_roll” while a turn is missing; “in_review” if all that is missing needs the organiser."


class RecordedTurnSerializer(ReadSerializer):
    """The recorded turn."""

    id = serializers.UUIDField(help_text="To correct or move it.")
    seq = serializers.IntegerField(help_text="Which entry of the scorecard’s log it is; sent with a correction.")
    line = serializers.CharField(allow_null=True, help_text="Of the score sheet; null for a missed turn.")
    points = serializers.IntegerField()
    dice = FacesField()
    how = serializers.ChoiceField(Turn.How.values)


class SheetSlotSerializer(ReadSerializer):
    """A turn of a sheet."""

    slot = serializers.UUIDField(source="slot.pk", help_text="Sent with a turn.")
    position = serializers.IntegerField(source="slot.ordinal", help_text="In the order of play.")
    stop = serializers.UUIDField(source="slot.stop_id")
    stop_name = serializers.CharField(source="slot.stop.name")
    state = serializers.ChoiceField(SLOT_STATES, help_text=STATES_OF_SLOTS)
    label = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True, help_text="Of the line that the turn went to, in words; “” without a turn."
    )
    turn = RecordedTurnSerializer(allow_null=True, help_text="What counts now, also while an entry is under review.")


class SheetSerializer(ReadSerializer):
    """A score sheet of a bike in a contest, also one on which nothing is recorded."""

    card = serializers.UUIDField(source="card_id", help_text="The id of its scorecard, which follows from the sheet.")
    label = serializers.CharField(  # type: ignore[assignment]
        help_text="The name of the sheet as the crew reads it: the number of its bike. Show it, do not take it apart."
    )
    contest = serializers.UUIDField(source="contest.pk")
    contest_slug = serializers.SlugField(source="contest.slug")
    bike = serializers.UUIDField(source="bike.pk")
    number = BikeNumberValueField(
        source="bike.number", help_text="Of the bike: a whole number, or a text with letters."
    )
    riders = serializers.CharField(allow_blank=True, help_text="The people on the bike, the rider first.")
    group = serializers.UUIDField(source="bike.group_id", allow_null=True)
    state = serializers.ChoiceField(SHEET_STATES, help_text=STATES_OF_SHEETS)
    slots = SheetSlotSerializer(many=True, help_text="Its turns, in the order of play.")
    next = serializers.UUIDField(
        source="next_slot.slot.pk", allow_null=True, help_text="The first missing slot; null if none is."
    )


class NextTurnSerializer(ReadSerializer):
    """The turn to record next."""

    card = serializers.UUIDField(source="sheet.card_id")
    label = serializers.CharField(source="sheet.label", help_text="The name of the sheet.")  # type: ignore[assignment]
    bike = serializers.UUIDField(source="sheet.bike.pk")
    riders = serializers.CharField(source="sheet.riders", allow_blank=True)
    slot = serializers.UUIDField(source="slot.slot.pk")
    position = serializers.IntegerField(source="slot.slot.ordinal", help_text="In the order of play.")


class StopProgressSerializer(ReadSerializer):
    """How many of the bikes have rolled at a stop."""

    stop = serializers.UUIDField(source="id")
    name = serializers.CharField()
    rolled = serializers.IntegerField(source="rolled_count", help_text="How many have rolled there, or missed it.")
    to_roll = serializers.IntegerField(source="todo_count")


class ContestProgressSerializer(ReadSerializer):
    """How far the bikes that the crew member records are in a contest."""

    contest = serializers.UUIDField(source="contest.pk")
    slug = serializers.SlugField(source="contest.slug")
    name = serializers.CharField(source="contest.name")
    game = serializers.CharField(source="contest.game_key", help_text="The key of the game.")
    status = serializers.ChoiceField(Contest.Status.choices, source="contest.status")
    stops = StopProgressSerializer(many=True)
    stop = serializers.UUIDField(source="stop.id", allow_null=True, help_text="Where the group is.")
    next = NextTurnSerializer(
        source="next_turn",
        allow_null=True,
        help_text="Of the bikes that have yet to roll at that stop, the first; null if there is none.",
    )


class RideEventSerializer(ReadSerializer):
    """The event of the ride."""

    id = serializers.UUIDField(source="pk")
    slug = serializers.SlugField()
    name = serializers.CharField()
    date = serializers.DateField()
    time_zone = serializers.CharField()
    state = serializers.ChoiceField(Event.State.choices, help_text="Entries are accepted while it is “open”.")
    is_practice = serializers.BooleanField(help_text="Whether it is a practice: nothing in it counts.")


class RideGroupSerializer(ReadSerializer):
    """The group of the crew member."""

    id = serializers.UUIDField(source="pk")
    name = serializers.CharField()


class RideProgressSerializer(ReadSerializer):
    """The ride of a crew member’s device."""

    event = RideEventSerializer(source="member.group.event")
    member = CrewMemberSerializer()
    group = RideGroupSerializer(source="member.group")
    dice_sets = DiceSetSerializer(many=True, help_text="Of the group; a turn may say with which it was rolled.")
    contests = ContestProgressSerializer(many=True, help_text="Those whose turns are recorded at the stops.")
