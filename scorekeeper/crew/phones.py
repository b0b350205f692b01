"""The pending entries of the crew's phones, as the phones last reported them.

Terms:
- A phone has *pending* entries if it has not sent some yet, or if some were sent but not accepted.
- A phone is *not reported* until it sends its first report. A phone that only opens pages never reports and never has
  pending entries, so it does not block anything.
- A phone is *lost* if its memory is gone, or may be, until an organiser has confirmed it. Then it is neither of these.

Phones that were revoked, signed out or have expired are omitted, unless they are lost. Their entries can be sent once
they get a new link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from scorekeeper.crew.models import Device
from scorekeeper.events.models import Event

HAS_PENDING = Q(unsent__gt=0) | Q(attention__gt=0)
NOT_REPORTED = Q(reported_at=None)
LOST = Q(lost_at__isnull=False)


@dataclass(frozen=True, slots=True)
class PhoneCount:
    """How many phones of an event have sent everything.

    Attributes:
        total: phones that can be used or are lost.
        with_pending: those that have pending entries.
        not_reported: those that have never reported.
        unsent: entries of all these phones that have not been sent yet.
        attention: entries of all these phones that were not accepted.
        lost: those that are lost.
    """

    total: int
    with_pending: int
    not_reported: int
    unsent: int
    attention: int
    lost: int = 0

    @property
    def synced(self) -> int:
        """How many have reported that they have no pending entries, and are not lost."""
        return self.total - self.with_pending - self.not_reported - self.lost

    @property
    def all_synced(self) -> bool:
        """Whether all phones have reported so."""
        return self.synced == self.total


def count_phones(event: Event) -> PhoneCount:
    """Return how many phones have sent everything; one query."""
    counts = _list_usable(event).aggregate(
        total=Count("pk"),
        with_pending=Count("pk", filter=HAS_PENDING & ~LOST),
        not_reported=Count("pk", filter=NOT_REPORTED & ~LOST),
        unsent=Coalesce(Sum("unsent", filter=~LOST), 0),
        attention=Coalesce(Sum("attention", filter=~LOST), 0),
        lost=Count("pk", filter=LOST),
    )
    return PhoneCount(**counts)


def list_phones(event: Event) -> Sequence[Device]:
    """Return the phones with members and groups: the lost ones, those with pending entries, those not reported, others.

    Within each of these they are in the order of their groups.
    """
    phones = _list_usable(event).select_related("member__group")
    ordered = phones.order_by("member__group__ordinal", "member__group__name", "member__name", "created_at")
    return sorted(ordered, key=_get_urgency)


def _get_urgency(phone: Device) -> tuple[bool, bool, bool]:
    return phone.lost_at is None, not phone.has_pending, phone.reported_at is not None


def _list_usable(event: Event) -> QuerySet[Device]:
    is_usable = Q(revoked_at=None, expires_at__gt=timezone.now())
    return Device.objects.filter(is_usable | LOST, member__group__event=event).order_by()
