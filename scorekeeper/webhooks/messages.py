"""The messages of webhooks: written by serializers, from which the API's schema describes them too.

They have ids, links and times, and neither names nor figures.
"""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, OpenApiWebhook, extend_schema
from rest_framework import serializers

from scorekeeper.api.serializers.base import ReadSerializer, TimeField
from scorekeeper.audience.versions import PublicState
from scorekeeper.events.models import Contest, Event
from scorekeeper.webhooks.models import MessageKind


@dataclass(frozen=True, slots=True)
class _Message:
    """A message about an event; if it has a contest, about that contest's public state."""

    type: MessageKind
    timestamp: dt.datetime
    event: Event
    contest: Contest | None = None
    state: PublicState | None = None

    @property
    def data(self) -> _Message:
        return self

    @property
    def revision(self) -> int | None:
        """The number of the last public result; None before."""
        return self.state.revision or None if self.state else None


class MessageTimeField(TimeField):
    """A time in UTC with milliseconds."""

    def to_representation(self, value: Any) -> Any:
        """Return the time."""
        return value.astimezone(dt.UTC).isoformat(timespec="milliseconds")


class LinkField(serializers.URLField):
    """The address of a page or of an answer of the API, about an event or a contest.

    Args:
        route: its name.
    """

    def __init__(self, route: str, **options: Any) -> None:
        self._route = route
        super().__init__(source="*", **options)

    def to_representation(self, value: Any) -> Any:
        """Return the address."""
        slugs = [value.slug] if isinstance(value, Event) else [value.event.slug, value.slug]
        return str(settings.BASE_URL + reverse(self._route, args=slugs))


class MessageEventSerializer(ReadSerializer):
    """Which event a message is about."""

    id = serializers.UUIDField()
    url = LinkField("api:event")
    practice = serializers.BooleanField(source="is_practice")


class MessageContestSerializer(ReadSerializer):
    """Which contest a message is about."""

    id = serializers.UUIDField()
    url = LinkField("api:contest")


class MessageLinksSerializer(ReadSerializer):
    """Where to read what has changed."""

    page = LinkField("results:leaderboard")
    standings = LinkField("api:standings")


class ResultLinksSerializer(MessageLinksSerializer):
    """The same, with the results of a contest that has published any."""

    results = LinkField("api:results")


class ContestMessageDataSerializer(ReadSerializer):
    """What a message about a contest says."""

    event = MessageEventSerializer()
    contest = MessageContestSerializer()
    status = serializers.ChoiceField(Contest.Status.choices, source="state.status")
    revision = serializers.IntegerField(allow_null=True, help_text="The number of the official result; null before.")
    links = serializers.SerializerMethodField()

    def get_links(self, message: _Message) -> dict[str, Any]:
        """Return the addresses; that of the results only once there are any."""
        links = ResultLinksSerializer if message.revision else MessageLinksSerializer
        return links(message.contest).data


class PingDataSerializer(ReadSerializer):
    """What a test says."""

    event = MessageEventSerializer()


class ContestMessageSerializer(ReadSerializer):
    """A message about a contest."""

    type = serializers.CharField()
    timestamp = MessageTimeField(help_text="When it was written.")
    data = ContestMessageDataSerializer()  # type: ignore[assignment]


class PingSerializer(ReadSerializer):
    """A test, which the organiser asked for."""

    type = serializers.CharField()
    timestamp = MessageTimeField(help_text="When it was written.")
    data = PingDataSerializer()  # type: ignore[assignment]


def make_ping_body(event: Event, now: dt.datetime) -> str:
    """Return the body of a test."""
    return _write(PingSerializer(_Message(MessageKind.PING, now, event)))


def make_contest_body(kind: MessageKind, contest: Contest, state: PublicState, now: dt.datetime) -> str:
    """Return the body of a message about a contest, whose event is loaded."""
    return _write(ContestMessageSerializer(_Message(kind, now, contest.event, contest, state)))


def _write(message: ReadSerializer) -> str:
    return json.dumps(message.data, ensure_ascii=True, separators=(",", ":"))


def _describe(kind: MessageKind, serializer: type[ReadSerializer]) -> OpenApiWebhook:
    """Return how the schema describes messages of a kind."""
    words = (
        f"{kind.label}. Sent to the address that an organiser has entered. The headers `webhook-id`, "
        "`webhook-timestamp` and `webhook-signature` sign it as Standard Webhooks 1.0 says."
    )
    answer = OpenApiResponse(description="Received. Any other answer than 2xx is tried again later; 410 ends it.")
    return OpenApiWebhook(kind.value, extend_schema(request=serializer, responses={200: answer}, description=words))


STANDINGS_CHANGED = _describe(MessageKind.STANDINGS_CHANGED, ContestMessageSerializer)
RESULTS_PUBLISHED = _describe(MessageKind.RESULTS_PUBLISHED, ContestMessageSerializer)
PING = _describe(MessageKind.PING, PingSerializer)
