"""The counted dice of an event, and tests of dice.

- A `DiceAudit` is made from the log. It can be deleted at any time, and counted again.
- A `DiceTest` has throws that were made only to test dice. They are not part of any game and not in the log.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.models import ChecksummedModel, UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.events.models import Event


class DiceAudit(ChecksummedModel):
    """What the log of an event says about its dice, as of the last count.

    Attributes:
        samples: each set of dice with its counts, as `selectors.samples` makes them.
        unsplit_turns: turns at stops without rolls: recorded by their final dice, or from paper.
        log_length: how many entries had been counted; None before the first count.
        requested_at: when the last count was asked for.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="dice_audit")
    samples = models.JSONField(default=list)
    unsplit_turns = models.PositiveIntegerField(default=0)
    log_length = models.PositiveBigIntegerField(null=True)
    counted_at = models.DateTimeField(null=True)
    requested_at = models.DateTimeField()

    checksum_fields = ("samples", "unsplit_turns", "log_length", "counted_at")

    def __str__(self) -> str:
        return f"{self.event}"


class DiceTest(UUIDModel):
    """Throws of one kind of dice, made to test them.

    Attributes:
        name: which dice they are, for people.
        die: the kind of die, as `die_data` writes it; it stays the same if the contest's dice are changed.
        throws: the faces, as positions in the die's faces, in the order in which they were entered.
        revision: how often the throws were changed. A change says which revision it is based on.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="dice_tests")
    name = NameField(_("which dice"), max_length=60)
    die = models.JSONField()
    throws = models.JSONField(default=list)
    revision = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField()

    class Meta:
        ordering = ["-started_at", "id"]

    def __str__(self) -> str:
        return self.name
