"""Results of contests: standings, scorecards, cuts, groups and prizes, as files and the API have them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from scorekeeper.api.serializers.base import ClassSerializer, FacesField, FigureField, ReadSerializer, TimeField
from scorekeeper.api.serializers.head import HeadSerializer
from scorekeeper.api.serializers.luck import LuckRowSerializer
from scorekeeper.prizes.award import Outcome
from scorekeeper.prizes.models import Prize
from scorekeeper.standings.leaderboard import ABSENT_STATUS

CHANCE_DECIMALS = 6


class ChanceField(serializers.FloatField):
    """A chance from 0 to 1, with six decimals. Only what is certain is 0 or 1."""

    def to_representation(self, value: Any) -> Any:
        """Return the chance."""
        rounded = round(value, CHANCE_DECIMALS)
        least = 10**-CHANCE_DECIMALS
        return rounded if value in (0.0, 1.0) else min(max(rounded, least), 1 - least)


class ChancesSerializer(ReadSerializer):
    """What the chances in the rows are about. They come from ended turns only.

    Everyone is taken to play for a high average, or to get all the cards of their hand.
    """

    as_of = TimeField(help_text="When the standings that they belong to last changed.")
    places = serializers.IntegerField(help_text="How many first places `among_first` is about.")


class RowChancesSerializer(ReadSerializer):
    """An entrant’s chances, from 0 to 1. They are 0 or 1 only where that is certain, whatever is rolled."""

    win = ChanceField(help_text="To come first.")
    among_first = ChanceField(help_text="To be among the first places.")


class RowClassSerializer(ReadSerializer):
    """A class that an entrant is in, and the place in it."""

    id = serializers.UUIDField(source="class_id")
    name = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True, help_text="null for an entrant who has not started.")
    level = serializers.BooleanField(source="is_tied", help_text="Whether the place is shared.")
    place = serializers.CharField(help_text="The rank as people read it: “2=” for a shared place.")


class StandingsRowSerializer(ReadSerializer):
    """A row of the standings. Bikes have `riders`, players a `name`."""

    holder = serializers.UUIDField(source="row.entrant_id", help_text="The id of the bike or player.")
    number = serializers.CharField(
        source="row.number", allow_blank=True, help_text="The bike’s number; “” for a player."
    )
    rank = serializers.IntegerField(
        source="row.rank", allow_null=True, help_text="null for an entrant who has not started."
    )
    level = serializers.BooleanField(source="row.is_tied", help_text="Whether the place is shared.")
    total = serializers.IntegerField(source="row.total")
    total_text = serializers.CharField(
        required=False, help_text="What pages show instead of the total, such as the name of a hand, in some games."
    )
    distance = serializers.IntegerField(
        allow_null=True,
        help_text="How far the total is from the one that wins; null where the highest or the lowest one does.",
    )
    turns = serializers.IntegerField(required=False, help_text="How many turns count; in games at the stops.")
    status = serializers.ChoiceField(["playing", "done", "retired", ABSENT_STATUS], source="row.status")
    last_change = TimeField(source="row.last_change", allow_null=True)
    by = serializers.ChoiceField(
        ["points", "cut", "level", ""], source="row.decided_by", help_text="How the place was decided."
    )
    cards = serializers.ListField(
        source="row.cards",
        child=serializers.CharField(allow_null=True),
        help_text="The cards cut for the place, such as QS.",
    )
    margin = serializers.IntegerField(
        source="row.margin", required=False, help_text="Ranks entrants with the same total, in some games."
    )
    place = serializers.CharField(
        source="row.rank_label", help_text="The rank as people read it: “2=” for a shared place."
    )
    riders = serializers.CharField(source="named.riders", required=False, allow_blank=True)
    name = serializers.CharField(source="named.name", required=False, allow_blank=True)
    chances = RowChancesSerializer(
        required=False, help_text="Of entrants who have started, in an open contest that tells its chances to win."
    )
    announced = serializers.BooleanField(source="is_announced", required=False, help_text="Only during a reveal.")
    tables = serializers.IntegerField(required=False, help_text="How many tables count; in games at tables.")
    classes = RowClassSerializer(
        many=True,
        required=False,
        help_text="The classes that the entrant is in. Only where the standings have any, and not during a reveal.",
    )


class CutCardSerializer(ReadSerializer):
    """A card that someone cut; null for someone who was not there."""

    holder = serializers.UUIDField(source="entrant_id")
    number = serializers.CharField(allow_blank=True)
    card = serializers.CharField(allow_null=True)


class CutSerializer(ReadSerializer):
    """A cut of cards that decided places."""

    cards = CutCardSerializer(many=True)
    witness = serializers.CharField(allow_blank=True)


class GroupStandingsRowSerializer(ReadSerializer):
    """A group in the standings of groups."""

    group = serializers.UUIDField(source="row.group_id")
    rank = serializers.IntegerField(source="row.score.rank", allow_null=True)
    level = serializers.BooleanField(source="row.score.is_tied")
    points = serializers.IntegerField(source="row.score.points", help_text="The sum of the totals that count.")
    counted = serializers.IntegerField(source="row.score.counted", help_text="How many totals count.")
    members = serializers.ListField(
        source="row.members", child=serializers.UUIDField(), help_text="Whose totals can count, best first."
    )
    place = serializers.CharField(source="row.rank_label")
    name = serializers.CharField()
    score = FigureField(allow_null=True, help_text="A sum, or a mean with two decimals.")


class GroupStandingsSerializer(ReadSerializer):
    """The standings of groups."""

    best = serializers.IntegerField(
        source="ranking.rule.best", help_text="How many of the best totals are added up; 0 for the mean of all."
    )
    lowest_wins = serializers.BooleanField(source="ranking.rule.lowest_wins")
    rows = GroupStandingsRowSerializer(many=True)


class StandingsSerializer(HeadSerializer):
    """The standings of a contest, entrants who have not started at the end."""

    standings = StandingsRowSerializer(source="named_rows", many=True)
    chances = ChancesSerializer(
        source="known_chances",
        required=False,
        help_text="Only in an open contest that tells its chances to win, once they are known.",
    )
    cuts = CutSerializer(many=True, required=False, help_text="Only in games in which cards are cut.")
    groups = GroupStandingsSerializer(required=False, help_text="Only where groups are compared.")
    classes = ClassSerializer(many=True, required=False, help_text="Only where the event has classes, in order.")


class SheetLineSerializer(ReadSerializer):
    """A line of a score sheet."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    rule = serializers.CharField(allow_blank=True, help_text="The clause of the rule book, such as ROCK-14.")
    kind = serializers.ChoiceField(["line", "subtotal", "total"])
    section = serializers.CharField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    turns = serializers.ListField(child=serializers.IntegerField(), help_text="Which turns of the list filled it.")


class SheetTurnSerializer(ReadSerializer):
    """A turn, and where it was rolled."""

    ordinal = serializers.IntegerField(help_text="The position of its slot.")
    stop = serializers.CharField()
    line = serializers.CharField(allow_null=True)
    label = serializers.CharField()  # type: ignore[assignment]
    points = serializers.IntegerField()
    dice = FacesField()
    how = serializers.ChoiceField(["rolls", "final", "paper", "missed"])


class SeatSerializer(ReadSerializer):
    """One entrant’s part of a scorecard."""

    card = serializers.UUIDField(source="report.card_id")
    table = serializers.IntegerField(
        source="report.table", help_text="The number of the table; 0 for a card at the stops."
    )
    holder = serializers.UUIDField(source="report.entrant_id")
    number = serializers.CharField(source="report.number", allow_blank=True)
    total = serializers.IntegerField(source="report.total")
    total_text = serializers.CharField(
        required=False, help_text="What pages show instead of the total, such as the name of a hand, in some games."
    )
    distance = serializers.IntegerField(
        allow_null=True,
        help_text="How far the total is from the one that wins; null where the highest or the lowest one does.",
    )
    lines = SheetLineSerializer(source="report.lines", many=True)
    turns = SheetTurnSerializer(source="report.turns", many=True)
    riders = serializers.CharField(source="named.riders", required=False, allow_blank=True)
    name = serializers.CharField(source="named.name", required=False, allow_blank=True)
    agreed = serializers.BooleanField(
        source="is_agreed", required=False, help_text="Whether the rider agreed to it; only at the stops."
    )


class ScorecardSerializer(ReadSerializer):
    """A scorecard: of one bike at the stops, or of everyone at a table."""

    card = serializers.UUIDField(source="card_id")
    table = serializers.IntegerField(help_text="The number of the table; 0 for a card at the stops.")
    seats = SeatSerializer(many=True)


class StopResultSerializer(ReadSerializer):
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


class WinnerSerializer(ReadSerializer):
    """A winner, or someone who is tied for a prize that is not decided."""

    id = serializers.UUIDField(help_text="Of a bike, player or group.")
    number = serializers.CharField(allow_blank=True)
    total = serializers.IntegerField(allow_null=True)
    figures = serializers.DictField(help_text="How it was worked out, as figures, by rule.")
    name = serializers.CharField()
    how = serializers.CharField(allow_blank=True, help_text="How it was worked out, in one line.")


class PrizeTermsSerializer(ReadSerializer):
    """What the rule of a prize depends on."""

    place = serializers.IntegerField(allow_null=True)
    stop = serializers.CharField(allow_null=True, allow_blank=True)
    ordinals = serializers.ListField(child=serializers.IntegerField())
    best_of = serializers.IntegerField(allow_null=True)
    ties = serializers.ChoiceField(Prize.Ties.values, help_text="Who gets it if several are tied.")
    face = serializers.IntegerField(allow_null=True, help_text="Of the dice that are counted.")
    number_from = serializers.IntegerField(allow_null=True)
    number_to = serializers.IntegerField(allow_null=True)
    number_drawn = serializers.IntegerField(allow_null=True, help_text="null until it is drawn.")


class AwardSerializer(ReadSerializer):
    """A prize with those who win it."""

    prize = serializers.UUIDField(source="prize_id")
    name = serializers.CharField(source="award.prize.name", allow_blank=True)
    sponsor = serializers.CharField(allow_blank=True)
    logo = serializers.UUIDField(source="award.prize.logo_id", allow_null=True)
    rule = serializers.ChoiceField(Prize.Rule.values, source="award.prize.rule")
    terms = PrizeTermsSerializer(source="award.prize.terms")
    outcome = serializers.ChoiceField([outcome.value for outcome in Outcome])
    winners = WinnerSerializer(many=True)

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, with one whose name Python keeps for itself."""
        what_for = serializers.CharField(source="what_for", help_text="What it is for: “Best roll at Parks”.")
        own = ClassSerializer(source="award.prize.event_class", required=False, help_text="Left out if for everyone.")
        return {**super().get_fields(), "for": what_for, "class": own}


class ResultsSerializer(HeadSerializer):
    """Everything that is known of a contest: the same as its JSON file."""

    standings = StandingsRowSerializer(source="named_rows", many=True)
    cards = SeatSerializer(many=True)
    cuts = CutSerializer(many=True, required=False, help_text="Only in games in which cards are cut.")
    groups = GroupStandingsSerializer(required=False, help_text="Only where groups are compared.")
    stops = StopResultSerializer(many=True, required=False, help_text="Only in contests with turns at stops.")
    classes = ClassSerializer(many=True, required=False, help_text="Only where the event has classes, in order.")
    luck = LuckRowSerializer(many=True, required=False, help_text="Only of closed contests in games with odds.")
    prizes = AwardSerializer(source="awards", many=True)


class RevisionSerializer(ReadSerializer):
    """An official result."""

    number = serializers.IntegerField()
    published_at = TimeField()
    published_by = serializers.CharField(allow_blank=True, help_text="“” if the name was erased.")
    is_current = serializers.BooleanField(help_text="Whether it is the result that everyone sees.")
    log_length = serializers.IntegerField(help_text="How many entries of the log it includes.")
    event_head = serializers.CharField(help_text="The hash of the heads of all the event’s chains.")
