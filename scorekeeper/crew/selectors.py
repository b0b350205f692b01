"""The organiser's list of messages, with how many phones have read each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, Max, Prefetch, Q, QuerySet
from django.utils import timezone

from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.common.secret_links import hash_token
from scorekeeper.crew.models import (
    CrewMember,
    CrewMessage,
    Device,
    DiceSet,
    FormerDevice,
    Group,
    Invitation,
    MemoryLoss,
)
from scorekeeper.events.models import Event


def get_device_by_token(token: str) -> Device | None:
    """Return the device with its member, group and event, valid or not; one query."""
    return next(iter(_BY_DIGEST.fetch(digest=hash_token(token))), None)


def _filter_by_digest(digest: str) -> QuerySet[Device]:
    return Device.objects.select_related("member__group__event").filter(token_digest=digest)


# Runs on every request from a phone.
_BY_DIGEST = CompiledQuery(_filter_by_digest, {"digest": "the digest of a token"})


def get_invitation(token: str) -> Invitation | None:
    """Return the invitation with its member, group and event, usable or not."""
    invitations = Invitation.objects.select_related("member__group__event")
    return invitations.filter(token_digest=hash_token(token)).first()


def get_former_device(token: str) -> FormerDevice | None:
    """Return what is left of a phone or an invitation with this token, with its deleted event."""
    return FormerDevice.objects.select_related("event").filter(token_digest=hash_token(token)).first()


def list_groups(event: Event) -> QuerySet[Group]:
    """Return the event's groups in order."""
    return event.groups.order_by("ordinal", "name")


def list_groups_with_crew(event: Event) -> QuerySet[Group]:
    """Return the groups with `crew` and `dice_sets` prefetched; members are annotated with `phones` and `seen_at`."""
    valid = Q(devices__revoked_at=None, devices__expires_at__gt=timezone.now())
    crew = CrewMember.objects.in_order().annotate(
        phones=Count("devices", filter=valid), seen_at=Max("devices__last_seen_at", filter=valid)
    )
    return list_groups(event).prefetch_related(Prefetch("crew", queryset=crew), "dice_sets")


def get_group(event: Event, group_id: UUID) -> Group:
    """Return a group of the event, or raise `Group.DoesNotExist`."""
    return event.groups.get(pk=group_id)


def list_members_with_phones(event: Event) -> QuerySet[CrewMember]:
    """Return the crew as `list_members` does, with their `any_bike_at`.

    Each is annotated with `phones`, how many valid phones they have, and `link_ends_at`, until when an unused link of
    theirs works; None if there is none.
    """
    now = timezone.now()
    valid = Q(devices__revoked_at=None, devices__expires_at__gt=now)
    unused = Q(invitations__consumed_at=None, invitations__expires_at__gt=now)
    members = list_members(event).select_related("group__event").prefetch_related("any_bike_at")
    return members.annotate(
        phones=Count("devices", filter=valid, distinct=True),
        link_ends_at=Max("invitations__expires_at", filter=unused),
    )


def list_members(event: Event) -> QuerySet[CrewMember]:
    """Return the crew of all groups, in the order of the groups and by role, each with the group."""
    return CrewMember.objects.filter(group__event=event).select_related("group").in_order_of_groups()


def get_member(event: Event, member_id: UUID) -> CrewMember:
    """Return a crew member of the event, or raise `CrewMember.DoesNotExist`."""
    return CrewMember.objects.select_related("group").get(pk=member_id, group__event=event)


def list_any_bike_stops(member_id: UUID) -> frozenset[UUID]:
    """Return the ids of the stops where the member records for the bikes of every group."""
    rows = CrewMember.any_bike_at.through.objects.filter(crewmember=member_id)
    return frozenset(rows.values_list("stop", flat=True))


def get_event_device(event: Event, device_id: UUID) -> Device:
    """Return a device of the event's crew, or raise `Device.DoesNotExist`."""
    return Device.objects.select_related("member__group").get(pk=device_id, member__group__event=event)


def get_relayed_devices(event: Event, device_ids: Iterable[UUID]) -> Mapping[UUID, Device]:
    """Return those of the devices whose entries a phone of this event may relay, with member, group and event.

    They belong to the crew of the event, of its practice, or of the ride that it is a practice of, valid or not: the
    phone may have taken the entries before it switched. Whoever relays them, they go to their own device's event.
    """
    ride_id = event.practice_of_id or event.pk
    family = Q(member__group__event=ride_id) | Q(member__group__event__practice_of=ride_id)
    return Device.objects.select_related("member__group__event").filter(family).in_bulk(set(device_ids))


def get_counterpart(member: CrewMember) -> CrewMember | None:
    """Return whom this member is in the ride's practice, or in the ride if this is the practice; None if nobody."""
    event = member.group.event
    members = CrewMember.objects.select_related("group__event")
    if event.is_practice:
        return members.filter(mirrored_by=member).first()
    found = members.filter(mirrors=member, group__event__practice_of=event, group__event__state=Event.State.OPEN)
    return found.first()


def list_devices(member: CrewMember) -> QuerySet[Device]:
    """Return the member's phones, the newest first."""
    return member.devices.order_by("-created_at")


def list_open_invitations(member: CrewMember) -> QuerySet[Invitation]:
    """Return the invitations that can still be used."""
    return Invitation.objects.filter(member=member).usable().order_by("-created_at")


def list_dice_sets(group: Group) -> QuerySet[DiceSet]:
    """Return the group's dice sets in order."""
    return group.dice_sets.order_by("ordinal", "name")


def list_open_losses() -> QuerySet[MemoryLoss]:
    """Return the lost memories that no organiser has confirmed and that did not return, the oldest first."""
    return MemoryLoss.objects.filter(confirmed_at=None, returned_at=None).order_by("found_at")


def list_losses_on(device: Device) -> QuerySet[MemoryLoss]:
    """Return the open losses that the phone says: those of its member's phones, and those it was found by."""
    return list_open_losses().filter(Q(device__member=device.member_id) | Q(found_by=device))


def list_losses(event: Event) -> QuerySet[MemoryLoss]:
    """Return all lost memories of the event's phones, with member and group: the open ones first, then the newest."""
    losses = MemoryLoss.objects.filter(device__member__group__event=event, returned_at=None)
    return losses.select_related("device__member__group").order_by(
        F("confirmed_at").desc(nulls_first=True), "-found_at"
    )


def list_unread_messages(device: Device) -> QuerySet[CrewMessage]:
    """Return the messages for the phone's group that are not withdrawn and that its member has not read."""
    group = device.member.group
    current = CrewMessage.objects.filter(event=group.event_id, is_for_crew=True, withdrawn_at=None)
    ours = current.filter(Q(group=None) | Q(group=group))
    return ours.exclude(receipts__device=device).order_by("sent_at", "pk")


def list_screen_messages(event: Event) -> QuerySet[CrewMessage]:
    """Return the messages that the big screen shows, the oldest first."""
    return CrewMessage.objects.filter(event=event, is_for_screen=True, withdrawn_at=None).order_by("sent_at", "pk")


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message and its readers.

    Attributes:
        read: how many of the phones that can be used now have read it.
        phones: how many phones it is for.
    """

    message: CrewMessage
    read: int
    phones: int


def list_sent_messages(event: Event) -> Sequence[SentMessage]:
    """Return the messages of the event with their groups, the newest first; two queries."""
    now = timezone.now()
    usable = Device.objects.filter(member__group__event=event, revoked_at=None, expires_at__gt=now).order_by()
    by_group = Counter[UUID](dict(usable.values_list("member__group").annotate(Count("pk"))))
    is_ours = Q(group=None) | Q(group=F("receipts__device__member__group"))
    can_read = Q(receipts__device__revoked_at=None, receipts__device__expires_at__gt=now)
    messages = (
        CrewMessage.objects.filter(event=event)
        .select_related("group")
        .annotate(readers=Count("receipts", filter=is_ours & can_read))
        .order_by("-sent_at", "pk")
    )
    return [
        SentMessage(
            message, message.readers, by_group.total() if message.group_id is None else by_group[message.group_id]
        )
        for message in messages
    ]
