"""What riders say about their scorecards: that a card is right, or that something on it is wrong.

Terms: an *agreement* says that the figures of a card are right, by the rider or by a road captain. It is about what was
seen: the `digest` of the card's turns and total (`scorekeeper.agreements.sheet_digest`). An *objection* is what anyone
may send on the public page of a bike: that something is wrong. Only organisers read it, and it changes nothing.

Invariants:
- Agreements follow from the entries in the event's chain, and can be made again from them.
- Nothing that is recorded depends on an agreement or an objection.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.common.models import UUIDModel
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.canonical import HASH_LENGTH

MAX_TEXT_LENGTH, MAX_ANSWER_LENGTH = 300, 200
LABEL_LENGTH = 30


class Agreement(models.Model):
    """The figures of a bike's card in a contest were agreed to.

    It names the bike and the contest, because it may arrive before the turns that it is about.

    Attributes:
        digest: of the turns and the total that were seen.
        by: who agreed; a value of `By`, which the log has too.
        at: when the server recorded it.
        seq: the number of the entry in the event's chain.
    """

    class By(models.TextChoices):
        RIDER = "rider", _("The rider")
        CAPTAIN = "captain", _("A road captain")

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="agreements")
    bike = models.ForeignKey(Bike, on_delete=models.PROTECT, related_name="agreements")
    digest = models.CharField(max_length=HASH_LENGTH, editable=False)
    by = models.CharField(max_length=10, choices=By.choices)
    at = models.DateTimeField()
    seq = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["contest", "bike", "digest"], name="agreement_once_per_state_of_card")
        ]

    def __str__(self) -> str:
        return f"{self.contest_id} {self.bike_id}"


class Objection(UUIDModel):
    """Somebody says that something on a bike's card is wrong. An organiser looks at the card, and settles it.

    Attributes:
        bike: None once the bike was deleted, or the sale of the sheet was undone. What was sent stays.
        label: the number of the bike or sheet as it was when somebody objected.
        settled_by: the id of the organiser.
        answer: what the organiser found, for the other organisers.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="objections")
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="objections")
    bike = models.ForeignKey(Bike, on_delete=models.SET_NULL, null=True, related_name="objections")
    label = models.CharField(max_length=LABEL_LENGTH, blank=True, default="", db_default="")
    text = models.CharField(_("what is wrong"), max_length=MAX_TEXT_LENGTH)
    created_at = models.DateTimeField(auto_now_add=True)
    settled_at = models.DateTimeField(null=True)
    settled_by = models.UUIDField(null=True)
    answer = models.CharField(_("what you found"), max_length=MAX_ANSWER_LENGTH, blank=True)

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.text

    @property
    def bike_label(self) -> str:
        """The number of the bike or sheet: the one it has now, or the last one that is known."""
        return self.label if self.bike is None else self.bike.label
