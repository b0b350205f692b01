"""Players: the people of an event, with or without a bike; and its classes, such as ladies or 125 cc.

Terms: a *class* is ranked beside the whole contest. It is given to bikes and to people, and each can have several
(`players.class_members` says which scorecards are in it).
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.number_fields import BikeNumberColumn
from scorekeeper.common.models import UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event


class Player(UUIDModel):
    """A person at an event."""

    class Role(models.TextChoices):
        RIDER = "rider", _("Rider")
        PASSENGER = "passenger", _("Passenger")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="players")
    name = NameField(_("name"), max_length=80)
    bike = models.ForeignKey(
        Bike, on_delete=models.PROTECT, null=True, blank=True, related_name="players", verbose_name=_("bike")
    )
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, blank=True)

    class Meta:
        # "rider" sorts after "passenger", and the rider comes first.
        ordering = ["-role", "name"]

    def __str__(self) -> str:
        return self.name


MAX_CLASS_NAME = 40  # characters


class EventClass(UUIDModel):
    """A class of an event. No two have names that are the same to people (`common.names.fold_name`).

    Attributes:
        note: who belongs to it, for organisers.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="classes")
    name = NameField(_("name"), max_length=MAX_CLASS_NAME)
    ordinal = models.PositiveSmallIntegerField(_("order"))
    note = NameField(_("note"), max_length=120, blank=True, default="", db_default="")

    class Meta:
        ordering = ["ordinal"]
        constraints = [models.UniqueConstraint(fields=["event", "name"], name="class_name_once_per_event")]

    def __str__(self) -> str:
        return self.name


class ClassMember(UUIDModel):
    """A bike or a person has a class."""

    event_class = models.ForeignKey(EventClass, on_delete=models.CASCADE, related_name="members")
    bike = models.ForeignKey(Bike, on_delete=models.CASCADE, null=True, blank=True, related_name="class_members")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, blank=True, related_name="class_members")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event_class", "bike"], name="class_once_per_bike"),
            models.UniqueConstraint(fields=["event_class", "player"], name="class_once_per_player"),
            models.CheckConstraint(
                condition=models.Q(bike=None, player__isnull=False) | models.Q(bike__isnull=False, player=None),
                name="class_of_a_bike_or_a_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_class_id} {self.bike_id or self.player_id}"


class SignUp(UUIDModel):
    """A request on the public page to ride along. An organiser approves it, which adds the bike, or declines it.

    Attributes:
        number: the number that the rider would like; None for any.
        group: the group that the rider would like to ride with; None for any.
        contact: how an organiser can reach the rider. It is erased when the rider was told of the decision, at the
            latest 14 days after the ride.
        told_at: when an organiser said that the rider knows the decision; None until then.
        bike: the bike that was added; None until then.
    """

    class Decision(models.TextChoices):
        APPROVED = "approved", _("Approved")
        DECLINED = "declined", _("Declined")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="sign_ups")
    rider = NameField(_("rider"), max_length=80)
    passenger = NameField(_("passenger"), max_length=80, blank=True)
    make = NameField(_("make"), max_length=60, blank=True)
    model = NameField(_("model"), max_length=60, blank=True)
    number = BikeNumberColumn(_("number"), null=True, blank=True)
    group = models.ForeignKey(
        Group, on_delete=models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("group")
    )
    contact = models.CharField(_("email or phone"), max_length=120, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    decision = models.CharField(max_length=10, choices=Decision.choices, blank=True)
    decided_at = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True)
    bike = models.ForeignKey(Bike, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["created_at"]

    def __str__(self) -> str:
        return self.rider
