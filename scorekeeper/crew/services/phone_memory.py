"""What phones tell of their memory, and how it is found out that one was lost.

A phone tells the id of its memory and how many entries were made in it, whenever it asks the server for anything.

Invariants:
- Another id than before means that the memory before is gone. The id of a former memory, in a request that was delayed,
  means nothing.
- A memory stays the same when its phone becomes another device: it may have lost its cookie, or have been given to
  another person. Then its device before is ended, since nobody could report for it.
- A member who signs in again on a phone without a cookie may have done so because their phone was cleared. The phone
  before is taken for lost until it is heard of again.
- A lost memory is never forgotten: an organiser confirms it, or the phone returns. Beyond `MAX_OPEN` that wait for an
  organiser, what a phone loses is added to its newest loss. So one that tells another id each time cannot fill a list.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.utils import timezone

from scorekeeper.common.security_log import log_change
from scorekeeper.crew.models import CrewMember, Device, MemoryLoss
from scorekeeper.crew.selectors import list_open_losses
from scorekeeper.crew.services.devices import sign_out_device

MEMORY_HEADER = "X-Tailgunner-Memory"  # the id, how many were made and, after a loss, how many were pending before
MAX_TOLD = 1_000_000  # entries of one phone: more than anyone ever records
MAX_OPEN = 10  # losses of one phone that are listed one by one
_TOLD = re.compile(r"([0-9a-f-]{36}) (\d{1,9})(?: (\d{1,9}))?", re.ASCII)


@dataclass(frozen=True)
class PhoneMemory:
    """What a phone tells of its memory.

    Attributes:
        id: its id.
        made: how many entries were ever made in it.
        lost: how many pending entries the memory before had when the phone last counted them, if it knows.
    """

    id: str
    made: int
    lost: int = 0


def parse_memory(text: str) -> PhoneMemory | None:
    """Return what a phone tells in `MEMORY_HEADER`; None if it tells nothing that can be read, like an older app."""
    matched = _TOLD.fullmatch(text)
    if matched is None:
        return None
    memory, made, lost = matched.groups(default="0")
    return PhoneMemory(memory, min(int(made), MAX_TOLD), min(int(lost), MAX_TOLD))


def record_memory(device: Device, told: PhoneMemory | None, count_received: Callable[[Device], int]) -> None:
    """Record what a phone tells of its memory, and whether one was lost. Nothing new takes no statement.

    Args:
        device: the phone, as it was when the request came. It is updated, too.
        told: None if the phone's app tells nothing.
        count_received: returns how many entries of a device the server has. It is called if the phone has not told its
            memory before.
    """
    if told is None:
        if device.lost_at is not None and not device.memory:
            _record_return(device, "")
        return
    if told.id == device.memory:
        if told.made > device.made:
            Device.objects.filter(pk=device.pk).update(made=Greatest(F("made"), told.made))
            device.made = told.made
        if device.lost_at is not None:
            _record_return(device, told.id)
        return
    with transaction.atomic():
        known = Device.objects.select_for_update().get(pk=device.pk)
        is_former = MemoryLoss.objects.filter(device=known, memory=told.id, reason=MemoryLoss.Reason.CLEARED).exists()
        if known.memory == told.id or is_former:
            return
        if known.memory or _is_less_than_known(known, told, count_received):
            _add_loss(known, known, MemoryLoss.Reason.CLEARED, told.lost)
        former = None if known.replaces_id is None else Device.objects.select_for_update().get(pk=known.replaces_id)
        if former is not None and not known.memory and former.lost_at is None:
            is_gone = former.memory != told.id if former.memory else _is_less_than_known(former, told, count_received)
            if is_gone:
                _add_loss(former, known, MemoryLoss.Reason.CLEARED, told.lost)
        Device.objects.filter(pk=known.pk).update(memory=told.id, made=told.made)
        device.memory, device.made = told.id, told.made
        _end_devices_of_same_memory(device)
    device.refresh_from_db(fields=["lost_at"])


def record_former_devices(device: Device, former: Sequence[Device]) -> None:
    """Record that a phone has become a device: what it was before, and which other phones its member had.

    Args:
        device: the new device.
        former: the devices whose cookies the phone had, the current one first.
    """
    others = Device.objects.filter(
        Q(member=device.member_id, revoked_at=None, expires_at__gt=timezone.now()) & ~Q(reported_at=None, memory="")
    )
    with transaction.atomic():
        before = list(others.exclude(pk__in=[device.pk, *(one.pk for one in former)]).order_by("-created_at"))
        replaced = [*former, *before][:1]
        if replaced:
            device.replaces = replaced[0]
            device.save(update_fields=["replaces"])
        for one in before:
            if one.lost_at is None:
                _add_loss(one, device, MemoryLoss.Reason.REPLACED, 0)


def confirm_loss(loss: MemoryLoss, organiser_id: UUID) -> None:
    """Record that an organiser has seen to a lost memory, so that its phone counts like any other again.

    Confirming it again changes nothing.
    """
    now = timezone.now()
    with transaction.atomic():
        opened = MemoryLoss.objects.filter(pk=loss.pk, confirmed_at=None, returned_at=None)
        if not opened.update(confirmed_at=now, confirmed_by=organiser_id):
            return
        # What a memory had that is gone can never be sent.
        if loss.reason == MemoryLoss.Reason.REPLACED:
            Device.objects.filter(pk=loss.device_id, memory=loss.memory).update(unsent=0, attention=0)
        _clear_if_settled(loss.device_id)
        log_change("phone_memory_loss_confirmed", phone=loss.device_id, by=organiser_id)


def _is_less_than_known(device: Device, told: PhoneMemory, count_received: Callable[[Device], int]) -> bool:
    """Return whether a memory that is new to the server has fewer entries than the phone is known to have made."""
    return told.made < device.unsent + device.attention + count_received(device)


def _add_loss(device: Device, found_by: Device, reason: MemoryLoss.Reason, counted: int) -> None:
    now, unsent = timezone.now(), max(device.unsent, counted)
    waiting = MemoryLoss.objects.filter(device=device, confirmed_at=None, returned_at=None).order_by("found_at")
    if reason == MemoryLoss.Reason.CLEARED and len(newest := waiting.reverse()[:MAX_OPEN]) == MAX_OPEN:
        more = {"unsent": newest[0].unsent + unsent, "attention": newest[0].attention + device.attention}
        waiting.filter(pk=newest[0].pk).update(**{name: min(count, MAX_TOLD) for name, count in more.items()})
    else:
        MemoryLoss.objects.create(
            device=device,
            found_by=found_by,
            memory=device.memory,
            reason=reason,
            found_at=now,
            last_report_at=device.reported_at,
            unsent=unsent,
            attention=device.attention,
        )
    cleared = {} if reason == MemoryLoss.Reason.REPLACED else {"unsent": 0, "attention": 0}
    Device.objects.filter(pk=device.pk).update(lost_at=now, **cleared)
    log_change("phone_memory_lost", phone=device.pk, found_by=found_by.pk, reason=reason.value)


def _record_return(device: Device, memory: str) -> None:
    """Record that a phone that was taken for replaced is still in use, whatever device it is now."""
    waiting = MemoryLoss.objects.filter(
        device=device, memory=memory, reason=MemoryLoss.Reason.REPLACED, returned_at=None, confirmed_at=None
    )
    if waiting.update(returned_at=timezone.now()):
        _clear_if_settled(device.pk)
        device.refresh_from_db(fields=["lost_at"])


def _end_devices_of_same_memory(device: Device) -> None:
    """End the devices of this event that the phone was before: it has lost their cookies, so they can never report."""
    event = CrewMember.objects.values("group__event").filter(pk=device.member_id)
    same = Device.objects.filter(memory=device.memory, member__group__event__in=event).exclude(pk=device.pk)
    for one in same:
        _record_return(one, device.memory)
        sign_out_device(one)


def _clear_if_settled(device_id: UUID) -> None:
    first: dt.datetime | None = list_open_losses().filter(device=device_id).values_list("found_at", flat=True).first()
    Device.objects.filter(pk=device_id).update(lost_at=first)
