"""Messages from the organiser: sending and withdrawing them, and who has read them.

Every change is published, so that open screens show it at once and phones refresh their copy of the ride.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scorekeeper.common.pubsub import publish_change
from scorekeeper.crew.models import CrewMessage, Device, MessageReceipt
from scorekeeper.crew.selectors import list_unread_messages


@transaction.atomic
def send_message(message: CrewMessage) -> None:
    """Send a new message to the crews and the screen that it names."""
    message.sent_at = timezone.now()
    message.save(force_insert=True)
    publish_change(message.event_id)


@transaction.atomic
def withdraw_message(message: CrewMessage) -> None:
    """Stop showing a message. Repeating it changes nothing."""
    if CrewMessage.objects.filter(pk=message.pk, withdrawn_at=None).update(withdrawn_at=timezone.now()):
        publish_change(message.event_id)


def record_messages_read(device: Device, message_ids: Collection[UUID]) -> None:
    """Store that the phone's member has read these messages.

    Messages that the phone was not sent, and those that it has read before, are ignored.
    """
    unread = list_unread_messages(device).filter(pk__in=message_ids)
    now = timezone.now()
    receipts = [MessageReceipt(message=message, device=device, read_at=now) for message in unread]
    MessageReceipt.objects.bulk_create(receipts, ignore_conflicts=True)  # the phone may send the same twice at once
