"""What the crew's phones hold that is nowhere else, as far as they have said.

Terms: a phone *holds* notes while it has some to send, or some that were sent and not taken in. It is *unknown* until
it has said what it holds: one that only opens pages never says so and has nothing to hold, so it stops nobody. Phones
that were revoked, signed out or have expired are left out; what they held can be sent once they get a new link.
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
        holding: those that hold notes.
        unknown: those that have never said what they hold.
        unsent: notes that are yet to be sent, of all phones together.
        attention: notes that were not taken in, of all phones together.
    """

    total: int
    with_pending: int
    not_reported: int
    unsent: int
    attention: int

    @property
    def synced(self) -> int:
        """How many have said that they hold nothing."""
        return self.total - self.with_pending - self.not_reported

    @property
    def all_synced(self) -> bool:
        """Whether each has said so."""
        return self.synced == self.total


def count_phones(event: Event) -> PhoneCount:
    """Return how many phones have sent everything; one statement."""
    counted = _list_usable(event).aggregate(
        total=Count("pk"),
        with_pending=Count("pk", filter=HAS_PENDING),
        not_reported=Count("pk", filter=NOT_REPORTED),
        unsent=Coalesce(Sum("unsent"), 0),
        attention=Coalesce(Sum("attention"), 0),
    )
    return PhoneCount(**counted)


def list_phones(event: Event) -> Sequence[Device]:
    """Return the phones with their members and groups: those that hold notes, then the unknown, then by group."""
    phones = _list_usable(event).select_related("member__group")
    ordered = phones.order_by("member__group__ordinal", "member__group__name", "member__name", "created_at")
    return sorted(ordered, key=lambda phone: (not phone.has_pending, phone.reported_at is not None))


def _list_usable(event: Event) -> QuerySet[Device]:
    usable = Device.objects.filter(member__group__event=event, revoked_at=None, expires_at__gt=timezone.now())
    return usable.order_by()
