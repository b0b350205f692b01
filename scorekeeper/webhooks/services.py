"""Setting up webhooks, and writing the messages that say what has changed for the public.

A secret leaves this module only when it was made. The sweeper runs `announce_changes`; its invariants:
- A change cannot be lost: what a webhook was last told is compared with what the public sees, whatever happened in
  between. The row that says what it was told, and the message, are written in one transaction.
- It needs the database and nothing else. It is safe to repeat, and to run in two processes at once.
- While the standings are frozen nothing is announced but what the reveal announces; a result that was published in the
  meantime is announced when the freeze is lifted. A paused webhook hears of everything at once when it is resumed.
- For each webhook and contest, a message about the standings is sent at most every `MIN_INTERVAL`. While the receiver
  fails, a newer message takes the place of the one that could not be delivered, with its failed attempts: it is tried
  when the older one would have been.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from scorekeeper.audience.versions import PublicState, get_public_state, list_change_marks
from scorekeeper.common.database_unavailable import is_database_unavailable
from scorekeeper.events.models import Contest, Event
from scorekeeper.webhooks.deliveries import add_delivery, ask_worker, make_secret
from scorekeeper.webhooks.messages import make_contest_body, make_ping_body
from scorekeeper.webhooks.models import AnnouncedState, MessageKind, Webhook, WebhookDelivery
from scorekeeper.webhooks.receiver_url import parse_receiver_url

MAX_WEBHOOKS = 5  # of one event
OLD_SECRET_LIFETIME = dt.timedelta(days=1)
State = WebhookDelivery.State
MIN_INTERVAL = dt.timedelta(seconds=10)
log = structlog.get_logger("tailgunner.webhooks")


class TooManyWebhooks(Exception):
    """The event has as many webhooks as it may have."""


class PingPending(Exception):
    """A test is on its way."""


class NewerPending(Exception):
    """A newer message about the same standings is on its way."""


@transaction.atomic
def add_webhook(event: Event, url: str, kinds: Sequence[str]) -> tuple[Webhook, str]:
    """Return a new webhook, and its secret. It is told what changes from now on.

    Raises:
        TooManyWebhooks: there are enough.
        UnusableUrl: messages cannot be sent to the address.
    """
    Event.objects.select_for_update().get(pk=event.pk)
    if Webhook.objects.filter(event=event).count() >= MAX_WEBHOOKS:
        raise TooManyWebhooks
    secret = make_secret()
    receiver = parse_receiver_url(url).receiver
    webhook = Webhook.objects.create(event=event, url=url, receiver=receiver, kinds=list(kinds), secret=secret)
    remember_current_states(webhook)
    return webhook, secret


def pause_webhook(webhook: Webhook) -> None:
    """Send nothing until the webhook is resumed. Repeating it changes nothing."""
    Webhook.objects.filter(pk=webhook.pk, paused="").update(paused=Webhook.Pause.ORGANISER)


@transaction.atomic
def resume_webhook(webhook: Webhook) -> None:
    """Send again: what is pending at once, and one message for all that has changed meanwhile."""
    Webhook.objects.filter(pk=webhook.pk).update(paused="", failing_since=None, failures=0, next_attempt_at=None)
    pending = WebhookDelivery.objects.filter(webhook=webhook, state=State.PENDING)
    pending.update(next_attempt_at=timezone.now(), asked_at=None, tries=0)


@transaction.atomic
def rotate_secret(webhook: Webhook) -> str:
    """Return a new secret. The one before signs too for `OLD_SECRET_LIFETIME`, any older one no longer."""
    locked = Webhook.objects.select_for_update().get(pk=webhook.pk)
    locked.previous_secret, locked.secret = locked.secret, make_secret()
    locked.previous_until = timezone.now() + OLD_SECRET_LIFETIME
    locked.save(update_fields=["secret", "previous_secret", "previous_until"])
    return locked.secret


@transaction.atomic
def delete_webhook(webhook: Webhook) -> None:
    """Delete a webhook with its messages. What is on its way may still arrive. Repeating it changes nothing."""
    locked = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
    if locked is not None:
        locked.delete()


@transaction.atomic
def send_test(webhook: Webhook) -> WebhookDelivery:
    """Send a test, also while the webhook is paused.

    Raises:
        PingPending: the last one is still on its way.
    """
    Webhook.objects.select_for_update().get(pk=webhook.pk)
    if WebhookDelivery.objects.filter(webhook=webhook, kind=MessageKind.PING, state=State.PENDING).exists():
        raise PingPending
    now = timezone.now()
    return add_delivery(webhook, None, MessageKind.PING, now, make_ping_body(webhook.event, now))


@transaction.atomic
def send_again(delivery: WebhookDelivery) -> None:
    """Deliver the same message once more, at once, and from the first attempt on.

    Raises:
        NewerPending: there can be only one pending message about the standings of a contest.
    """
    webhook = Webhook.objects.select_for_update().get(pk=delivery.webhook_id)
    locked = WebhookDelivery.objects.select_for_update().get(pk=delivery.pk)
    if locked.kind == MessageKind.STANDINGS_CHANGED:
        same = WebhookDelivery.objects.filter(webhook=webhook, contest=locked.contest_id, kind=locked.kind)
        if same.filter(state=State.PENDING).exclude(pk=locked.pk).exists():
            raise NewerPending
    locked.state, locked.tries, locked.next_attempt_at = State.PENDING, 0, timezone.now()
    locked.save(update_fields=["state", "tries", "next_attempt_at"])
    Webhook.objects.filter(pk=webhook.pk).update(next_attempt_at=None)
    ask_worker(locked.pk, timezone.now())


def announce_changes() -> None:
    """Write the messages about everything that webhooks have not been told yet.

    A contest whose standings cannot be read is logged and left for the next time. It does not block the others.

    Raises:
        OperationalError, InterfaceError: the database is unavailable.
    """
    webhooks = list(Webhook.objects.filter(paused=""))
    if not webhooks:
        return
    for contest_id, (mark, behind) in _find_marks_behind(webhooks).items():
        contest = Contest.objects.select_related("event").filter(pk=contest_id).first()
        if contest is None:
            continue
        try:
            _announce_contest(contest, mark, behind)
        except Exception as error:
            if is_database_unavailable(error):
                raise
            log.exception("contest_not_announced", contest=str(contest_id))


def remember_current_states(webhook: Webhook) -> None:
    """Store what the public sees now as what a new webhook knows, so that it is told only what changes from now on."""
    contests = {contest.pk: contest for contest in Contest.objects.select_related("event").filter(event=webhook.event)}
    rows = []
    for contest_id, mark in list_change_marks([webhook.event_id]).items():
        state = get_public_state(contests[contest_id])
        rows.append(
            AnnouncedState(
                webhook=webhook, contest_id=contest_id, mark=mark, digest=state.digest, revision=state.revision
            )
        )
    AnnouncedState.objects.bulk_create(rows)


def _find_marks_behind(webhooks: Collection[Webhook]) -> dict[UUID, tuple[str, list[Webhook]]]:
    """Return the contests of which some webhooks were told an older state, with the current mark and these webhooks."""
    told = {
        (webhook, contest): mark
        for webhook, contest, mark in AnnouncedState.objects.filter(webhook__in=webhooks).values_list(
            "webhook_id", "contest_id", "mark"
        )
    }
    by_event: dict[UUID, list[Webhook]] = {}
    for webhook in webhooks:
        by_event.setdefault(webhook.event_id, []).append(webhook)
    found = {}
    for event_id, its_webhooks in by_event.items():
        for contest_id, mark in list_change_marks([event_id]).items():
            behind = [webhook for webhook in its_webhooks if told.get((webhook.pk, contest_id)) != mark]
            if behind:
                found[contest_id] = (mark, behind)
    return found


def _announce_contest(contest: Contest, mark: str, webhooks: Iterable[Webhook]) -> None:
    # Read after the mark: if anything has changed in between, the mark is an old one, and the next sweep looks again.
    state = get_public_state(contest)
    for webhook in webhooks:
        _announce(webhook, contest, mark, state)


@transaction.atomic
def _announce(webhook: Webhook, contest: Contest, mark: str, state: PublicState) -> None:
    if not Webhook.objects.select_for_update().filter(pk=webhook.pk, paused="").exists():
        return
    told, _is_new = AnnouncedState.objects.get_or_create(webhook=webhook, contest=contest)
    rows = AnnouncedState.objects.filter(pk=told.pk, mark=told.mark)
    # A result that is withdrawn and published again is a new revision.
    revision = max(told.revision, state.revision)
    if not rows.update(mark=mark, digest=state.digest, revision=revision):
        return  # another process was faster
    if revision > told.revision and MessageKind.RESULTS_PUBLISHED in webhook.kinds:
        now = timezone.now()
        body = make_contest_body(MessageKind.RESULTS_PUBLISHED, contest, state, now)
        add_delivery(webhook, contest, MessageKind.RESULTS_PUBLISHED, now, body)
    if state.digest not in (told.digest, "") and MessageKind.STANDINGS_CHANGED in webhook.kinds:
        _announce_standings(webhook, contest, state)


def _announce_standings(webhook: Webhook, contest: Contest, state: PublicState) -> None:
    now = timezone.now()
    body = make_contest_body(MessageKind.STANDINGS_CHANGED, contest, state, now)
    earlier = WebhookDelivery.objects.filter(webhook=webhook, contest=contest, kind=MessageKind.STANDINGS_CHANGED)
    pending = earlier.filter(state=WebhookDelivery.State.PENDING)
    # Nobody has seen it yet, so it may say something newer.
    if pending.filter(attempts=None, claimed_at=None).update(body=body):
        return
    due, tries = now, 0
    last = earlier.order_by("-created_at").first()
    if last is not None:
        due = max(due, last.created_at + MIN_INTERVAL)
        if last.state == WebhookDelivery.State.PENDING and last.next_attempt_at is not None:
            due, tries = max(due, last.next_attempt_at), last.tries
    pending.update(state=WebhookDelivery.State.REPLACED, next_attempt_at=None)
    add_delivery(webhook, contest, MessageKind.STANDINGS_CHANGED, due, body, tries)
