"""The webhooks of an event, and their messages."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import Case, Max, Q, QuerySet, When
from django.db.models.functions import Coalesce, Greatest

from scorekeeper.events.models import Event
from scorekeeper.webhooks.models import MessageKind, Webhook, WebhookDelivery

DELIVERIES_PER_PAGE = 25
IS_BROKEN = Q(paused__in=[Webhook.Pause.FAILING, Webhook.Pause.GONE])


def list_webhooks(event: Event) -> QuerySet[Webhook]:
    """Return the webhooks of an event in the order in which they were added, with the time of the last delivery."""
    delivered = Q(deliveries__state=WebhookDelivery.State.DELIVERED)
    return (
        Webhook.objects.filter(event=event)
        .defer("secret", "previous_secret")
        .annotate(last_delivered=Max("deliveries__attempts__at", filter=delivered))
        .order_by("created_at", "pk")
    )


def find_webhook(event: Event, webhook_id: UUID) -> Webhook | None:
    """Return a webhook of the event, if it has it."""
    return Webhook.objects.select_related("event").filter(event=event, pk=webhook_id).first()


def count_broken_webhooks(event: Event) -> int:
    """Return how many webhooks were paused because their messages could not be delivered."""
    return Webhook.objects.filter(IS_BROKEN, event=event).count()


def find_delivery(webhook: Webhook, delivery_id: UUID) -> WebhookDelivery | None:
    """Return a message to the webhook, if it was to it."""
    return WebhookDelivery.objects.filter(webhook=webhook, pk=delivery_id).first()


def paginate_deliveries(webhook: Webhook, number: str | int) -> Page[Any]:
    """Return one page of the messages with their attempts and `due_at`, when each is tried next, the newest first.

    Args:
        number: of the page, as given in a URL: anything but a number means the first page, a number too high the last.
    """
    deliveries = WebhookDelivery.objects.filter(webhook=webhook).select_related("contest").prefetch_related("attempts")
    # A test is not held up by a webhook that fails.
    held_until = Case(When(kind=MessageKind.PING, then=None), default="webhook__next_attempt_at")
    deliveries = deliveries.annotate(due_at=Greatest("next_attempt_at", Coalesce(held_until, "next_attempt_at")))
    return Paginator(deliveries.order_by("-created_at", "pk"), DELIVERIES_PER_PAGE).get_page(number)
