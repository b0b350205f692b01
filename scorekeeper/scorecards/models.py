"""Scorecards and what is folded from their logs.

- A *scorecard* is one play of a contest; a *seat* is a place in it.
- A `Turn` is a projection of the scorecard's chain (see `scorekeeper.ledger.models`): it can be deleted and folded
  again.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.common.models import UUIDModel
from scorekeeper.crew.models import DiceSet
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain
from scorekeeper.players.models import Player
from scorekeeper.stops.models import Slot


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
