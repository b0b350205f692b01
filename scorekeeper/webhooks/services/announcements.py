"""Finding what has changed for the public, and writing the messages that say so. The sweeper runs it.

Invariants:
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
from collections.abc import Collection, Iterable
from uuid import UUID

import structlog
from django.db import transaction
from django.utils import timezone

from scorekeeper.common.database_unavailable import is_database_unavailable
from scorekeeper.events.models import Contest
from scorekeeper.standings.selectors.public_state import PublicState, get_public_state, list_change_marks
from scorekeeper.webhooks.message_body import make_contest_body
from scorekeeper.webhooks.message_kinds import MessageKind
from scorekeeper.webhooks.models import AnnouncedState, Webhook, WebhookDelivery
from scorekeeper.webhooks.services.deliveries import add_delivery

MIN_INTERVAL = dt.timedelta(seconds=10)

log = structlog.get_logger("tailgunner.webhooks")


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
