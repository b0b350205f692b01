"""The prizes of an event.

Terms: a *prize* is something to be won. It is for one contest, with which its winner is published: for a place in it,
by a rule that is worked out from the log, or by hand. The *prize list* of a contest is all its prizes. An *award* is a
prize with those who win it (see `scorekeeper.prizes.award`); it is not stored, except in a revision.

Invariants:
- The prizes of an event have an order, in which they are announced: the last of them is announced last.
- The places that matter in ties (`Contest.prizes`) follow from the prizes.
- While a contest is closed, its log has a digest of its prize list.
"""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scorekeeper.common.models import UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import EventClass
from scorekeeper.stops.models import Stop

MAX_PLACE = 50
MAX_FACE = 20
MAX_NUMBER = 1_000_000


class PrizeLogo(UUIDModel):
    """The picture of a sponsor. It never changes: another picture is another row, since a revision may show this."""

    class MediaType(models.TextChoices):
        PNG = "image/png", "PNG"
        JPEG = "image/jpeg", "JPEG"
        WEBP = "image/webp", "WebP"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="prize_logos")
    media_type = models.CharField(max_length=20, choices=MediaType.choices)
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.media_type} {self.pk}"


class Prize(UUIDModel):
    """Something to be won.

    Attributes:
        event_class: only scorecards of this class can win it; None for the whole contest.
        name: what it is, "H-D tyre mirror"; "" for one that is called by what it is for.
        stop: where it was rolled, for rules that ask for a stop; None for the whole ride.
        best_of: for the best group, how many of its members count; None for all.
        ties: who gets it if several are tied, for rules by figures. Ties for a place follow the contest's options.
        face: for the most of a face, which face.
        number_from, number_to: for a drawn number, between which numbers it is drawn.
        number_drawn: the number that the club drew; None until it has.
    """

    class Rule(models.TextChoices):
        PLACE = "place", _("A place in the contest")
        BEST_ROLL = "best_roll", _("Best roll at a stop")
        WORST_ROLL = "worst_roll", _("Worst roll at a stop")
        MOST_SIXES = "most_sixes", _("Most sixes")
        MOST_OF_FACE = "most_of_face", _("Most dice of one face")
        HIGHEST_TOTAL = "highest_total", _("Highest total")
        LOWEST_TOTAL = "lowest_total", _("Lowest total")
        LOWEST_CARD = "lowest_card", pgettext_lazy("the worst one, whichever total wins", "Lowest scorecard")
        BEST_HAND = "best_hand", _("Best hand")
        WORST_HAND = "worst_hand", _("Worst hand")
        DRAWN_NUMBER = "drawn_number", _("A total that you draw")
        MOST_IMPROVED = "most_improved", _("Most places gained since a stop")
        BEST_GROUP = "best_group", _("Best group")
        FIRST_TO_FINISH = "first_to_finish", _("First to finish")
        BY_HAND = "by_hand", _("You choose who wins")

    class Ties(models.TextChoices):
        DECIDE = "decide", _("You decide, with a reason")
        SHARE = "share", _("They share it")
        CUT = "cut", _("They cut cards")
        FIRST = "first", _("The first sheet wins")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="prizes")
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="prize_list")
    event_class = models.ForeignKey(
        EventClass, on_delete=models.PROTECT, null=True, blank=True, related_name="prizes", verbose_name=_("class")
    )
    position = models.PositiveSmallIntegerField(_("order"))
    name = NameField(_("name"), max_length=80, blank=True)
    sponsor = NameField(_("sponsor"), max_length=80, blank=True)
    logo = models.ForeignKey(PrizeLogo, on_delete=models.PROTECT, null=True, blank=True, related_name="prizes")
    rule = models.CharField(_("what it is for"), max_length=20, choices=Rule.choices, default=Rule.PLACE)
    place = models.PositiveSmallIntegerField(
        _("place"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MAX_PLACE)]
    )
    stop = models.ForeignKey(Stop, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    best_of = models.PositiveSmallIntegerField(
        _("how many of a group count"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    ties = models.CharField(_("ties"), max_length=10, choices=Ties.choices, default=Ties.DECIDE, db_default=Ties.DECIDE)
    face = models.PositiveSmallIntegerField(
        _("face"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MAX_FACE)]
    )
    number_from = models.PositiveIntegerField(
        _("lowest number"), null=True, blank=True, validators=[MaxValueValidator(MAX_NUMBER)]
    )
    number_to = models.PositiveIntegerField(
        _("highest number"), null=True, blank=True, validators=[MaxValueValidator(MAX_NUMBER)]
    )
    number_drawn = models.PositiveIntegerField(
        _("number drawn"), null=True, blank=True, validators=[MaxValueValidator(MAX_NUMBER)]
    )

    class Meta:
        ordering = ["position"]

    def __str__(self) -> str:
        return self.name or str(self.get_rule_display())

    @property
    def is_for_place(self) -> bool:
        """Whether it is for a place in the whole contest; one for a place in a class is announced like any other."""
        return self.rule == self.Rule.PLACE and self.event_class_id is None
