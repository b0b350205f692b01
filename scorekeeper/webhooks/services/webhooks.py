"""Adding, pausing, resuming and deleting webhooks, their secrets, tests, and sending a message again.

Invariant: a secret leaves this module only when it was made.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from scorekeeper.events.models import Event
from scorekeeper.webhooks.message_body import make_ping_body
from scorekeeper.webhooks.message_kinds import MessageKind
from scorekeeper.webhooks.models import Webhook, WebhookDelivery
from scorekeeper.webhooks.receiver_url import parse_receiver_url
from scorekeeper.webhooks.services.announcements import remember_current_states
from scorekeeper.webhooks.services.deliveries import add_delivery, ask_worker
from scorekeeper.webhooks.signing import make_secret

MAX_WEBHOOKS = 5  # of one event
OLD_SECRET_LIFETIME = dt.timedelta(days=1)

State = WebhookDelivery.State


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
