"""Webhooks of an event, what each was told, and its messages with every attempt to deliver them.

Terms:
- A *webhook* is an address on another server that gets messages about an event.
- A *receiver* is the host and port of the address. Webhooks of several events may have the same one.
- A *delivery* is one message to one webhook. It is *pending* until it was delivered, or is given up.
- An *announced state* is what a webhook was last told about a contest. Comparing it with what the public sees now
  finds what the webhook has yet to be told, so no change can be lost.

Invariants:
- Messages have ids and links, and no names. They say nothing that the public pages do not show.
- A message that was sent once never changes: its id tells receivers that they have it already.
- At most one message about the standings of a contest is pending for each webhook; the database itself guards this.
- At most one attempt is made at a time for each receiver, whatever the number of its webhooks; the database itself
  guards this too. So a receiver that hangs holds one thread of the workers, and no more.
- The secret is stored as it is, because signing needs it. It is shown once, and is in no bundle, copy or log.
"""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.models import UUIDModel
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.canonical import HASH_LENGTH

MAX_URL = 500  # characters
MAX_RECEIVER = 260  # characters: a host name, a colon and a port


class MessageKind(models.TextChoices):
    """What a message says."""

    STANDINGS_CHANGED = "standings.changed", _("The public standings have changed")
    RESULTS_PUBLISHED = "results.published", _("Official results were published")
    PING = "ping", _("Test")


# An organiser chooses among these. A test is sent to any webhook, when the organiser asks for it.
CHOOSABLE = (MessageKind.STANDINGS_CHANGED, MessageKind.RESULTS_PUBLISHED)


class Webhook(UUIDModel):
    """An address that gets messages about an event.

    Attributes:
        kinds: the kinds of messages it gets.
        previous_secret: the secret before the last one; it signs too, until `previous_until`.
        paused: why it gets no messages now; "" if it does.
        failing_since: the first failed attempt since the last one that succeeded; None while all is well.
        receiver: the host and port of the address.
        failures: attempts since the last one that succeeded. Each is counted before it begins, so that one that ends
            its worker counts too.
        next_attempt_at: while it fails, nothing is tried before this time, whatever is due; None while all is well.
        claimed_at: when an attempt began that has not ended.
    """

    class Pause(models.TextChoices):
        ORGANISER = "organiser", _("Paused")
        FAILING = "failing", _("Paused: messages could not be delivered")
        GONE = "gone", _("Paused: the receiver wants no more messages")

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(_("address"), max_length=MAX_URL)
    kinds = models.JSONField(_("messages"), default=list)
    secret = models.CharField(max_length=100, editable=False)
    previous_secret = models.CharField(max_length=100, blank=True, editable=False)
    previous_until = models.DateTimeField(null=True, editable=False)
    paused = models.CharField(max_length=10, choices=Pause.choices, blank=True, editable=False)
    failing_since = models.DateTimeField(null=True, editable=False)
    receiver = models.CharField(max_length=MAX_RECEIVER, default="", db_default="", editable=False)
    failures = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    next_attempt_at = models.DateTimeField(null=True, editable=False)
    claimed_at = models.DateTimeField(null=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["receiver"],
                condition=models.Q(claimed_at__isnull=False),
                name="one_attempt_at_a_time_per_receiver",
            )
        ]

    def __str__(self) -> str:
        return self.url

    def list_secrets(self, now: dt.datetime | None = None) -> list[str]:
        """Return the secrets that sign a message, the newest first."""
        is_old_valid = self.previous_until is not None and (now or timezone.now()) < self.previous_until
        return [self.secret, self.previous_secret] if is_old_valid else [self.secret]


class AnnouncedState(models.Model):
    """What a webhook was last told about a contest; without a row, nothing.

    Attributes:
        mark: of the contest when it was last compared (`audience.versions`).
        digest: of the public standings; "" if there were none.
        revision: the last published revision; 0 if there was none.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="announced")
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, related_name="+")
    mark = models.CharField(max_length=HASH_LENGTH, blank=True)
    digest = models.CharField(max_length=HASH_LENGTH, blank=True)
    revision = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["webhook", "contest"], name="announced_once_per_contest")]

    def __str__(self) -> str:
        return f"{self.webhook_id} {self.contest_id}"


class WebhookDelivery(UUIDModel):
    """A message to a webhook.

    Attributes:
        contest: None for a test.
        body: exactly as it is sent and signed.
        tries: attempts since it was made, or since the organiser sent it again. Each is counted before it begins.
        next_attempt_at: when it is due; None once nothing more happens to it.
        asked_at: when a worker was last asked to deliver it; None if that led to nothing.
        claimed_at: when an attempt began that has not ended.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("Pending")
        DELIVERED = "delivered", _("Delivered")
        FAILED = "failed", _("Not delivered")
        REPLACED = "replaced", _("Replaced by a newer message")

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, null=True, related_name="+")
    kind = models.CharField(max_length=30, choices=MessageKind.choices)
    body = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.PENDING)
    created_at = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField(null=True)
    asked_at = models.DateTimeField(null=True)
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            models.Index("webhook", models.F("created_at").desc(), name="deliveries_newest_first"),
            models.Index(fields=["next_attempt_at"], condition=models.Q(state="pending"), name="deliveries_due"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["webhook", "contest"],
                condition=models.Q(state="pending", kind=MessageKind.STANDINGS_CHANGED),
                name="one_pending_standings_message",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.message_id}"

    @property
    def message_id(self) -> str:
        """The id of the message, the same at every attempt."""
        return f"msg_{self.pk.hex}"


class DeliveryAttempt(models.Model):
    """One attempt to deliver a message, stored before it begins.

    Attributes:
        status_code: of the response; None if there was none.
        problem: why it failed; "" if it did not.
        duration: milliseconds.
    """

    class Problem(models.TextChoices):
        ADDRESS = "address", _("The address is not on the public internet")
        HOST = "host", _("The host name was not found")
        CONNECTION = "connection", _("No connection")
        TLS = "tls", _("The certificate is not valid for this address")
        TIMEOUT = "timeout", _("No response in time")
        RESPONSE = "response", _("The response is not HTTP")
        REDIRECT = "redirect", _("The receiver redirects; webhooks do not follow")
        STATUS = "status", _("The receiver did not accept it")
        SENDING = "sending", _("Being sent now")
        ABANDONED = "abandoned", _("The server stopped during the attempt")

    delivery = models.ForeignKey(WebhookDelivery, on_delete=models.CASCADE, related_name="attempts")
    at = models.DateTimeField()
    status_code = models.PositiveSmallIntegerField(null=True)
    problem = models.CharField(max_length=10, choices=Problem.choices, blank=True)
    duration = models.PositiveIntegerField()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.status_code or self.problem}"
