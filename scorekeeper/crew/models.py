"""Groups, their crews, and the phones with which the crews record turns.

Terms:
- A *group* is a number of bikes that ride together.
- Its *crew* are the road captain, the tail-gunner and a third supervisor, each with a dice set.
- An *invitation* is a one-time link. Pressing "This is my phone" on its page turns the phone into a *device*.
- A phone's *memory* is the browser's storage with its entries. It has an id, which is new after the browser cleared it.

Invariant: only a digest of the secrets of invitations and devices is stored.
"""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.models import UUIDModel
from scorekeeper.common.name_fields import NameField
from scorekeeper.common.secret_links import SecretLink, SecretLinks
from scorekeeper.events.models import DeletedEvent, Event
from scorekeeper.stops.models import Stop


class Group(UUIDModel):
    """Bikes that ride together."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="groups")
    name = NameField(_("name"), max_length=80)
    ordinal = models.PositiveSmallIntegerField(_("order"))

    class Meta:
        ordering = ["ordinal", "name"]
        constraints = [models.UniqueConstraint(fields=["event", "name"], name="group_name_once_per_event")]

    def __str__(self) -> str:
        return self.name


class DiceSet(UUIDModel):
    """Five real dice that a crew member carries."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="dice_sets")
    name = NameField(_("name"), max_length=40)
    ordinal = models.PositiveSmallIntegerField(_("order"))

    class Meta:
        ordering = ["ordinal", "name"]
        constraints = [models.UniqueConstraint(fields=["group", "name"], name="dice_set_name_once_per_group")]

    def __str__(self) -> str:
        return self.name


class CrewMembers(models.QuerySet["CrewMember"]):
    """A query set of crew members."""

    def in_order(self) -> CrewMembers:
        """Order them by role, as `Role` lists them, then by name."""
        return self.order_by(self._get_role_rank(), "name")

    def in_order_of_groups(self) -> CrewMembers:
        """Order them by group, then as `in_order` does."""
        return self.order_by("group__ordinal", "group__name", self._get_role_rank(), "name")

    @staticmethod
    def _get_role_rank() -> models.Case:
        return models.Case(*(models.When(role=role, then=index) for index, role in enumerate(CrewMember.Role.values)))


class CrewMember(UUIDModel):
    """A person who supervises rolls. The id goes into the log; the name never does."""

    class Role(models.TextChoices):
        ROAD_CAPTAIN = "road_captain", _("Road captain")
        TAIL_GUNNER = "tail_gunner", _("Tail-gunner")
        SUPERVISOR = "supervisor", _("Supervisor")

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="crew")
    name = NameField(_("name"), max_length=80)
    role = models.CharField(_("role"), max_length=20, choices=Role.choices)
    # In a practice event, the member of the ride that this one was copied from: their phone can switch between the two.
    mirrors = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="mirrored_by", editable=False
    )
    # Stops, such as the finale, where this member records for the bikes of every group.
    any_bike_at = models.ManyToManyField(
        Stop, blank=True, related_name="+", verbose_name=_("records for the bikes of every group at")
    )

    objects = CrewMembers.as_manager()

    def __str__(self) -> str:
        return self.name

    @property
    def can_take_over(self) -> bool:
        """Whether this member can record turns for bikes in other groups; the log shows each time."""
        return self.role == self.Role.ROAD_CAPTAIN


class Invitations(SecretLinks["Invitation"]):
    """A query of invitations."""


class Invitation(SecretLink):
    """A one-time link that makes a phone the device of a crew member."""

    member = models.ForeignKey(CrewMember, on_delete=models.CASCADE, related_name="invitations")

    objects = Invitations.as_manager()


class Device(UUIDModel):
    """A phone that can record turns for one crew member, until it expires or is revoked.

    Attributes:
        revoked_at: when it was ended, by the organiser or by the phone itself.
        left_at: the same time if the phone ended it itself, by signing out or becoming someone else's device; None if
            the organiser ended it.
        reported_at: when the phone last reported its pending entries; None if it never did, for example because it only
            opens pages.
        unsent: how many entries it had not sent yet at that time.
        attention: how many entries it had sent that were not accepted and need attention, at that time.
        public_key: the key that verifies its signatures, in the encoding of `scorekeeper.crew.keys`; "" until the phone
            registers it.
        memory: the id of the phone's memory, as it last told; "" for an app that tells none.
        made: how many entries had been made in that memory, as it last told.
        lost_at: since when entries of the phone may be lost, until an organiser has confirmed it; None if they are not.
        replaces: the device that the same phone was before, or the member's phone before, which may be the same one.
    """

    member = models.ForeignKey(CrewMember, on_delete=models.CASCADE, related_name="devices")
    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    left_at = models.DateTimeField(null=True, blank=True, editable=False)
    reported_at = models.DateTimeField(null=True, blank=True)
    unsent = models.PositiveIntegerField(default=0, db_default=0)
    attention = models.PositiveIntegerField(default=0, db_default=0)
    public_key = models.TextField(default="", db_default="", blank=True, editable=False)
    memory = models.CharField(max_length=36, default="", db_default="", blank=True, editable=False)
    made = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    lost_at = models.DateTimeField(null=True, blank=True, editable=False)
    replaces = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, related_name="replaced_by", editable=False
    )

    class Meta:
        ordering = ["-created_at"]

    def is_valid(self, now: dt.datetime | None = None) -> bool:
        """Whether the device can still be used."""
        return self.revoked_at is None and (now or timezone.now()) < self.expires_at

    def is_trusted(self, now: dt.datetime | None = None) -> bool:
        """Whether its signature is enough to accept an entry: not once it has expired or the organiser revoked it."""
        is_revoked = self.revoked_at is not None and self.left_at is None
        return not is_revoked and (now or timezone.now()) < self.expires_at

    @property
    def ended_at(self) -> dt.datetime:
        """When it was revoked or expires, whichever is earlier."""
        return min(self.revoked_at or self.expires_at, self.expires_at)

    @property
    def has_pending(self) -> bool:
        """Whether the phone's last report had entries that are only on the phone."""
        return bool(self.unsent or self.attention)


class MemoryLoss(UUIDModel):
    """A phone's memory is gone, or may be: entries on it that it had not sent are lost.

    Attributes:
        device: the phone, as what it was then.
        found_by: the device by which it was found, which may be the same; its phone says so, too.
        memory: the id of the lost memory; "" if the phone had not told it.
        found_at: when the server found it.
        last_report_at: when the phone had last reported its pending entries; None if it never had.
        unsent: how many entries had not been sent then, or when the phone last counted them itself.
        attention: how many had not been accepted.
        returned_at: when the phone reported again with this memory, so that nothing was lost.
        confirmed_at: when an organiser confirmed that what is missing was found or given up.
        confirmed_by: the id of the organiser.
    """

    class Reason(models.TextChoices):
        CLEARED = "cleared", _("Its memory was cleared")
        REPLACED = "replaced", _("Its owner signed in on another phone, or on this one after it was cleared")

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="memory_losses")
    found_by = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="+")
    memory = models.CharField(max_length=36, blank=True)
    reason = models.CharField(max_length=10, choices=Reason.choices)
    found_at = models.DateTimeField()
    last_report_at = models.DateTimeField(null=True)
    unsent = models.PositiveIntegerField()
    attention = models.PositiveIntegerField()
    returned_at = models.DateTimeField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    confirmed_by = models.UUIDField(null=True)

    class Meta:
        ordering = ["found_at"]

    def __str__(self) -> str:
        return f"{self.device_id} {self.found_at}"

    @property
    def missing(self) -> int:
        """How many entries are missing as far as is known."""
        return self.unsent + self.attention


class FormerDevice(models.Model):
    """A phone of an event that was deleted, or a link that was to make one: whoever has it is told so."""

    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    event = models.ForeignKey(DeletedEvent, on_delete=models.CASCADE, related_name="devices")

    def __str__(self) -> str:
        return f"{self.event} {self.pk}"


class CrewMessage(UUIDModel):
    """What the organiser tells the crews, in the bar of their phones, or everyone, on the big screen.

    Attributes:
        group: the only group that gets it; None for all groups.
        withdrawn_at: from then on, nobody is shown it any longer.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="crew_messages")
    text = models.CharField(_("message"), max_length=300)
    group = models.ForeignKey(Group, on_delete=models.CASCADE, null=True, blank=True, related_name="messages")
    is_for_crew = models.BooleanField(_("crew phones"), default=True)
    is_for_screen = models.BooleanField(_("big screen"), default=False)
    sent_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["sent_at"]

    def __str__(self) -> str:
        return self.text


class MessageReceipt(models.Model):
    """A phone's member has read a message."""

    message = models.ForeignKey(CrewMessage, on_delete=models.CASCADE, related_name="receipts")
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="+")
    read_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "device"], name="message_read_once_per_device")]

    def __str__(self) -> str:
        return f"{self.message_id} {self.device_id}"
