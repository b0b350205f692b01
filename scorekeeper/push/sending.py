"""Sending messages to push services, one batch at a time, and what follows from each result.

Invariants:
- What a message says is read while it is sent, from what the audience sees then. While an event is frozen or hidden,
  what was due is given up.
- A batch is for one push service. If that cannot be reached, the rest of the batch waits as well, so a service that
  hangs holds a thread for one attempt, and no other service waits for it.
- An attempt counts before it begins, so one that ends its worker counts too.
- A message that a push service does not accept is tried a few times, and then given up. The subscription ends only if
  the service says that it no longer exists.
- Nothing is sent inside a transaction.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

import structlog
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction
from django.utils import timezone

from scorekeeper.common.languages import speaking
from scorekeeper.events.models import Event
from scorekeeper.push.encryption import encrypt
from scorekeeper.push.figures import SeenFigures, are_figures_visible, read_figures
from scorekeeper.push.models import PushNews, PushSubscription, PushTopic
from scorekeeper.push.notifications import write_notification, write_payload
from scorekeeper.push.selectors import (
    NOT_REACHED,
    RESULT_LIFETIME,
    TURN_LIFETIME,
    list_due,
    list_followed_topics,
    list_fresh_news,
)
from scorekeeper.push.vapid import ensure_key, make_authorization
from scorekeeper.webhooks.receiver_connection import AttemptResult, draw_delay, send_message

MAX_SECONDS = 10.0  # after which a batch begins no further attempt; what is left is asked for again
RETRY_DELAYS = (dt.timedelta(seconds=10), dt.timedelta(seconds=30), dt.timedelta(minutes=1), dt.timedelta(minutes=2))
ENDED = (404, 410)  # the subscription no longer exists
USER_AGENT = "Tailgunner-Push/1"
log = structlog.get_logger("tailgunner.push")


def send_batch(subscription_ids: Sequence[UUID]) -> list[AttemptResult]:
    """Send what is due to these subscriptions at one push service, once each; return the results of the attempts."""
    until, batch, results = time.monotonic() + MAX_SECONDS, _Batch(ensure_key()), []
    for position, subscription_id in enumerate(subscription_ids):
        if time.monotonic() >= until:
            break
        result = _send_one(subscription_id, batch)
        if result is None:
            continue
        results.append(result)
        if result.problem in NOT_REACHED:
            for other in subscription_ids[position + 1 :]:
                _postpone(other, result)
            break
    PushSubscription.objects.filter(pk__in=subscription_ids).update(asked_at=None)
    return results


@dataclass
class _Batch:
    """What messages of a batch have in common: the key, and what the audience sees of each topic."""

    key: ec.EllipticCurvePrivateKey
    read_before: dict[UUID, tuple[PushTopic, SeenFigures]] = field(default_factory=dict)

    def read(self, topic_id: UUID) -> tuple[PushTopic, SeenFigures] | None:
        """Return a topic, and what the audience sees of it now; None if it sees nothing new, or the topic is gone."""
        # Asked before each message: the figures of a batch are seconds old, and a freeze may begin in between.
        event = Event.objects.filter(pk__in=PushTopic.objects.filter(pk=topic_id).values("event")).first()
        if event is None or not are_figures_visible(event):
            return None
        if topic_id not in self.read_before:
            topic = list_followed_topics().filter(pk=topic_id).first()
            figures = None if topic is None else read_figures(topic)
            if topic is None or figures is None:
                return None
            self.read_before[topic_id] = topic, figures
        return self.read_before[topic_id]


def _send_one(subscription_id: UUID, batch: _Batch) -> AttemptResult | None:
    """Try once. Returns None if nothing is due, another worker is at it, or nothing is to be told any more."""
    now = timezone.now()
    subscription = _claim(subscription_id, now)
    if subscription is None:
        return None
    news = list(list_fresh_news(now).filter(topic=subscription.topic_id, pk__gt=subscription.told_until).order_by("pk"))
    message = _make_message(subscription, news, batch, now)
    if message is None:
        _end_attempt(subscription, now, news, is_done=True)
        return None
    result = send_message(subscription.endpoint, *message)
    if result.status_code in ENDED:
        PushSubscription.objects.filter(pk=subscription.pk).delete()
    else:
        is_done = result.problem is None or subscription.tries > len(RETRY_DELAYS)
        _end_attempt(subscription, now, news, is_done=is_done, result=result)
    return result


def _claim(subscription_id: UUID, now: dt.datetime) -> PushSubscription | None:
    """Count an attempt as failed, until its result is known, and keep other workers from it."""
    with transaction.atomic():
        row = PushSubscription.objects.select_for_update().filter(pk=subscription_id).first()
        if row is None or not list_due(now).filter(pk=row.pk).exists():
            return None
        row.claimed_at, row.tries = now, row.tries + 1
        row.next_attempt_at = now + draw_delay(RETRY_DELAYS, row.tries)
        row.save(update_fields=["claimed_at", "tries", "next_attempt_at"])
        return row


def _make_message(
    subscription: PushSubscription, news: Sequence[PushNews], batch: _Batch, now: dt.datetime
) -> tuple[dict[str, str], bytes] | None:
    """Return the headers and the body of a message; None if there is nothing to be told."""
    seen = batch.read(subscription.topic_id)
    if seen is None:
        return None
    topic, figures = seen
    with speaking(subscription.language):
        notification = write_notification(topic, news, figures)
    if notification is None:
        return None
    lifetimes = {item.created_at + _get_lifetime(item) - now for item in news}
    headers = {
        "Authorization": make_authorization(batch.key, subscription.endpoint),
        "Connection": "close",
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        # A phone without signal gets the last message about a topic only, and none that is too old.
        "Topic": topic.pk.hex,
        "TTL": str(max(1, int(max(lifetimes).total_seconds()))),
        "Urgency": "normal",
        "User-Agent": USER_AGENT,
    }
    return headers, encrypt(write_payload(notification), subscription.p256dh, subscription.auth)


def _get_lifetime(item: PushNews) -> dt.timedelta:
    return RESULT_LIFETIME if item.kind == PushNews.Kind.OFFICIAL else TURN_LIFETIME


def _end_attempt(
    subscription: PushSubscription,
    began: dt.datetime,
    news: Sequence[PushNews],
    *,
    is_done: bool,
    result: AttemptResult | None = None,
) -> None:
    """Store what came of an attempt. If it is done, the news need no message any more, delivered or not."""
    values: dict[str, object] = {"claimed_at": None}
    if is_done:
        values |= {
            "told_until": max((item.pk for item in news), default=subscription.told_until),
            "tries": 0,
            "next_attempt_at": None,
        }
    if result is not None:
        values |= {"tried_at": timezone.now(), "problem": result.problem or ""}
        if is_done and result.problem is not None:
            log.warning("push_given_up", receiver=subscription.receiver, problem=result.problem.value)
    PushSubscription.objects.filter(pk=subscription.pk, claimed_at=began).update(**values)


def _postpone(subscription_id: UUID, result: AttemptResult) -> None:
    """Try a subscription later whose push service could not be reached for another one."""
    now = timezone.now()
    tries = list_due(now).filter(pk=subscription_id).values_list("tries", flat=True).first()
    if tries is not None:
        later = now + draw_delay(RETRY_DELAYS, tries + 1)
        PushSubscription.objects.filter(pk=subscription_id, claimed_at=None).update(
            tries=tries + 1, next_attempt_at=later, tried_at=now, problem=result.problem or ""
        )
