"""The pending entries of the crew's phones, as the phones last reported them.

Terms:
- A phone has *pending* entries if it has not sent some yet, or if some were sent but not accepted.
- A phone is *not reported* until it sends its first report. A phone that only opens pages never reports and never has
  pending entries, so it does not block anything.

Phones that were revoked, signed out or have expired are omitted. Their entries can be sent once they get a new link.
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


@dataclass(frozen=True, slots=True)
class PhoneCount:
    """How many phones of an event have sent everything.

    Attributes:
        total: phones that can be used.
        with_pending: those that have pending entries.
        not_reported: those that have never reported.
        unsent: entries of all phones that have not been sent yet.
        attention: entries of all phones that were not accepted.
    """

    total: int
    with_pending: int
    not_reported: int
    unsent: int
    attention: int

    @property
    def synced(self) -> int:
        """How many have reported that they have no pending entries."""
        return self.total - self.with_pending - self.not_reported

    @property
    def all_synced(self) -> bool:
        """Whether all phones have reported so."""
        return self.synced == self.total


def count_phones(event: Event) -> PhoneCount:
    """Return how many phones have sent everything; one query."""
    counts = _list_usable(event).aggregate(
        total=Count("pk"),
        with_pending=Count("pk", filter=HAS_PENDING),
        not_reported=Count("pk", filter=NOT_REPORTED),
        unsent=Coalesce(Sum("unsent"), 0),
        attention=Coalesce(Sum("attention"), 0),
    )
    return PhoneCount(**counts)


def list_phones(event: Event) -> Sequence[Device]:
    """Return the phones with their members and groups: those with pending entries first, then those not reported.

    Within each of these they are in the order of their groups.
    """
    phones = _list_usable(event).select_related("member__group")
    ordered = phones.order_by("member__group__ordinal", "member__group__name", "member__name", "created_at")
    return sorted(ordered, key=lambda phone: (not phone.has_pending, phone.reported_at is not None))


def _list_usable(event: Event) -> QuerySet[Device]:
    usable = Device.objects.filter(member__group__event=event, revoked_at=None, expires_at__gt=timezone.now())
    return usable.order_by()
