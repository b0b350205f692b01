"""The pending entries of an event's phones, counted and listed."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.crew.phones import PhoneCount, count_phones, list_phones
from scorekeeper.crew.services.devices import create_device, record_phone_report, revoke_device
from scorekeeper.crew.services.invitations import create_invitation
from tests.scorekeeper.conftest import CrewClient, Ride

pytestmark = pytest.mark.django_db


def add(member: CrewMember, report: tuple[int, int] | None = None) -> Device:
    """Return a phone of the member that has sent this report, or none."""
    device, _token = create_device(member)
    if report is not None:
        record_phone_report(device, *report)
        device.refresh_from_db()
    return device


def test_without_phones_nothing_is_pending(ride: Ride) -> None:
    count = count_phones(ride.event)
    assert count == PhoneCount(total=0, with_pending=0, not_reported=0, unsent=0, attention=0)


def test_each_phone_is_synced_pending_or_not_reported(ride: Ride) -> None:
    not_reported, synced = add(ride.rita), add(ride.tom, (0, 0))
    unsent, attention = add(ride.gus, (3, 0)), add(ride.sue, (0, 2))

    count = count_phones(ride.event)

    assert count == PhoneCount(total=4, with_pending=2, not_reported=1, unsent=3, attention=2)
    assert (count.synced, count.all_synced) == (1, False)
    assert list_phones(ride.event) == [attention, unsent, not_reported, synced]


def test_phones_that_can_no_longer_be_used_are_omitted(ride: Ride, other_event) -> None:
    revoke_device(add(ride.rita, (3, 0)))
    Device.objects.filter(pk=add(ride.tom, (3, 0)).pk).update(expires_at=timezone.now() - dt.timedelta(minutes=1))
    add(ride.sue, (0, 0))

    assert count_phones(ride.event) == PhoneCount(total=1, with_pending=0, not_reported=0, unsent=0, attention=0)
    assert count_phones(ride.event).all_synced
    assert count_phones(other_event).total == 0


def test_a_phone_that_gets_a_new_link_is_counted_once(ride: Ride, crew_client: CrewClient) -> None:
    phone: Client = crew_client(ride.rita)
    record_phone_report(Device.objects.get(), 3, 0)
    _invitation, token = create_invitation(ride.rita)

    assert phone.post(f"/crew/join/{token}/").status_code == 302

    assert count_phones(ride.event) == PhoneCount(total=1, with_pending=0, not_reported=1, unsent=0, attention=0)
