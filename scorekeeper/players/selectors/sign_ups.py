"""Database reads of sign-ups."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from scorekeeper.events.models import Event
from scorekeeper.players.models import SignUp

MAX_DECIDED = 100  # shown below those that need a decision


def get_sign_up_event(slug: str) -> Event | None:
    """Return an event whose organiser has opened sign-up, also a draft; None if there is none at this address."""
    events = Event.objects.filter(is_sign_up_open=True, is_practice=False, archived_at=None)
    return events.filter(slug=slug).first()


def list_pending_sign_ups(event: Event) -> QuerySet[SignUp]:
    """Return the sign-ups that need a decision, the oldest first."""
    return event.sign_ups.filter(decision="").order_by("created_at", "pk")


def list_decided_sign_ups(event: Event) -> QuerySet[SignUp]:
    """Return the last sign-ups that were decided, the latest first."""
    decided = event.sign_ups.exclude(decision="").select_related("bike")
    return decided.order_by("-decided_at", "pk")[:MAX_DECIDED]


def count_pending_sign_ups(event: Event) -> int:
    """Return how many sign-ups need a decision."""
    return event.sign_ups.filter(decision="").count()


def get_sign_up(event: Event, sign_up_id: UUID) -> SignUp | None:
    """Return a sign-up of the event."""
    return event.sign_ups.filter(pk=sign_up_id).first()
