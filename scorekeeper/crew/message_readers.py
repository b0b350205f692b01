"""The organiser's list of messages, with how many phones have read each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, Q
from django.utils import timezone

from scorekeeper.crew.models import CrewMessage, Device
from scorekeeper.events.models import Event


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
