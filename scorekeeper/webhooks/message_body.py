"""The bodies of messages: ids, links to what the API and the pages show, and the time. No names and no figures."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

from django.conf import settings
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.standings.selectors.public_state import PublicState
from scorekeeper.webhooks.message_kinds import MessageKind


def make_ping_body(event: Event, now: dt.datetime) -> str:
    """Return the body of a test."""
    return _make_body(MessageKind.PING, now, {"event": _make_event_data(event)})


def make_contest_body(kind: MessageKind, contest: Contest, state: PublicState, now: dt.datetime) -> str:
    """Return the body of a message about a contest, whose event is loaded."""
    event, slugs = contest.event, [contest.event.slug, contest.slug]
    links = {"page": _make_link("results:leaderboard", *slugs), "standings": _make_link("api:standings", *slugs)}
    if state.revision:
        links["results"] = _make_link("api:results", *slugs)
    data = {
        "event": _make_event_data(event),
        "contest": {"id": str(contest.pk), "url": _make_link("api:contest", *slugs)},
        "status": state.status,
        "revision": state.revision or None,
        "links": links,
    }
    return _make_body(kind, now, data)


def _make_event_data(event: Event) -> dict[str, Any]:
    return {"id": str(event.pk), "url": _make_link("api:event", event.slug), "practice": event.is_practice}


def _make_link(route: str, *slugs: str) -> str:
    return settings.BASE_URL + reverse(route, args=slugs)


def _make_body(kind: MessageKind, now: dt.datetime, data: dict[str, Any]) -> str:
    message = {"type": kind, "timestamp": now.astimezone(dt.UTC).isoformat(timespec="milliseconds"), "data": data}
    return json.dumps(message, ensure_ascii=True, separators=(",", ":"))
