"""The crew's devices: creating them, storing when they were seen, their reports and their keys, and ending them.

Invariant: the token leaves this module only once, with the new device; only its digest is stored.
"""

from __future__ import annotations

import datetime as dt

from django.db.models import DateTimeField, F, Value
from django.db.models.functions import Coalesce, Greatest
from django.utils import timezone

from scorekeeper.common.secret_links import hash_token, make_token
from scorekeeper.common.security_log import log_change
from scorekeeper.crew.models import CrewMember, Device

DEVICE_LIFETIME = dt.timedelta(days=30)
SEEN_INTERVAL = dt.timedelta(minutes=1)


class DeviceKeyMismatch(Exception):
    """The device already has a different key."""


def create_device(member: CrewMember) -> tuple[Device, str]:
    """Return a new device of the member, and the token for its cookie."""
    token = make_token()
    device = Device.objects.create(
        member=member, token_digest=hash_token(token), expires_at=timezone.now() + DEVICE_LIFETIME
    )
    return device, token


def record_last_seen(device: Device) -> None:
    """Store when the phone was last seen: at most once a minute, to avoid a write on every request."""
    now = timezone.now()
    if device.last_seen_at is None or now - device.last_seen_at >= SEEN_INTERVAL:
        Device.objects.filter(pk=device.pk).update(last_seen_at=now)
        device.last_seen_at = now


def record_phone_report(device: Device, unsent: int, attention: int) -> None:
    """Store the phone's report: how many entries it has not sent yet, and how many need attention."""
    now = timezone.now()
    report = {"reported_at": now, "unsent": unsent, "attention": attention}
    Device.objects.filter(pk=device.pk).update(**report, last_seen_at=now)


def reduce_unsent(device: Device, count: int) -> None:
    """Subtract entries that arrived through another phone from the phone's last reported number of unsent entries.

    Args:
        count: how many entries this request has added to the log, so that an entry that arrives twice counts once.
    """
    reported = Device.objects.filter(pk=device.pk, reported_at__lt=timezone.now(), unsent__gt=0)
    reported.update(unsent=Greatest(F("unsent") - count, 0))


def register_key(device: Device, key: str) -> None:
    """Store the phone's key, which can never change. Registering the same key again changes nothing.

    Args:
        key: checked by `scorekeeper.crew.keys.check_key`.

    Raises:
        DeviceKeyMismatch: it has a different key, so this is no longer the same phone; a new link makes a new device.
    """
    row = Device.objects.filter(pk=device.pk)
    if not row.filter(public_key="").update(public_key=key) and not row.filter(public_key=key).exists():
        raise DeviceKeyMismatch


def sign_out_device(device: Device) -> None:
    """End the device at its own request: it can record nothing more, and the entries it signed are still trusted."""
    now = timezone.now()
    if Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=now, left_at=now):
        log_change("phone_signed_out", phone=device.pk)


def revoke_device(device: Device) -> None:
    """End the device for good at the organiser's request, and no longer trust its signature, even if it signed out.

    Repeating it changes nothing.
    """
    ended = Coalesce(F("revoked_at"), Value(timezone.now()), output_field=DateTimeField())
    Device.objects.filter(pk=device.pk).update(revoked_at=ended, left_at=None)
    log_change("phone_revoked", phone=device.pk)
