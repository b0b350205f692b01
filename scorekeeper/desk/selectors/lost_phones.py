"""Phones whose memory was lost: what may be missing, and which losses an organiser has confirmed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.crew.models import MemoryLoss
from scorekeeper.crew.selectors import list_losses
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import Entry


@dataclass(frozen=True, slots=True)
class LostPhone:
    """A lost memory, with what the log knows of its phone.

    Attributes:
        loss: the loss, with its device, member and group.
        last_entry: the last entry that arrived from the phone before, with its stop; None if none did.
        confirmed_by: the name of the organiser who confirmed it; "" if nobody did, or if it was erased.
    """

    loss: MemoryLoss
    last_entry: Entry | None
    confirmed_by: str


def list_lost_phones(event: Event) -> tuple[list[LostPhone], list[LostPhone]]:
    """Return the lost phones that wait for an organiser, and those that one has confirmed, the newest first."""
    losses = list(list_losses(event))
    names: Mapping[UUID, str] = {}
    if losses:
        names = list_actor_names(event, [loss.confirmed_by for loss in losses if loss.confirmed_by is not None])
    phones = [
        LostPhone(loss, _find_last_entry(loss), names.get(loss.confirmed_by, "") if loss.confirmed_by else "")
        for loss in losses
    ]
    return (
        [phone for phone in phones if phone.loss.confirmed_at is None],
        [phone for phone in phones if phone.loss.confirmed_at is not None],
    )


def _find_last_entry(loss: MemoryLoss) -> Entry | None:
    entries = Entry.objects.filter(operation__device_id=loss.device_id, at__lte=loss.found_at)
    return entries.select_related("slot__stop").order_by("at", "pk").last()
