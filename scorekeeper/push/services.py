"""Following and no longer following, and finding what is new about what is followed.

The sweeper runs `notice_news`; its invariants are those of webhooks (decision 44):
- What was last seen of a topic is compared with what the audience sees now. Nothing is added to recording or to
  refreshing standings, and a process that dies loses nothing.
- While an event is frozen or hidden, nothing is told. What changed meanwhile is remembered when that is over, and not
  told one by one. A freeze that began and ended between two looks counts too: the freeze has a version.
- A news item says only that there is something. What a message says is read again when it is sent.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q
from django.utils import timezone

from scorekeeper.audience.versions import list_change_marks
from scorekeeper.bikes.models import Bike
from scorekeeper.common.database_unavailable import is_database_unavailable
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.ledger.canonical import sha256
from scorekeeper.players.models import Player
from scorekeeper.push.figures import OFFICIAL, SeenFigures, are_figures_visible, read_figures
from scorekeeper.push.models import PushNews, PushSubscription, PushTopic
from scorekeeper.push.selectors import IS_FOLLOWED, digest_endpoint, list_followed_topics

if TYPE_CHECKING:  # the sweeper needs no library that encrypts
    from scorekeeper.push.endpoints import PushTarget

MAX_PER_DEVICE, MAX_PER_EVENT = 30, 5_000
KEPT_FOR = dt.timedelta(days=14)  # after the day of the ride
NEWS_KEPT_FOR = dt.timedelta(days=1)
Kind = PushNews.Kind
log = structlog.get_logger("tailgunner.push")


class TooManySubscriptions(Exception):
    """The browser follows as much as it may, or the event has as many followers as it may have."""


@transaction.atomic
def follow(
    event: Event, contest: Contest | None, entrant: Bike | Player | None, target: PushTarget, language: str
) -> PushSubscription:
    """Tell a browser from now on what is new. Repeating it changes nothing but the language.

    Args:
        contest, entrant: None for the official results of all contests of the event.

    Raises:
        TooManySubscriptions: there are enough.
    """
    existing = PushSubscription.objects.filter(endpoint_digest=target.digest)
    topic = _lock_topic(event, contest, entrant)
    is_followed = topic.subscriptions.exists()
    if not existing.filter(topic=topic).exists():
        of_event = PushSubscription.objects.filter(topic__event=event)
        if existing.count() >= MAX_PER_DEVICE or of_event.count() >= MAX_PER_EVENT:
            raise TooManySubscriptions
    if not is_followed:
        _remember(topic)
    last = topic.news.aggregate(last=Max("pk"))["last"] or 0
    keys = {"endpoint": target.endpoint, "receiver": target.receiver, "p256dh": target.p256dh, "auth": target.auth}
    subscription, _is_new = PushSubscription.objects.update_or_create(
        topic=topic,
        endpoint_digest=target.digest,
        defaults={**keys, "language": language},
        create_defaults={**keys, "language": language, "told_until": last},
    )
    return subscription


def _lock_topic(event: Event, contest: Contest | None, entrant: Bike | Player | None) -> PushTopic:
    bike = entrant if isinstance(entrant, Bike) else None
    player = entrant if isinstance(entrant, Player) else None
    while True:  # its last follower may have left at the same moment
        topic, _is_new = PushTopic.objects.get_or_create(event=event, contest=contest, bike=bike, player=player)
        locked = PushTopic.objects.select_for_update().filter(pk=topic.pk).first()
        if locked is not None:
            return locked


@transaction.atomic
def stop_following(endpoint: str, topic_id: UUID | None = None) -> int:
    """Tell a browser nothing more about a topic, or about anything; return how many subscriptions ended."""
    found = PushSubscription.objects.filter(endpoint_digest=digest_endpoint(endpoint))
    ended, _by_model = (found if topic_id is None else found.filter(topic=topic_id)).delete()
    return ended


@transaction.atomic
def move_subscriptions(endpoint: str, target: PushTarget) -> None:
    """Tell a browser whose push service has given it another endpoint what it was told at the one before."""
    found = PushSubscription.objects.filter(endpoint_digest=digest_endpoint(endpoint))
    if target.endpoint == endpoint:
        found.update(p256dh=target.p256dh, auth=target.auth)
        return
    both = Exists(PushSubscription.objects.filter(endpoint_digest=target.digest, topic=OuterRef("topic")))
    found.filter(both).delete()
    found.update(
        endpoint=target.endpoint,
        endpoint_digest=target.digest,
        receiver=target.receiver,
        p256dh=target.p256dh,
        auth=target.auth,
        tries=0,
        next_attempt_at=None,
    )


def delete_what_is_over() -> None:
    """Delete old news, every subscription some days after its event, and what nobody follows. The sweeper runs it."""
    now = timezone.now()
    PushNews.objects.filter(created_at__lt=now - NEWS_KEPT_FOR).delete()
    is_over = Q(topic__event__date__lt=now.date() - KEPT_FOR, created_at__lt=now - KEPT_FOR)
    PushSubscription.objects.filter(is_over).delete()
    with transaction.atomic():
        # Locked first, so that nobody begins to follow it meanwhile (`follow`).
        unfollowed = PushTopic.objects.select_for_update().exclude(IS_FOLLOWED)
        for topic in list(unfollowed):
            if not topic.subscriptions.exists():
                topic.delete()


def notice_news() -> None:
    """Write down what is new about every topic that is followed. The sweeper runs it.

    A topic that cannot be read is logged and left for the next time. It does not block the others.

    Raises:
        OperationalError, InterfaceError: the database is unavailable.
    """
    for topic, mark in _list_changed_topics():
        try:
            _notice(topic, mark)
        except Exception as error:
            if is_database_unavailable(error):
                raise
            log.exception("push_topic_not_read", topic=str(topic.pk))


def _list_changed_topics() -> Iterator[tuple[PushTopic, str]]:
    """Yield the topics whose contests have another mark than when they were last compared, with that mark."""
    marks: dict[UUID, Mapping[UUID, str]] = {}
    for topic in list(list_followed_topics()):
        if topic.event_id not in marks:
            marks[topic.event_id] = list_change_marks([topic.event_id])
        mark = _get_mark(topic, marks[topic.event_id])
        if mark != topic.mark:
            yield topic, mark


def _get_mark(topic: PushTopic, marks: Mapping[UUID, str]) -> str:
    return marks.get(topic.contest_id, "") if topic.contest_id else sha256(repr(sorted(marks.items())))


def _notice(topic: PushTopic, mark: str) -> None:
    freeze_version = _get_freeze_version(topic)
    state: dict[str, Any] = {"mark": mark, "is_quiet": True}
    news: list[tuple[str, str]] = []
    figures = read_figures(topic) if are_figures_visible(topic.event) else None
    if figures is not None:
        is_quiet = topic.is_quiet or topic.freeze_version != freeze_version
        news = [(kind, key) for kind, key in _compare(topic.seen, figures) if not is_quiet or kind == Kind.OFFICIAL]
        state |= {"is_quiet": False, "freeze_version": freeze_version, "seen": figures.to_data()}
    with transaction.atomic():
        # If another process was faster, it has written the same news.
        if PushTopic.objects.filter(pk=topic.pk, mark=topic.mark).update(**state):
            now = timezone.now()
            PushNews.objects.bulk_create([PushNews(topic=topic, kind=k, key=key, created_at=now) for k, key in news])


def _remember(topic: PushTopic) -> None:
    """Store what the audience sees now of a topic that nobody has followed until now."""
    topic = PushTopic.objects.select_related("event", "contest", "bike", "player").get(pk=topic.pk)
    state: dict[str, Any] = {"mark": _get_mark(topic, list_change_marks([topic.event_id])), "is_quiet": True}
    figures = read_figures(topic) if are_figures_visible(topic.event) else None
    if figures is not None:
        state |= {"is_quiet": False, "freeze_version": _get_freeze_version(topic), "seen": figures.to_data()}
    PushTopic.objects.filter(pk=topic.pk).update(**state)


def _get_freeze_version(topic: PushTopic) -> int:
    return Freeze.objects.filter(pk=topic.event_id).values_list("version", flat=True).first() or 0


def _compare(seen: Mapping[str, Any], figures: SeenFigures) -> Iterator[tuple[str, str]]:
    """Yield the kind and key of what is new."""
    for key, turn in figures.turns.items():
        if key not in seen:
            yield Kind.RECORDED, key
        elif seen[key] != turn.value:
            yield Kind.CORRECTED, key
    for contest_id, number in figures.official.items():
        if number > seen.get(OFFICIAL, {}).get(contest_id, 0):
            yield Kind.OFFICIAL, contest_id
