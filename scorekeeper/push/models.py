"""What spectators follow, what is new about it, and the browsers that are told.

Terms:
- A *topic* is what can be followed: a bike or a player in a contest, or the official results of an event.
- A *subscription* is one browser that follows one topic. Its *endpoint* is an address at the push service of the
  browser's maker; whoever knows it can end the subscription.
- A *news item* says that something about a topic is new: which turn, and nothing of what it scored.

Invariants:
- Nothing here has a name, a figure that the audience may not see, or an account. What a message says is read when it is
  sent (`push.notifications`), from what the audience sees then.
- Everything but the key belongs to one event, and is deleted with it.
- The private key and the keys of subscriptions are in no page, bundle, copy or log.
"""

from __future__ import annotations

from uuid import UUID

from django.db import models

from scorekeeper.bikes.models import Bike
from scorekeeper.common.models import UUIDModel
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.canonical import HASH_LENGTH
from scorekeeper.players.models import Player

MAX_ENDPOINT = 1000  # characters; those of push services have some 200
MAX_RECEIVER = 260  # characters: a host name, a colon and a port
THE_KEY = 1  # the id of the only row


class PushKey(models.Model):
    """The key with which this installation identifies itself to push services (VAPID, RFC 8292).

    There is one for all its machines, made at the first start. With another one, all subscriptions end.

    Attributes:
        private_key: PEM.
    """

    id = models.PositiveSmallIntegerField(primary_key=True, default=THE_KEY, editable=False)
    private_key = models.TextField(editable=False)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=THE_KEY), name="one_push_key")]

    def __str__(self) -> str:
        return "push key"


class PushTopic(UUIDModel):
    """Something that is followed.

    Attributes:
        contest: None for the official results of all contests of the event.
        bike, player: who is followed in the contest; at most one of them.
        mark: of the contests when they were last compared (`audience.versions`).
        seen: the turns that the audience saw then, as a value to compare by the key of each turn, and under "official"
            the number of the last official result of each contest by its id.
        is_quiet: whether the audience could not see new figures then. What is new afterwards is only remembered.
        freeze_version: how often the freeze of the event had changed then.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    contest = models.ForeignKey(Contest, on_delete=models.CASCADE, null=True, related_name="+")
    bike = models.ForeignKey(Bike, on_delete=models.CASCADE, null=True, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="+")
    mark = models.CharField(max_length=HASH_LENGTH, blank=True, editable=False)
    seen = models.JSONField(default=dict, editable=False)
    is_quiet = models.BooleanField(default=True, editable=False)
    freeze_version = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=models.Q(contest__isnull=True), name="one_results_topic_per_event"
            ),
            models.UniqueConstraint(
                fields=["contest", "bike"], condition=models.Q(bike__isnull=False), name="one_topic_per_bike"
            ),
            models.UniqueConstraint(
                fields=["contest", "player"], condition=models.Q(player__isnull=False), name="one_topic_per_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.contest_id or self.event_id} {self.entrant_id or 'results'}"

    @property
    def entrant_id(self) -> UUID | None:
        """The id of the bike or player; None for results."""
        return self.bike_id or self.player_id


class PushNews(models.Model):
    """That something about a topic is new.

    Attributes:
        key: of the turn, as in `PushTopic.seen`; of official results, the contest's id.
    """

    class Kind(models.TextChoices):
        RECORDED = "recorded"
        CORRECTED = "corrected"
        OFFICIAL = "official"

    topic = models.ForeignKey(PushTopic, on_delete=models.CASCADE, related_name="news")
    kind = models.CharField(max_length=10, choices=Kind.choices, editable=False)
    key = models.CharField(max_length=50, editable=False)
    created_at = models.DateTimeField(editable=False)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"


class PushSubscription(UUIDModel):
    """A browser that follows a topic.

    Attributes:
        endpoint_digest: by which its subscriptions are found.
        receiver: the host and port of the endpoint.
        p256dh, auth: the browser's public key and secret, base64url: messages are encrypted for them (RFC 8291).
        language: of the reader.
        told_until: the last news item that needs no message any more.
        tries: attempts for the next message. Each is counted before it begins.
        next_attempt_at: while it fails, nothing is tried before this time; None while all is well.
        asked_at: when a worker was last asked; None once that attempt has ended.
        claimed_at: when an attempt began that has not ended.
        tried_at, problem: when the last attempt ended, and why it failed; "" if it did not.
    """

    topic = models.ForeignKey(PushTopic, on_delete=models.CASCADE, related_name="subscriptions")
    endpoint = models.CharField(max_length=MAX_ENDPOINT, editable=False)
    endpoint_digest = models.CharField(max_length=HASH_LENGTH, db_index=True, editable=False)
    receiver = models.CharField(max_length=MAX_RECEIVER, editable=False)
    p256dh = models.CharField(max_length=100, editable=False)
    auth = models.CharField(max_length=30, editable=False)
    language = models.CharField(max_length=10, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    told_until = models.BigIntegerField(default=0, editable=False)
    tries = models.PositiveSmallIntegerField(default=0, editable=False)
    next_attempt_at = models.DateTimeField(null=True, editable=False)
    asked_at = models.DateTimeField(null=True, editable=False)
    claimed_at = models.DateTimeField(null=True, editable=False)
    tried_at = models.DateTimeField(null=True, editable=False)
    problem = models.CharField(max_length=10, blank=True, editable=False)

    class Meta:
        ordering = ["created_at", "pk"]
        constraints = [models.UniqueConstraint(fields=["topic", "endpoint_digest"], name="told_once_per_topic")]

    def __str__(self) -> str:
        return f"{self.topic_id} {self.receiver}"
