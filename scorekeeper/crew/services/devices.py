"""Phones of the crew: made from a link, seen, known by their key, asked what they hold, ended by themselves or revoked.

Invariant: the token leaves this file once, with the device it belongs to; afterwards only its digest is known.
"""

from __future__ import annotations

import datetime as dt

from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.crew.tokens import hash_token, make_token

DEVICE_LIFETIME = dt.timedelta(days=30)
SEEN_INTERVAL = dt.timedelta(minutes=1)


class DeviceKeyMismatch(Exception):
    """The device has a key already, and it is not this one."""


def create_device(member: CrewMember) -> tuple[Device, str]:
    """Return a new device of the member, and the token its cookie has to hold."""
    token = make_token()
    device = Device.objects.create(
        member=member, token_digest=hash_token(token), expires_at=timezone.now() + DEVICE_LIFETIME
    )
    return device, token


def record_last_seen(device: Device) -> None:
    """Keep when the phone was last there: at most once a minute, as it is a write on every request otherwise."""
    now = timezone.now()
    if device.last_seen_at is None or now - device.last_seen_at >= SEEN_INTERVAL:
        Device.objects.filter(pk=device.pk).update(last_seen_at=now)
        device.last_seen_at = now


def record_phone_report(device: Device, unsent: int, attention: int) -> None:
    """Keep what the phone says it holds: notes it has yet to send, and notes that somebody has to look at."""
    now = timezone.now()
    said = {"reported_at": now, "unsent": unsent, "attention": attention}
    Device.objects.filter(pk=device.pk).update(**said, last_seen_at=now)


def reduce_unsent(device: Device, count: int) -> None:
    """Take off what the phone last said it had yet to send so many notes that came in by another phone.

    Args:
        count: of notes that this very request has put into the log: one that comes twice is taken off once.
    """
    said = Device.objects.filter(pk=device.pk, reported_at__lt=timezone.now(), unsent__gt=0)
    said.update(unsent=Greatest(F("unsent") - count, 0))


def register_key(device: Device, key: str) -> None:
    """Keep the phone's key, once and for all; the same one again is fine.

    Args:
        key: checked by `scorekeeper.crew.keys.check_key`.

    Raises:
        OtherKey: it has another, so this is no longer the phone it was; a new link makes a new device.
    """
    known = Device.objects.filter(pk=device.pk)
    if not known.filter(public_key="").update(public_key=key) and not known.filter(public_key=key).exists():
        raise DeviceKeyMismatch


def sign_out_device(device: Device) -> None:
    """End the device as its own phone asks: it notes nothing more, and what it has noted is still its own."""
    now = timezone.now()
    Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=now, left_at=now)


def revoke_device(device: Device) -> None:
    """End the device for good, as the organiser asks, and believe nothing it has signed, even if it has left before.

    Repeating it changes nothing.
    """
    ended = Coalesce(F("revoked_at"), Value(timezone.now()), output_field=DateTimeField())
    Device.objects.filter(pk=device.pk).update(revoked_at=ended, left_at=None)
