"""Delivering messages: asking a worker, one attempt at a time, and what follows from its result.

Invariants:
- What is due is in the database. A Celery message only hints at it: the sweeper asks again for whatever was lost.
- Two workers never try the same message at once: an attempt claims it. A claim ends after `CLAIM_LIFETIME`, so a worker
  that died does not keep it.
- A message may arrive twice, if a worker dies before it can store the result. Its id is the same then.
- Nothing is sent inside a transaction.
"""

from __future__ import annotations

import datetime as dt
import random
import time
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from scorekeeper.common.dispatch import after_commit
from scorekeeper.events.models import Contest
from scorekeeper.webhooks.message_kinds import MessageKind
from scorekeeper.webhooks.models import DeliveryAttempt, Webhook, WebhookDelivery
from scorekeeper.webhooks.receiver_connection import AttemptResult, send_message
from scorekeeper.webhooks.signing import make_signature_headers

# Pauses before the next attempt, each somewhat longer or shorter, so that receivers get no bursts.
RETRY_DELAYS = (
    dt.timedelta(seconds=5),
    dt.timedelta(minutes=5),
    dt.timedelta(minutes=30),
    dt.timedelta(hours=2),
    dt.timedelta(hours=5),
    dt.timedelta(hours=10),
    dt.timedelta(hours=10),
)
JITTER = 0.2
# A webhook that has failed for longer is paused, also if newer messages took the place of those that failed.
MAX_FAILING = sum(RETRY_DELAYS, dt.timedelta())
CLAIM_LIFETIME = dt.timedelta(seconds=60)  # much longer than an attempt may take
ASK_INTERVAL = dt.timedelta(seconds=60)  # before a worker is asked again for the same attempt
MAX_ASKED = 200  # deliveries at a time
GONE = 410
USER_AGENT = "Tailgunner-Webhooks/1"

State = WebhookDelivery.State
log = structlog.get_logger("tailgunner.webhooks")


def add_delivery(
    webhook: Webhook, contest: Contest | None, kind: MessageKind, due: dt.datetime, body: str
) -> WebhookDelivery:
    """Store a message, in the transaction of the caller, and ask for its delivery if it is due."""
    now = timezone.now()
    delivery = WebhookDelivery.objects.create(
        webhook=webhook, contest=contest, kind=kind, body=body, created_at=now, next_attempt_at=due
    )
    if due <= now:
        ask_worker(delivery.pk, now)
    return delivery


def ask_for_due_deliveries() -> None:
    """Ask workers for everything that is due and that they were not asked for lately. The sweeper runs it."""
    now = timezone.now()
    due = _list_claimable(now).filter(Q(asked_at=None) | Q(asked_at__lt=now - ASK_INTERVAL))
    for delivery_id in due.order_by("next_attempt_at").values_list("pk", flat=True)[:MAX_ASKED]:
        with transaction.atomic():
            ask_worker(delivery_id, now)


def ask_worker(delivery_id: UUID, now: dt.datetime) -> None:
    """Ask a worker for an attempt, after the commit."""
    WebhookDelivery.objects.filter(pk=delivery_id).update(asked_at=now)
    after_commit("webhooks.deliver", delivery_id=str(delivery_id))


def _list_claimable(now: dt.datetime) -> QuerySet[WebhookDelivery]:
    """Return what is due and what no worker is trying. A test is sent even while the webhook is paused."""
    return WebhookDelivery.objects.filter(
        # No join: PostgreSQL has to check the row's own columns again when another worker was faster.
        Q(webhook__in=Webhook.objects.filter(paused="")) | Q(kind=MessageKind.PING),
        Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIM_LIFETIME),
        state=State.PENDING,
        next_attempt_at__lte=now,
    )


def deliver(delivery_id: UUID) -> AttemptResult | None:
    """Try to deliver a message, once. Returns None if it is not due any more, or another worker tries it."""
    now = timezone.now()
    if not _list_claimable(now).filter(pk=delivery_id).update(claimed_at=now):
        return None
    delivery = WebhookDelivery.objects.select_related("webhook").filter(pk=delivery_id).first()
    if delivery is None:
        return None
    # Receivers compare it with their own clock.
    timestamp, body = int(time.time()), delivery.body.encode()
    secrets = delivery.webhook.list_secrets(now)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Connection": "close",
        **make_signature_headers(secrets, delivery.message_id, timestamp, body),
    }
    result = send_message(delivery.webhook.url, headers, body)
    _record_attempt(delivery, now, result)
    return result


@transaction.atomic
def _record_attempt(sent: WebhookDelivery, at: dt.datetime, result: AttemptResult) -> None:
    """Store what came of an attempt, and decide whether there is another one."""
    # In the order in which announcing locks them; both are gone if the webhook was deleted meanwhile.
    webhook = Webhook.objects.select_for_update().filter(pk=sent.webhook_id).first()
    delivery = WebhookDelivery.objects.select_for_update().filter(pk=sent.pk).first()
    if webhook is None or delivery is None:
        return
    DeliveryAttempt.objects.create(
        delivery=delivery,
        at=at,
        status_code=result.status_code,
        problem=result.problem or "",
        duration=round(result.seconds * 1000),
    )
    delivery.tries += 1
    delivery.claimed_at = delivery.asked_at = None
    if result.problem is None:
        delivery.state, delivery.next_attempt_at = State.DELIVERED, None
    elif delivery.state == State.PENDING:
        _plan_next_attempt(delivery, timezone.now())
    delivery.save()
    if delivery.kind != MessageKind.PING:
        _judge_webhook(webhook, delivery, at, result)


def _plan_next_attempt(delivery: WebhookDelivery, now: dt.datetime) -> None:
    # Someone waits for the result of a test, so there is one attempt only.
    if delivery.kind == MessageKind.PING or delivery.tries > len(RETRY_DELAYS):
        delivery.state, delivery.next_attempt_at = State.FAILED, None
        return
    delay = RETRY_DELAYS[delivery.tries - 1]
    delivery.next_attempt_at = now + delay * random.uniform(1 - JITTER, 1 + JITTER)


def _judge_webhook(webhook: Webhook, delivery: WebhookDelivery, at: dt.datetime, result: AttemptResult) -> None:
    """Store since when the webhook fails, and pause it if that is too long, or if the receiver asks for it."""
    if result.problem is None:
        webhook.failing_since = None
    else:
        webhook.failing_since = webhook.failing_since or at
        if result.status_code == GONE:
            _pause(webhook, Webhook.Pause.GONE)
        elif delivery.state == State.FAILED or at - webhook.failing_since >= MAX_FAILING:
            _pause(webhook, Webhook.Pause.FAILING)
    webhook.save(update_fields=["failing_since", "paused"])


def _pause(webhook: Webhook, reason: Webhook.Pause) -> None:
    if not webhook.paused:
        webhook.paused = reason
        log.warning("webhook_paused", webhook=str(webhook.pk), reason=reason.value)
