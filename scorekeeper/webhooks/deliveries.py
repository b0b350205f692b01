"""Delivering messages: asking a worker, one attempt at a time, and what follows from its result.

Invariants:
- What is due is in the database. A Celery message only hints at it: the sweeper asks again for whatever was lost.
- At most one attempt is made at a time for each receiver (`Webhook.claimed_at`). A worker that finds it busy leaves the
  message, and whoever ends that attempt asks for the next one. So a receiver that hangs holds one thread and no more.
- An attempt counts before it begins, as if it had failed: a worker that is killed while a receiver hangs leaves the
  webhook backed off. Its attempt is ended within seconds (`common.task_runs`), at the latest after `CLAIM_LIFETIME`.
- While a webhook fails, nothing is tried before `Webhook.next_attempt_at`, however many messages are due.
- A message may arrive twice, if a worker dies before it can store the result. Its id is the same then.
- Nothing is sent inside a transaction.

Messages are signed as Standard Webhooks 1.0 says (standardwebhooks.com). A secret is `whsec_` and the key in Base64.
The signature is the HMAC-SHA256 of id, time and body, joined by full stops.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from contextlib import suppress
from uuid import UUID

import structlog
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from scorekeeper.common.dispatch import after_commit
from scorekeeper.events.models import Contest
from scorekeeper.webhooks.models import DeliveryAttempt, MessageKind, Webhook, WebhookDelivery
from scorekeeper.webhooks.receiver_connection import AttemptResult, draw_delay, send_message

GONE = 410
# Pauses before the next attempt.
RETRY_DELAYS = (
    dt.timedelta(seconds=10),
    dt.timedelta(seconds=30),
    dt.timedelta(minutes=1),
    dt.timedelta(minutes=5),
    dt.timedelta(minutes=15),
    dt.timedelta(minutes=30),
    dt.timedelta(hours=1),
    dt.timedelta(hours=2),
    dt.timedelta(hours=4),
    dt.timedelta(hours=8),
    dt.timedelta(hours=10),
)
# A webhook that has failed for longer is paused, also if newer messages took the place of those that failed.
MAX_FAILING = dt.timedelta(days=1)
CLAIM_LIFETIME = dt.timedelta(seconds=60)  # much longer than an attempt may take
ASK_INTERVAL = dt.timedelta(seconds=60)  # before a worker is asked again for the same receiver
MAX_ASKED = 200  # receivers at a time
USER_AGENT = "Tailgunner-Webhooks/1"
State, Problem = WebhookDelivery.State, DeliveryAttempt.Problem
log = structlog.get_logger("tailgunner.webhooks")
LIFETIME = dt.timedelta(days=30)
SECRET_PREFIX = "whsec_"  # noqa: S105 - tells people, and programs that look for leaked secrets, what it is
KEY_BYTES = 32


def add_delivery(
    webhook: Webhook, contest: Contest | None, kind: MessageKind, due: dt.datetime, body: str, tries: int = 0
) -> WebhookDelivery:
    """Store a message, in the transaction of the caller, and ask for its delivery if it is due.

    Args:
        tries: failed attempts of the message whose place it takes.
    """
    now = timezone.now()
    delivery = WebhookDelivery.objects.create(
        webhook=webhook, contest=contest, kind=kind, body=body, created_at=now, next_attempt_at=due, tries=tries
    )
    if due <= now:
        ask_worker(delivery.pk, now)
    return delivery


def ask_for_due_deliveries() -> None:
    """Ask workers for one message to each receiver to which something is due. The sweeper runs it."""
    now = timezone.now()
    _end_abandoned_attempts(now)
    first: dict[str, UUID] = {}
    asked = set()
    due = _list_due(now).order_by("next_attempt_at").values_list("webhook__receiver", "pk", "asked_at")
    for receiver, delivery_id, asked_at in due:
        first.setdefault(receiver, delivery_id)
        if asked_at is not None and asked_at >= now - ASK_INTERVAL:
            asked.add(receiver)
    unasked = [delivery_id for receiver, delivery_id in first.items() if receiver not in asked]
    for delivery_id in unasked[:MAX_ASKED]:
        with transaction.atomic():
            ask_worker(delivery_id, now)


def ask_worker(delivery_id: UUID, now: dt.datetime) -> None:
    """Ask a worker for an attempt, after the commit."""
    WebhookDelivery.objects.filter(pk=delivery_id).update(asked_at=now)
    after_commit("webhooks.deliver", delivery_id=str(delivery_id))


def deliver(delivery_id: UUID) -> AttemptResult | None:
    """Try to deliver a message, once. Returns None if it is not due any more, or its receiver is busy."""
    attempt = _begin_attempt(delivery_id, timezone.now())
    if attempt is None:
        return None
    delivery = attempt.delivery
    # Receivers compare it with their own clock.
    timestamp, body = int(time.time()), delivery.body.encode()
    secrets = delivery.webhook.list_secrets(attempt.at)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": USER_AGENT,
        "Connection": "close",
        **make_signature_headers(secrets, delivery.message_id, timestamp, body),
    }
    result = send_message(delivery.webhook.url, headers, body)
    _end_attempt(attempt, result)
    return result


def _list_due(now: dt.datetime) -> QuerySet[WebhookDelivery]:
    """Return what may be tried now. A test is sent even while the webhook is paused or backed off."""
    webhooks = Webhook.objects.filter(Q(next_attempt_at=None) | Q(next_attempt_at__lte=now), paused="")
    busy = Webhook.objects.exclude(claimed_at=None).values("receiver")
    return WebhookDelivery.objects.filter(
        Q(webhook__in=webhooks) | Q(kind=MessageKind.PING),
        Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIM_LIFETIME),
        state=State.PENDING,
        next_attempt_at__lte=now,
    ).exclude(webhook__receiver__in=busy)


def _begin_attempt(delivery_id: UUID, now: dt.datetime) -> DeliveryAttempt | None:
    """Claim the receiver and count the attempt as failed, until its result is known. Returns None if there is none."""
    attempt = None
    # The constraint decides between two workers that claim webhooks of one receiver at the same moment.
    with suppress(IntegrityError), transaction.atomic():
        attempt = _claim(delivery_id, now)
    if attempt is None:
        WebhookDelivery.objects.filter(pk=delivery_id).update(asked_at=None)
    return attempt


def _claim(delivery_id: UUID, now: dt.datetime) -> DeliveryAttempt | None:
    # In the order in which announcing locks them.
    own = WebhookDelivery.objects.filter(pk=delivery_id)
    webhook = Webhook.objects.select_for_update().filter(pk__in=own.values("webhook")).first()
    delivery = _list_due(now).filter(pk=delivery_id).first()
    if webhook is None or delivery is None:
        return None
    webhook.claimed_at = delivery.claimed_at = now
    if delivery.kind != MessageKind.PING:
        webhook.failures += 1
        webhook.next_attempt_at = now + draw_delay(RETRY_DELAYS, webhook.failures)
    delivery.tries += 1
    delivery.next_attempt_at = now + draw_delay(RETRY_DELAYS, delivery.tries)
    webhook.save(update_fields=["claimed_at", "failures", "next_attempt_at"])
    delivery.save(update_fields=["claimed_at", "tries", "next_attempt_at"])
    delivery.webhook = webhook
    return DeliveryAttempt.objects.create(delivery=delivery, at=now, problem=Problem.SENDING, duration=0)


@transaction.atomic
def _end_attempt(attempt: DeliveryAttempt, result: AttemptResult) -> None:
    """Store what came of an attempt, release its receiver, and decide when there is another attempt."""
    # In the order in which announcing locks them; both are gone if the webhook was deleted meanwhile.
    webhook = Webhook.objects.select_for_update().filter(pk=attempt.delivery.webhook_id).first()
    if webhook is None:
        return
    is_own = webhook.claimed_at == attempt.at
    if not is_own and result.problem == Problem.ABANDONED:
        return  # it has ended meanwhile
    if is_own:
        webhook.claimed_at = None
    delivery = WebhookDelivery.objects.select_for_update().filter(pk=attempt.delivery_id).first()
    if delivery is not None:
        attempt.status_code, attempt.problem = result.status_code, result.problem or ""
        attempt.duration = round(result.seconds * 1000)
        attempt.save(update_fields=["status_code", "problem", "duration"])
        if is_own:
            delivery.claimed_at = delivery.asked_at = None
        if result.problem is None:
            delivery.state, delivery.next_attempt_at = State.DELIVERED, None
        elif delivery.state == State.PENDING:
            _plan_next_attempt(delivery, timezone.now())
        delivery.save()
        if delivery.kind != MessageKind.PING:
            _judge_webhook(webhook, delivery, attempt.at, result)
    webhook.save(update_fields=["claimed_at", "failures", "next_attempt_at", "failing_since", "paused"])
    _ask_for_next(webhook.receiver)


def end_abandoned_attempt(delivery_id: str) -> None:
    """End the attempt of a worker that has died, as a failure, so that its receiver is free for what waits."""
    delivery = WebhookDelivery.objects.exclude(claimed_at=None).filter(pk=delivery_id).first()
    if delivery is not None:
        _end_abandoned(Webhook.objects.filter(pk=delivery.webhook_id, claimed_at=delivery.claimed_at))


def _end_abandoned_attempts(now: dt.datetime) -> None:
    """End the attempts that have not ended for long, as failures."""
    _end_abandoned(Webhook.objects.filter(claimed_at__lt=now - CLAIM_LIFETIME))


def _end_abandoned(abandoned: QuerySet[Webhook]) -> None:
    for webhook_id, began in abandoned.values_list("pk", "claimed_at"):
        assert began is not None, "filtered"
        attempts = DeliveryAttempt.objects.select_related("delivery")
        attempt = attempts.filter(delivery__webhook=webhook_id, at=began).first()
        if attempt is not None:
            log.warning("webhook_attempt_abandoned", webhook=str(webhook_id))
            _end_attempt(attempt, AttemptResult(None, Problem.ABANDONED, 0))
        # Its message may have been deleted because of its age.
        Webhook.objects.filter(pk=webhook_id, claimed_at=began).update(claimed_at=None)


def _ask_for_next(receiver: str) -> None:
    """Ask for what waited while the receiver was busy."""
    now = timezone.now()
    due = _list_due(now).filter(webhook__receiver=receiver).order_by("next_attempt_at")
    delivery_id = due.values_list("pk", flat=True).first()
    if delivery_id is not None:
        ask_worker(delivery_id, now)


def _plan_next_attempt(delivery: WebhookDelivery, now: dt.datetime) -> None:
    # Someone waits for the result of a test, so there is one attempt only.
    if delivery.kind == MessageKind.PING or delivery.tries > len(RETRY_DELAYS):
        delivery.state, delivery.next_attempt_at = State.FAILED, None
        return
    delivery.next_attempt_at = now + draw_delay(RETRY_DELAYS, delivery.tries)


def _judge_webhook(webhook: Webhook, delivery: WebhookDelivery, at: dt.datetime, result: AttemptResult) -> None:
    """Note on the webhook since when it fails and when it is tried again; pause it if it fails for too long."""
    if result.problem is None:
        webhook.failing_since = webhook.next_attempt_at = None
        webhook.failures = 0
        return
    webhook.failing_since = webhook.failing_since or at
    webhook.next_attempt_at = timezone.now() + draw_delay(RETRY_DELAYS, webhook.failures)
    if result.status_code == GONE:
        _pause(webhook, Webhook.Pause.GONE)
    elif delivery.state == State.FAILED or at - webhook.failing_since >= MAX_FAILING:
        _pause(webhook, Webhook.Pause.FAILING)


def _pause(webhook: Webhook, reason: Webhook.Pause) -> None:
    if not webhook.paused:
        webhook.paused = reason
        log.warning("webhook_paused", webhook=str(webhook.pk), reason=reason.value)


def delete_old_deliveries() -> None:
    """Delete the messages that are older than `LIFETIME`. The sweeper runs it."""
    WebhookDelivery.objects.filter(created_at__lt=timezone.now() - LIFETIME).delete()


def make_secret() -> str:
    """Return a new secret."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the signature of a message, such as `v1,K5oZf…`.

    Args:
        timestamp: of the attempt, in seconds since 1970.
    """
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def make_signature_headers(
    secrets_in_use: Iterable[str], message_id: str, timestamp: int, body: bytes
) -> dict[str, str]:
    """Return the headers that identify and sign a message. While a secret is being replaced, both sign."""
    signatures = (sign(secret, message_id, timestamp, body) for secret in secrets_in_use)
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }
