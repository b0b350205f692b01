"""The standings of a contest, and its official revisions.

Terms: a *standings row* is the current result of one bike or player in a contest. Its `order_key` is the byte form of
what ranking compares (larger is better, equal means tied). Its `tie_key` is the place that cuts gave within a tied
group (0: none did). A *revision* is a frozen, numbered official result.

- Rows and state are derived from the log and can be thrown away.
- Ranks are computed on reading, by (`order_key` descending, `tie_key` ascending).
- A revision is never changed or deleted; the database itself guards this. It contains no names, so names can be erased.
"""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scorekeeper.bikes.models import Bike
from scorekeeper.common.models import ChecksummedModel, UUIDModel
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.canonical import HASH_LENGTH
from scorekeeper.ledger.models import Operation
from scorekeeper.players.models import Player


class StandingsState(models.Model):
    """How far the standings of a contest have been refreshed from its log. Every refresh locks this row."""

    contest = models.OneToOneField(Contest, on_delete=models.CASCADE, primary_key=True, related_name="standings_state")
    version = models.PositiveBigIntegerField(default=0)
    changed_at = models.DateTimeField(null=True)
    # Sequence numbers, in the contest's chain, of the cuts that no longer count.
    stale_cuts = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.contest_id} v{self.version}"


class StandingsRow(models.Model):
    """The current result of a bike or a player. Like a card's, its id is derived from the contest and the entrant."""

    class Status(models.TextChoices):
        PLAYING = "playing", _("Playing")
        DONE = "done", pgettext_lazy("a scorecard", "Done")
        RETIRED = "retired", _("Retired")

    id = models.UUIDField(primary_key=True, editable=False)
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="standings_rows")
    bike = models.ForeignKey(Bike, on_delete=models.CASCADE, null=True, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="+")
    total = models.BigIntegerField()
    # The totals that can still be reached; empty where there is no limit. Both are empty where the game cannot compute
    # them (`games.core.game.Game.reach`).
    best_total = models.BigIntegerField(null=True)
    worst_total = models.BigIntegerField(null=True)
    order_key = models.BinaryField()
    tie_key = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=10, choices=Status.choices)
    turns_done = models.PositiveSmallIntegerField()
    last_change = models.DateTimeField(null=True)
    # How many entries of the entrant's cards the row includes; the sweeper compares it with the chains.
    log_length = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index("contest", models.F("order_key").desc(), "tie_key", name="standings_in_order")]
        constraints = [
            models.UniqueConstraint(fields=["contest", "bike"], name="standings_row_once_per_bike"),
            models.UniqueConstraint(fields=["contest", "player"], name="standings_row_once_per_player"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id}: {self.total}"

    @property
    def entrant(self) -> Bike | Player:
        """The bike or the player."""
        entrant = self.bike or self.player
        assert entrant is not None, "every row belongs to an entrant"
        return entrant

    @property
    def entrant_id(self) -> uuid.UUID:
        """The id of the bike or the player."""
        entrant = self.bike_id or self.player_id
        assert entrant is not None, "every row belongs to an entrant"
        return entrant

    @property
    def is_ranked(self) -> bool:
        """Whether the entrant is in the ranking: a turn counts on a card, or the entrant retired."""
        return self.turns_done > 0 or self.status == self.Status.RETIRED


# The same as a condition of a query.
IS_RANKED = models.Q(turns_done__gt=0) | models.Q(status=StandingsRow.Status.RETIRED)


class FrozenStandings(ChecksummedModel):
    """What the audience sees of a contest while its event's standings are frozen, without names.

    A *board* is a leaderboard as plain data (`standings.board_data`), *cards* are its scorecards
    (`standings.contest_report`). The *result* is what the reveal announces: the standings when it began.

    Attributes:
        position: the contest's place in the order of the reveal, from 0; None if it is not part of the reveal.
        revealed_from: rows of the result with this rank and below are announced. 1 announces the whole result.
    """

    contest = models.OneToOneField(Contest, on_delete=models.CASCADE, primary_key=True, related_name="frozen_standings")
    board = models.JSONField()
    cards = models.JSONField()
    result_board = models.JSONField(null=True)
    result_cards = models.JSONField(null=True)
    position = models.PositiveSmallIntegerField(null=True)
    revealed_from = models.PositiveIntegerField(null=True)

    checksum_fields = ("board", "cards", "result_board", "result_cards", "position")

    def __str__(self) -> str:
        return f"{self.contest_id} frozen"


class ShownDraw(ChecksummedModel):
    """The draw of cards that the organiser shows on an event's screens, also while the standings are frozen.

    It changes only what is shown, so it is no part of the log. An event whose organiser never showed one has no row.

    Attributes:
        contest: None once the draw was taken off the screens.
        class_id: the class that the cards are for; None for the whole contest.
        holders: the ids of those who were tied at first, in order.
        changed_at: when it was put on the screens, or taken off.
        version: how often any of this has changed.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="shown_draw")
    contest = models.ForeignKey(Contest, on_delete=models.SET_NULL, null=True, related_name="+")
    # No foreign key: the draw of a class that was deleted is no draw of the contest.
    class_id = models.UUIDField(null=True)
    holders = models.JSONField(default=list)
    changed_at = models.DateTimeField()
    version = models.PositiveBigIntegerField(default=0)

    checksum_fields = ("contest", "class_id", "holders")

    def __str__(self) -> str:
        return f"{self.event_id} {self.contest_id}"


class PrizeGiving(ChecksummedModel):
    """The announcements of a reveal that is under way, and which of them is on the screens.

    It changes only what is shown, so it is no part of the log. It contains no names. A reveal that an older version of
    the program started has none, and announces places only (`audience.reveals`).

    Attributes:
        announcements: each `Announcement` as plain data, in order.
        position: of the announcement that is on the screens, from 0.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="prize_giving")
    announcements = models.JSONField(default=list)
    position = models.PositiveSmallIntegerField(default=0)

    checksum_fields = ("announcements", "position")

    def __str__(self) -> str:
        return f"{self.event_id} {self.position}"


class LuckReport(ChecksummedModel):
    """What throws brought and choices cost on every card of a closed contest (`standings.card_luck`).

    It is computed from the log and the rules, and can be computed again. It contains no names.

    Attributes:
        source: the digest of the logs that `cards` was made from; "" until it was computed.
        is_known: whether the game tells the odds of these rules, in a reasonable time; False until it was computed.
        asked_at: when it was last asked for, so that the worker is not asked again and again.
    """

    contest = models.OneToOneField(Contest, on_delete=models.CASCADE, primary_key=True, related_name="luck_report")
    source = models.CharField(max_length=HASH_LENGTH, default="")
    is_known = models.BooleanField(default=False)
    cards = models.JSONField(default=list)
    asked_at = models.DateTimeField()

    checksum_fields = ("source", "is_known", "cards")

    def __str__(self) -> str:
        return f"{self.contest_id} luck"


class ChancesReport(ChecksummedModel):
    """The chances to win of everyone in an open contest that tells them (`standings.chances`).

    They are computed from the log and the rules, and can be computed again. They contain no names.

    Attributes:
        source: the digest of what `chances` was made from (`selectors.chances_reports`); "" until it was computed.
        as_of: when the standings that they belong to last changed.
        places: how many first places the second chance of each entrant is about.
        yet_to_start: how many of the entrants have nothing on their card.
        chances: by entrant, the chance to come first, and the chance to be among the first `places`. Under "classes",
            the same for each class among its members.
        unknown_rules: the digest of rules whose chances take too long, so that they are not tried again; "" for none.
        asked_at: when the worker was last asked.
        started_at: when the worker last began.
        is_running: whether it has not finished since; also after it has died.
        version: how often any of this has changed for those who see it.
    """

    contest = models.OneToOneField(Contest, on_delete=models.CASCADE, primary_key=True, related_name="chances_report")
    source = models.CharField(max_length=HASH_LENGTH, default="")
    as_of = models.DateTimeField(null=True)
    places = models.PositiveSmallIntegerField(default=0)
    yet_to_start = models.PositiveIntegerField(default=0)
    chances = models.JSONField(default=dict)
    unknown_rules = models.CharField(max_length=HASH_LENGTH, default="")
    asked_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    is_running = models.BooleanField(default=False)
    version = models.PositiveBigIntegerField(default=0)

    checksum_fields = ("source", "as_of", "places", "yet_to_start", "chances", "unknown_rules")

    def __str__(self) -> str:
        return f"{self.contest_id} chances"


class LastSweep(models.Model):
    """When a sweep last finished, by the database's clock, and how many there have been: one row for all sweepers."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    count = models.PositiveBigIntegerField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"sweep {self.count}"


class Revision(UUIDModel):
    """An official result, frozen.

    `chains` lists [id, length, head] of all the event's chains in the order of their ids, and `event_head` is the hash
    of that list. `log_length` is the total length of the contest's own chains. Chains only grow, so the next revision
    is pending as soon as the total has grown. `standings` is a whole report as plain data. `awards` are the prizes
    with their winners, in the order in which they are announced; None if nothing could be won, and in older revisions.
    """

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="revisions")
    number = models.PositiveSmallIntegerField()
    published_at = models.DateTimeField()
    published_by = models.UUIDField()
    operation = models.OneToOneField(Operation, on_delete=models.PROTECT, related_name="revision")
    event_head = models.CharField(max_length=HASH_LENGTH)
    chains = models.JSONField()
    log_length = models.PositiveIntegerField()
    standings = models.JSONField()
    awards = models.JSONField(null=True)

    class Meta:
        ordering = ["contest", "number"]
        constraints = [models.UniqueConstraint(fields=["contest", "number"], name="revision_number_once_per_contest")]

    def __str__(self) -> str:
        return f"{self.contest_id} r{self.number}"
