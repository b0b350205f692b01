"""The log: append-only chains of hashed entries, and the operations that wrote them.

- A *chain* is the append-only log of a scorecard, a contest, an event, or an event's review. Its *entries* are linked
  by hashes.
- An *operation* is what someone recorded under an id made by their client. Its row is kept, whatever its outcome.

Chains are the only source of truth. A `ReviewItem` is an operation that could not be applied and that the organiser
decides on. `CutWitness` has the name of who watched a cut of cards. `UncheckedPeople` are names that the organiser has
yet to accept. A `StaleCard` marks standings that have to be refreshed after new entries.

The tables keep the names from when they belonged to the app `scorecards`, since guards, backups and the database
owner's grants name them (decision 22).
"""

from __future__ import annotations

from uuid import UUID, uuid5

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scorekeeper.bikes.models import Bike
from scorekeeper.common.models import UUIDModel
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.canonical import HASH_LENGTH
from scorekeeper.stops.models import Slot


class Chain(models.Model):
    """An append-only log.

    Its id is that of the card, contest or event it belongs to. The id of an event's review chain is derived from the
    event's (`derive_review_chain_id`).
    """

    class Kind(models.TextChoices):
        CARD = "card", _("Scorecard")
        CONTEST = "contest", _("Contest")
        EVENT = "event", _("Event")
        REVIEW = "review", pgettext_lazy("the log of an event’s reviews", "Review")

    id = models.UUIDField(primary_key=True, editable=False)
    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="chains")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    length = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=HASH_LENGTH, blank=True, default="")
    # A card is sealed while its contest is closed. The flag is here, on the row that every writer locks, so that a
    # turn and the closing of its contest never miss each other.
    is_sealed = models.BooleanField(default=False)
    # The card of a bike that was merged into another. Nothing more is written to it. The flag is here for the same
    # reason.
    is_alias = models.BooleanField(default=False)
    # What the chain folds to (see `snapshot.py`). It is here so that the statement that locks the chain reads it too.
    snapshot = models.TextField(blank=True, default="", editable=False)

    class Meta:
        db_table = "scorecards_chain"

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


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

    class Meta:
        db_table = "scorecards_operation"

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
        db_table = "scorecards_entry"
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


class CutWitness(models.Model):
    """The person who watched a cut of cards. The chain only has the salted digest of the name, so it can be erased."""

    operation = models.OneToOneField(Operation, on_delete=models.PROTECT, primary_key=True, related_name="cut_witness")
    salt = models.CharField(max_length=32)
    name = models.CharField(max_length=80)

    def __str__(self) -> str:
        return self.name


class UncheckedPeople(models.Model):
    """The names that a walk-up was registered with by a phone whose entries go to review.

    The bike counts at once, since its turns need one. The names are shown to the organiser only, who adds them to the
    bike or leaves them out. They can be erased, like everyone's.
    """

    operation = models.OneToOneField(
        Operation, on_delete=models.PROTECT, primary_key=True, related_name="unchecked_people"
    )
    bike = models.OneToOneField(Bike, on_delete=models.CASCADE, related_name="unchecked_people")
    rider = models.CharField(max_length=80, blank=True)
    passenger = models.CharField(max_length=80, blank=True)
    is_left_out = models.BooleanField(default=False)

    def __str__(self) -> str:
        return ", ".join(name for name in (self.rider, self.passenger) if name)


class StaleCard(models.Model):
    """A card whose standings have to be refreshed after new entries; without a card, a whole contest."""

    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="stale_cards")
    # The card's chain, whose id is the card's.
    card = models.ForeignKey(Chain, on_delete=models.CASCADE, null=True, related_name="stale_cards")

    class Meta:
        db_table = "scorecards_outdated"

    def __str__(self) -> str:
        return f"{self.contest_id}/{self.card_id}"


class ReviewItem(UUIDModel):
    """An operation that could not be applied. It stays under review until the organiser decides; nothing is dropped."""

    class Reason(models.TextChoices):
        CONFLICT = "conflict", _("Two entries for one turn differ")
        RULE = "rule", _("The rules do not allow it on this scorecard")
        LATE = "late", _("The contest was closed")
        STALE = "stale", _("A newer entry was already there")
        SAME_BIKE = "same_bike", _("The turn was moved between two numbers of one bike")
        UNDONE = "undone", _("The same entry was recorded first and later voided")
        REVOKED = "revoked", _("The phone had been signed out, or its link had expired")

    class Decision(models.TextChoices):
        KEEP = "keep", _("Keep the current entry")
        APPLY = "apply", _("Use the entry under review")
        OTHER_SLOT = "other_slot", _("Both were rolled: another turn at this stop")

    operation = models.OneToOneField(Operation, on_delete=models.PROTECT, related_name="review")
    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="reviews")
    # The card's chain, whose id is the card's; None if the card did not exist when the operation arrived.
    card = models.ForeignKey(Chain, on_delete=models.PROTECT, null=True, related_name="reviews")
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
        db_table = "scorecards_reviewitem"
        ordering = ["opened_at"]

    def __str__(self) -> str:
        return f"{self.reason}: {self.operation_id}"


def derive_review_chain_id(event_id: UUID) -> UUID:
    """Return the id of the chain that lists which operations of an event went to review."""
    return uuid5(event_id, "review")
