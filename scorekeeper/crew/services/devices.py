"""Phones of the crew: made from a link, seen, asked what they hold, revoked.

Invariant: the token leaves this file once, with the device it belongs to; afterwards only its digest is known.
"""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.crew.tokens import get_digest, make_token

LIFETIME = dt.timedelta(days=30)
SEEN_EVERY = dt.timedelta(minutes=1)


def make_device(member: CrewMember) -> tuple[Device, str]:
    """Return a new device of the member, and the token its cookie has to hold."""
    token = make_token()
    device = Device.objects.create(member=member, token_digest=get_digest(token), expires_at=timezone.now() + LIFETIME)
    return device, token


def note_seen(device: Device) -> None:
    """Keep when the phone was last there: at most once a minute, as it is a write on every request otherwise."""
    now = timezone.now()
    if device.last_seen_at is None or now - device.last_seen_at >= SEEN_EVERY:
        Device.objects.filter(pk=device.pk).update(last_seen_at=now)
        device.last_seen_at = now


def note_report(device: Device, unsent: int, attention: int) -> None:
    """Keep what the phone says it holds: notes it has yet to send, and notes that somebody has to look at."""
    now = timezone.now()
    said = {"reported_at": now, "unsent": unsent, "attention": attention}
    Device.objects.filter(pk=device.pk).update(**said, last_seen_at=now)


def revoke_device(device: Device) -> None:
    """End the device for good. Repeating it changes nothing."""
    Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=timezone.now())
