"""Standings, scorecards and prizes, which are plain data (`scorekeeper.api.result_data`). These only describe them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from scorekeeper.prizes.award import Outcome
from scorekeeper.prizes.models import Prize
from scorekeeper.standings.leaderboard import ABSENT_STATUS

COMPUTED_STATES = [(state, state) for state in ("none", "pending", "ready")]
FACES: dict[str, Any] = {"type": "array", "items": {"type": ["integer", "string"]}}


@extend_schema_field(FACES)
class FacesField(serializers.ListField):
    """Faces of dice."""


class EventHeadSerializer(serializers.Serializer[Any]):
    """Which event results are of."""

    name = serializers.CharField()
    date = serializers.DateField()
    practice = serializers.BooleanField(required=False, help_text="Only in practice events: nothing in them counts.")


class ContestHeadSerializer(serializers.Serializer[Any]):
    """Which contest results are of."""

    name = serializers.CharField()
    ruleset = serializers.CharField(help_text="The key of the game.")
    rules_version = serializers.IntegerField()
    lowest_wins = serializers.BooleanField(help_text="Whether a smaller total is better.")


class HeadSerializer(serializers.Serializer[Any]):
    """What results are of, and how official they are."""

    event = EventHeadSerializer()
    contest = ContestHeadSerializer()
    official = serializers.BooleanField()
    revision = serializers.IntegerField(allow_null=True, help_text="The number of the official result; null before.")
    revision_pending = serializers.BooleanField(help_text="Whether something was recorded since the last revision.")
    as_of = serializers.DateTimeField(allow_null=True, help_text="When the figures last changed or were published.")
    frozen_at = serializers.DateTimeField(required=False, help_text="Only while the standings are frozen.")


class ChancesSerializer(serializers.Serializer[Any]):
    """What the chances in the rows are about. They come from ended turns only, if everyone plays for a high average."""

    as_of = serializers.DateTimeField(help_text="When the standings that they belong to last changed.")
    places = serializers.IntegerField(help_text="How many first places `among_first` is about.")


class RowChancesSerializer(serializers.Serializer[Any]):
    """An entrant’s chances, from 0 to 1. They are 0 or 1 only where that is certain, whatever is rolled."""

    win = serializers.FloatField(help_text="To come first.")
    among_first = serializers.FloatField(help_text="To be among the first places.")


class StandingsRowSerializer(serializers.Serializer[Any]):
    """A row of the standings. Bikes have `riders`, players a `name`."""

    holder = serializers.UUIDField(help_text="The id of the bike or player.")
    number = serializers.CharField(allow_blank=True, help_text="The bike’s number; “” for a player.")
    rank = serializers.IntegerField(allow_null=True, help_text="null for an entrant who has not started.")
    place = serializers.CharField(help_text="The rank as people read it: “2=” for a shared place.")
    level = serializers.BooleanField(help_text="Whether the place is shared.")
    total = serializers.IntegerField()
    margin = serializers.IntegerField(required=False, help_text="Ranks entrants with the same total, in some games.")
    turns = serializers.IntegerField(required=False, help_text="How many turns count; in games at the stops.")
    tables = serializers.IntegerField(required=False, help_text="How many tables count; in games at tables.")
    status = serializers.ChoiceField(["playing", "done", "retired", ABSENT_STATUS])
    last_change = serializers.DateTimeField(allow_null=True)
    by = serializers.ChoiceField(["points", "cut", "level", ""], help_text="How the place was decided.")
    cards = serializers.ListField(
        child=serializers.CharField(allow_null=True), help_text="The cards cut for the place, such as QS."
    )
    riders = serializers.CharField(required=False, allow_blank=True)
    name = serializers.CharField(required=False, allow_blank=True)
    announced = serializers.BooleanField(required=False, help_text="Only during a reveal.")
    chances = RowChancesSerializer(
        required=False, help_text="Of entrants who have started, in an open contest that tells its chances to win."
    )


class CutCardSerializer(serializers.Serializer[Any]):
    """A card that someone cut; null for someone who was not there."""

    holder = serializers.UUIDField()
    number = serializers.CharField(allow_blank=True)
    card = serializers.CharField(allow_null=True)


class CutSerializer(serializers.Serializer[Any]):
    """A cut of cards that decided places."""

    cards = CutCardSerializer(many=True)
    witness = serializers.CharField(allow_blank=True)


class GroupStandingsRowSerializer(serializers.Serializer[Any]):
    """A group in the standings of groups."""

    group = serializers.UUIDField()
    name = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True)
    place = serializers.CharField()
    level = serializers.BooleanField()
    score = serializers.FloatField(allow_null=True, help_text="A sum, or a mean with two decimals.")
    points = serializers.IntegerField(help_text="The sum of the totals that count.")
    counted = serializers.IntegerField(help_text="How many totals count.")
    members = serializers.ListField(child=serializers.UUIDField(), help_text="Whose totals can count, best first.")


class GroupStandingsSerializer(serializers.Serializer[Any]):
    """The standings of groups."""

    best = serializers.IntegerField(help_text="How many of the best totals are added up; 0 for the mean of all.")
    lowest_wins = serializers.BooleanField()
    rows = GroupStandingsRowSerializer(many=True)


class StandingsSerializer(HeadSerializer):
    """The standings of a contest, entrants who have not started at the end."""

    standings = StandingsRowSerializer(many=True)
    chances = ChancesSerializer(
        required=False, help_text="Only in an open contest that tells its chances to win, once they are known."
    )
    cuts = CutSerializer(many=True, required=False, help_text="Only in games in which cards are cut.")
    groups = GroupStandingsSerializer(required=False, help_text="Only where groups are compared.")


class SheetLineSerializer(serializers.Serializer[Any]):
    """A line of a score sheet."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    rule = serializers.CharField(allow_blank=True, help_text="The clause of the rule book, such as ROCK-14.")
    kind = serializers.ChoiceField(["line", "subtotal", "total"])
    section = serializers.CharField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    turns = serializers.ListField(child=serializers.IntegerField(), help_text="Which turns of the list filled it.")


class SheetTurnSerializer(serializers.Serializer[Any]):
    """A turn, and where it was rolled."""

    ordinal = serializers.IntegerField(help_text="The position of its slot.")
    stop = serializers.CharField()
    line = serializers.CharField(allow_null=True)
    label = serializers.CharField()  # type: ignore[assignment]
    points = serializers.IntegerField()
    dice = FacesField()
    how = serializers.ChoiceField(["rolls", "final", "paper", "missed"])


class SeatSerializer(serializers.Serializer[Any]):
    """One entrant’s part of a scorecard."""

    card = serializers.UUIDField()
    table = serializers.IntegerField(help_text="The number of the table; 0 for a card at the stops.")
    holder = serializers.UUIDField()
    number = serializers.CharField(allow_blank=True)
    riders = serializers.CharField(required=False, allow_blank=True)
    name = serializers.CharField(required=False, allow_blank=True)
    total = serializers.IntegerField()
    lines = SheetLineSerializer(many=True)
    turns = SheetTurnSerializer(many=True)
    agreed = serializers.BooleanField(required=False, help_text="Whether the rider agreed to it; only at the stops.")


class ScorecardSerializer(serializers.Serializer[Any]):
    """A scorecard: of one bike at the stops, or of everyone at a table."""

    card = serializers.UUIDField()
    table = serializers.IntegerField(help_text="The number of the table; 0 for a card at the stops.")
    seats = SeatSerializer(many=True)


class StopResultSerializer(serializers.Serializer[Any]):
    """What the bikes with a scorecard rolled in one turn."""

    turn = serializers.IntegerField(help_text="The position of its slot.")
    stop = serializers.CharField()
    rolled = serializers.IntegerField(help_text="How many rolled.")
    missed = serializers.IntegerField(help_text="How many missed it.")
    average = serializers.FloatField(allow_null=True, help_text="Of their points, with two decimals.")
    best = serializers.IntegerField(allow_null=True)
    best_bikes = serializers.ListField(
        child=serializers.CharField(), help_text="The numbers of the bikes that rolled it."
    )


class WinnerSerializer(serializers.Serializer[Any]):
    """A winner, or someone who is tied for a prize that is not decided."""

    id = serializers.UUIDField(help_text="Of a bike, player or group.")
    number = serializers.CharField(allow_blank=True)
    name = serializers.CharField()
    total = serializers.IntegerField(allow_null=True)
    how = serializers.CharField(allow_blank=True, help_text="How it was worked out, in one line.")
    figures = serializers.DictField(help_text="The same as figures, by rule.")


class PrizeTermsSerializer(serializers.Serializer[Any]):
    """What the rule of a prize depends on."""

    place = serializers.IntegerField(allow_null=True)
    stop = serializers.CharField(allow_null=True, allow_blank=True)
    ordinals = serializers.ListField(child=serializers.IntegerField())
    best_of = serializers.IntegerField(allow_null=True)


class AwardSerializer(serializers.Serializer[Any]):
    """A prize with those who win it."""

    prize = serializers.UUIDField()
    name = serializers.CharField(allow_blank=True)
    sponsor = serializers.CharField(allow_blank=True)
    logo = serializers.UUIDField(allow_null=True)
    rule = serializers.ChoiceField(Prize.Rule.values)
    terms = PrizeTermsSerializer()
    outcome = serializers.ChoiceField([outcome.value for outcome in Outcome])
    winners = WinnerSerializer(many=True)

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, with one whose name Python keeps for itself."""
        return {**super().get_fields(), "for": serializers.CharField(help_text="What it is for: “Best roll at Parks”.")}


class LuckSumsSerializer(serializers.Serializer[Any]):
    """What a total is made of, each with one decimal: total = value + luck − loss + unsplit + missed.

    Where a low total is good, the four amounts count the other way round.
    """

    card = serializers.UUIDField()
    holder = serializers.UUIDField()
    recorded = serializers.BooleanField(help_text="Whether the card is finished and every turn was entered by rolls.")
    value = serializers.FloatField(help_text="What best play comes to on average, before anything.")
    luck = serializers.FloatField(help_text="What the throws brought.")
    loss = serializers.FloatField(help_text="What the choices cost; never negative.")
    unsplit = serializers.FloatField(help_text="What turns brought whose rolls were not entered one by one.")
    missed = serializers.FloatField(help_text="What missing turns and retiring brought.")
    total = serializers.FloatField(help_text="The total; expected if the card is not finished.")
    adjusted = serializers.FloatField(allow_null=True, help_text="The total without luck; null if not “recorded”.")


class LuckRowSerializer(LuckSumsSerializer):
    """A row of the luck-adjusted table, which decides nothing."""

    number = serializers.CharField(allow_blank=True)
    place = serializers.CharField(help_text="In the standings.")
    riders = serializers.CharField(required=False, allow_blank=True)
    name = serializers.CharField(required=False, allow_blank=True)


class LuckStateSerializer(serializers.Serializer[Any]):
    """Whether there is anything."""

    state = serializers.ChoiceField(
        COMPUTED_STATES,
        help_text="“none” before the contest is closed, while its result is withheld, and in games without odds.",
    )


class LuckTableSerializer(LuckStateSerializer):
    """The luck-adjusted table, the best adjusted total first."""

    event = EventHeadSerializer()
    contest = ContestHeadSerializer()
    luck = LuckRowSerializer(many=True)


class LuckStepSerializer(serializers.Serializer[Any]):
    """What one throw brought or one choice cost. An action may be a choice and then a throw."""

    turn = serializers.IntegerField(help_text="The position of its slot; 0 where there is none.")
    kind = serializers.ChoiceField(["throw", "choice", "unsplit", "missed"])
    action = serializers.DictField(help_text="As in a transcript.")
    amount = serializers.FloatField(help_text="What it brought; what a choice cost.")
    value = serializers.FloatField(help_text="The expected total after it.")
    best = serializers.DictField(allow_null=True, help_text="The best choice, if another one was made.")


class CardLuckSerializer(LuckSumsSerializer):
    """One entrant’s card."""

    steps = LuckStepSerializer(many=True)


class ScorecardLuckSerializer(LuckStateSerializer):
    """The luck of everyone on a scorecard."""

    seats = CardLuckSerializer(many=True)


class ResultsSerializer(StandingsSerializer):
    """Everything that is known of a contest: the same as its JSON file."""

    cards = SeatSerializer(many=True)
    stops = StopResultSerializer(many=True, required=False, help_text="Only in contests with turns at stops.")
    luck = LuckRowSerializer(many=True, required=False, help_text="Only of closed contests in games with odds.")
    prizes = AwardSerializer(many=True)


class RevisionSerializer(serializers.Serializer[Any]):
    """An official result."""

    number = serializers.IntegerField()
    published_at = serializers.DateTimeField()
    published_by = serializers.CharField(allow_blank=True, help_text="“” if the name was erased.")
    is_current = serializers.BooleanField(help_text="Whether it is the result that everyone sees.")
    log_length = serializers.IntegerField(help_text="How many entries of the log it includes.")
    event_head = serializers.CharField(help_text="The hash of the heads of all the event’s chains.")
