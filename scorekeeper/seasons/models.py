"""Seasons: contests of several events, and who of one event is who of another.

Terms: a *round* is a contest that counts for a season. A *season rider* is someone who took part in rounds: a bike or a
player in each of them, linked by an organiser.

Invariants:
- Nobody is linked by a name or a number alone: an organiser has confirmed every link.
- A season has no names of people. Each round shows its own, as its event does, so erasing a name there erases it here.
- A season stores no places and no points. They follow from the published results of its rounds.
"""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.models import UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.events.models import Contest

MAX_POINTS = 1_000
MAX_ROUNDS = 50


class Season(UUIDModel):
    """Several contests whose results are added up. The organisers of their events run it, and who created it.

    Attributes:
        points: what each place brings, the first place first.
        points_below: what every place below these brings.
        best_count: how many of a rider's results count; None for all.
    """

    name = NameField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    points = models.JSONField(_("points"))
    points_below = models.PositiveSmallIntegerField(
        _("points for every other place"), default=0, validators=[MaxValueValidator(MAX_POINTS)]
    )
    best_count = models.PositiveSmallIntegerField(
        _("how many results count"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_ROUNDS)],
    )
    is_listed = models.BooleanField(_("listed on the front page"), default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "name"]

    def __str__(self) -> str:
        return self.name


class SeasonRound(UUIDModel):
    """A contest that counts for a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="rounds")
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["contest__event__date", "contest__event__name", "contest__ordinal"]
        constraints = [models.UniqueConstraint(fields=["season", "contest"], name="contest_once_per_season")]

    def __str__(self) -> str:
        return f"{self.contest_id} in {self.season_id}"


class SeasonRider(UUIDModel):
    """Someone who took part in rounds of a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="riders")

    def __str__(self) -> str:
        return str(self.pk)


class SeasonLink(models.Model):
    """The bike or player that a season rider was in a round."""

    rider = models.ForeignKey(SeasonRider, on_delete=models.CASCADE, related_name="links")
    round = models.ForeignKey(SeasonRound, on_delete=models.CASCADE, related_name="links")
    holder_id = models.UUIDField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "holder_id"], name="season_link_once_per_holder"),
            models.UniqueConstraint(fields=["rider", "round"], name="season_link_once_per_round"),
        ]

    def __str__(self) -> str:
        return f"{self.rider_id} in {self.round_id}"
