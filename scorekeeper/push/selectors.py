"""What browsers follow, and what is due to be sent to them."""

from __future__ import annotations

import datetime as dt
import hashlib

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from scorekeeper.push.models import PushNews, PushSubscription, PushTopic
from scorekeeper.webhooks.models import DeliveryAttempt

CLAIM_LIFETIME = dt.timedelta(seconds=60)  # much longer than an attempt may take
# How long a message is worth sending; a phone that was without signal for longer is not told any more.
TURN_LIFETIME, RESULT_LIFETIME = dt.timedelta(minutes=10), dt.timedelta(hours=2)
RECENT = dt.timedelta(minutes=15)
IS_FOLLOWED = Exists(PushSubscription.objects.filter(topic=OuterRef("pk")))
NOT_REACHED = (DeliveryAttempt.Problem.HOST, DeliveryAttempt.Problem.CONNECTION, DeliveryAttempt.Problem.TIMEOUT)


def digest_endpoint(endpoint: str) -> str:
    """Return the digest by which the subscriptions of an endpoint are found."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def list_followed(endpoint: str) -> list[PushSubscription]:
    """Return what a browser follows, with topics, contests and events, in the order in which it began."""
    found = PushSubscription.objects.filter(endpoint_digest=digest_endpoint(endpoint))
    return list(found.select_related("topic__event", "topic__contest", "topic__bike", "topic__player"))


def list_followed_topics() -> QuerySet[PushTopic]:
    """Return the topics that anybody follows, with what their figures are read from."""
    return PushTopic.objects.filter(IS_FOLLOWED).select_related("event", "contest", "bike", "player").order_by("event")


def list_fresh_news(now: dt.datetime) -> QuerySet[PushNews]:
    """Return the news items that are still worth a message."""
    results = Q(kind=PushNews.Kind.OFFICIAL, created_at__gt=now - RESULT_LIFETIME)
    return PushNews.objects.filter(results | Q(created_at__gt=now - TURN_LIFETIME))


def list_due(now: dt.datetime) -> QuerySet[PushSubscription]:
    """Return the subscriptions to which something may be sent now."""
    news = list_fresh_news(now).filter(topic=OuterRef("topic"), pk__gt=OuterRef("told_until"))
    return PushSubscription.objects.filter(
        Exists(news),
        Q(next_attempt_at=None) | Q(next_attempt_at__lte=now),
        Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIM_LIFETIME),
    ).order_by(F("next_attempt_at").asc(nulls_first=True), "pk")


def list_working_receivers() -> set[str]:
    """Return the push services that took the last message to some browser."""
    took = PushSubscription.objects.exclude(tried_at=None).filter(problem="", tries=0)
    return set(took.order_by().values_list("receiver", flat=True).distinct())


def seems_offline(now: dt.datetime) -> bool:
    """Return whether the server has lately reached no push service at all, as without a connection to the internet."""
    recent = PushSubscription.objects.filter(tried_at__gt=now - RECENT)
    problems = set(recent.values_list("problem", flat=True))
    return bool(problems) and problems.issubset(NOT_REACHED)
