"""The log, and the projections folded from it.

- A *chain* is the append-only log of a scorecard, a contest, an event, or an event's review. Its *entries* are linked
  by hashes.
- An *operation* is what someone recorded under an id made by their client. Its row is kept, whatever its outcome.
- A *scorecard* is one play of a contest; a *seat* is a place in it.

Chains are the only source of truth. A `Turn` is a projection that can be deleted and folded again. A `StaleCard` marks
standings that have to be refreshed. A `ReviewItem` is an operation that could not be applied and that the organiser
decides on.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.common.models import UUIDModel
from scorekeeper.crew.models import DiceSet
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import Player
from scorekeeper.scorecards.canonical import HASH_LENGTH
from scorekeeper.stops.models import Slot


class Chain(models.Model):
    """An append-only log.

    Its id is that of the card, contest or event it belongs to. The id of an event's review chain is derived from the
    event's (`contest_rules.derive_review_chain_id`).
    """

    class Kind(models.TextChoices):
        CARD = "card", _("Scorecard")
        CONTEST = "contest", _("Contest")
        EVENT = "event", _("Event")
        REVIEW = "review", _("Review")

    id = models.UUIDField(primary_key=True, editable=False)
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="chains")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    length = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=HASH_LENGTH, blank=True, default="")
    # A card is sealed while its contest is closed. The flag is here, on the row that every writer locks, so that a
    # turn and the closing of its contest never miss each other.
    is_sealed = models.BooleanField(default=False)
    # The card of a bike that was merged into another: nothing is written to it any more. The flag is here for the same
    # reason.
    is_alias = models.BooleanField(default=False)
    # What the chain folds to (see `snapshot.py`). It is here so that the statement that locks the chain reads it too.
    snapshot = models.TextField(blank=True, default="", editable=False)

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Scorecard(models.Model):
    """One play of a contest. Its id is also its chain's."""

    id = models.UUIDField(primary_key=True, editable=False)
    chain = models.OneToOneField(Chain, on_delete=models.PROTECT, related_name="card", editable=False)
    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="cards")

    def __str__(self) -> str:
        return str(self.id)


class Seat(UUIDModel):
    """A place in a play, held by a bike or by a player."""

    card = models.ForeignKey(Scorecard, on_delete=models.PROTECT, related_name="seats")
    index = models.PositiveSmallIntegerField(default=0)
    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="+")
    bike = models.ForeignKey(Bike, on_delete=models.PROTECT, null=True, blank=True, related_name="seats")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, blank=True, related_name="seats")
    # In games with independent seats, each bike or player has exactly one card of the contest.
    is_only = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "index"], name="seat_index_once_per_card"),
            models.UniqueConstraint(
                fields=["contest", "bike"], condition=models.Q(is_only=True), name="one_card_per_bike_and_contest"
            ),
            models.UniqueConstraint(
                fields=["contest", "player"], condition=models.Q(is_only=True), name="one_card_per_player_and_contest"
            ),
            models.CheckConstraint(
                condition=models.Q(bike__isnull=False, player__isnull=True)
                | models.Q(bike__isnull=True, player__isnull=False),
                name="seat_is_a_bike_or_a_player",
            ),
        ]

    def __str__(self) -> str:
        return str(self.bike or self.player)


class Operation(models.Model):
    """What someone recorded, and the outcome.

    `body` is what was sent, without names and reasons, which are stored where they can be erased. `digest` tells a
    duplicate from a different operation under the same id.
    """

    class Outcome(models.TextChoices):
        RECORDED = "recorded", _("Recorded")
        MERGED = "merged", _("Already recorded")
        CONFLICT = "conflict", _("Conflict")
        REFUSED = "refused", _("Refused")
        LATE = "late", _("Late")
        REVIEW = "review", _("Under review")

    id = models.UUIDField(primary_key=True, editable=False)
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="operations")
    kind = models.CharField(max_length=20)
    actor_id = models.UUIDField()
    device_id = models.UUIDField(null=True)
    digest = models.CharField(max_length=HASH_LENGTH)
    body = models.JSONField()
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    receipt = models.JSONField()
    received_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Entry(models.Model):
    """One link of a chain. `body` is the canonical JSON that was hashed. The other columns repeat parts of it, for
    queries.

    The database refuses to change or delete a row of this table.
    """

    chain = models.ForeignKey(Chain, on_delete=models.PROTECT, related_name="entries")
    seq = models.PositiveIntegerField()
    operation = models.ForeignKey(Operation, on_delete=models.PROTECT, related_name="entries")
    kind = models.CharField(max_length=20)
    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, null=True, related_name="+")
    body = models.TextField()
    hash = models.CharField(max_length=HASH_LENGTH)
    at = models.DateTimeField()

    class Meta:
        ordering = ["chain", "seq"]
        constraints = [models.UniqueConstraint(fields=["chain", "seq"], name="entry_seq_once_per_chain")]

    def __str__(self) -> str:
        return f"{self.chain_id}#{self.seq}"


class OperationReason(models.Model):
    """A reason someone gave. The chain only has its salted digest, so the text can be erased."""

    operation = models.OneToOneField(Operation, on_delete=models.PROTECT, primary_key=True, related_name="reason")
    salt = models.CharField(max_length=32)
    text = models.TextField()

    class Meta:
        db_table = "scorecards_note"

    def __str__(self) -> str:
        return self.text


class Turn(models.Model):
    """A current turn of a card, folded from the card's chain."""

    class How(models.TextChoices):
        ROLLS = "rolls", _("Roll by roll")
        FINAL = "final", _("Final dice")
        PAPER = "paper", _("Paper card")
        MISSED = "missed", _("Missed")

    id = models.UUIDField(primary_key=True, editable=False)
    card = models.ForeignKey(Scorecard, on_delete=models.CASCADE, related_name="turns")
    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, related_name="turns")
    seq = models.PositiveIntegerField()
    line = models.CharField(max_length=40, null=True)  # noqa: DJ001 - a missed turn has no line; "" is not the same
    points = models.BigIntegerField()
    dice = models.JSONField(default=list)
    how = models.CharField(max_length=10, choices=How.choices)
    dice_set = models.ForeignKey(DiceSet, on_delete=models.PROTECT, null=True, related_name="+")
    actor_id = models.UUIDField(db_column="noted_by")
    recorded_at = models.DateTimeField(db_column="noted_at")

    class Meta:
        ordering = ["slot__ordinal"]
        constraints = [models.UniqueConstraint(fields=["card", "slot"], name="turn_once_per_card_and_slot")]

    def __str__(self) -> str:
        return f"{self.line}: {self.points}"


class StaleCard(models.Model):
    """A card whose standings have to be refreshed after new entries; without a card, a whole contest."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="stale_cards")
    card = models.ForeignKey(Scorecard, on_delete=models.CASCADE, null=True, related_name="stale_cards")

    class Meta:
        db_table = "scorecards_outdated"

    def __str__(self) -> str:
        return f"{self.contest_id}/{self.card_id}"


class ReviewItem(UUIDModel):
    """An operation that could not be applied. It stays in review until the organiser decides; nothing is dropped."""

    class Reason(models.TextChoices):
        CONFLICT = "conflict", _("Two entries for one turn differ")
        RULE = "rule", _("The rules do not allow it on this scorecard")
        LATE = "late", _("The contest was closed")
        STALE = "stale", _("A newer entry was already there")
        UNDONE = "undone", _("The same entry was recorded first and later voided")
        REVOKED = "revoked", _("The phone had been signed out, or its link had expired")

    class Decision(models.TextChoices):
        KEEP = "keep", _("Keep the current entry")
        APPLY = "apply", _("Use the entry under review")
        OTHER_SLOT = "other_slot", _("Both were rolled: another turn at this stop")

    operation = models.OneToOneField(Operation, on_delete=models.PROTECT, related_name="review")
    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="reviews")
    card = models.ForeignKey(Scorecard, on_delete=models.PROTECT, null=True, related_name="reviews")
    slot = models.ForeignKey(Slot, on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=10, choices=Reason.choices)
    # What prevented it when it arrived: ids of turns on the card, and the rules' explanations as data.
    against = models.JSONField(default=list)
    problems = models.JSONField(default=list)
    opened_at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    decision = models.CharField(max_length=12, choices=Decision.choices, blank=True)
    settled_by = models.ForeignKey(Operation, on_delete=models.PROTECT, null=True, related_name="settled")

    class Meta:
        ordering = ["opened_at"]

    def __str__(self) -> str:
        return f"{self.reason}: {self.operation_id}"
