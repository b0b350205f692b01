"""What a notification says, in the language of its reader: the newest first, from what the audience sees as it is sent.

People are named as the event's pages show them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.common.game_adapter import show_total
from scorekeeper.common.labels import label_value
from scorekeeper.events.models import Contest
from scorekeeper.players.selectors import format_entrant, get_public_names
from scorekeeper.push.encryption import MAX_PLAINTEXT
from scorekeeper.push.figures import FollowedTurn, SeenFigures, get_entrant_id
from scorekeeper.push.models import PushNews, PushTopic
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.wording import label_total

MAX_LINES = 3  # besides the title; a phone shows no more
MAX_TEXT = 200  # characters of a line
Kind = PushNews.Kind


def write_notification(topic: PushTopic, news: Sequence[PushNews], figures: SeenFigures) -> dict[str, str] | None:
    """Return what the browser's service worker shows; None if nothing of the news is true any more.

    Args:
        news: the oldest first.
        figures: what the audience sees now.
    """
    lines = _list_lines(topic, news, figures)
    if not lines:
        return None
    context = [topic.event.name] if topic.contest is None else [topic.contest.name, topic.event.name]
    if topic.event.is_practice:
        context.insert(0, _("Practice"))
    if topic.contest is not None and figures.total is not None:
        game = topic.contest.game
        context.insert(0, label_value(label_total(game), str(show_total(game, figures.total))))
    title, *others = lines
    body = [*others[:MAX_LINES], " · ".join(context)]
    return {
        "title": title[:MAX_TEXT],
        "body": "\n".join(line[:MAX_TEXT] for line in body),
        "url": get_topic_url(topic),
        "topic": str(topic.pk),
        "stop": pgettext("a button that ends notifications", "Stop"),
    }


def write_payload(notification: Mapping[str, str]) -> bytes:
    """Return a notification as the bytes that are encrypted."""
    payload = json.dumps(notification, ensure_ascii=False, separators=(",", ":")).encode()
    assert len(payload) <= MAX_PLAINTEXT, "five lines of MAX_TEXT characters, the longest of which have four bytes"
    return payload


def describe_topic(topic: PushTopic) -> str:
    """Return what a topic is about, for the list of what a browser is told."""
    if topic.contest is None:
        return _("Official results of %(event)s") % {"event": topic.event.name}
    params = {"entrant": _name_entrant(topic, topic.contest), "contest": topic.contest.name, "event": topic.event.name}
    return _("%(entrant)s in %(contest)s, %(event)s") % params


def get_topic_url(topic: PushTopic) -> str:
    """Return the path of the page about a topic."""
    if topic.contest is None:
        return reverse("results:event", args=[topic.event.slug])
    topic.contest.event = topic.event
    return get_kind(topic.contest.game).get_entrant_url(topic.contest, get_entrant_id(topic))


def _list_lines(topic: PushTopic, news: Sequence[PushNews], figures: SeenFigures) -> list[str]:
    """Return a sentence for each news item that is still true: results first, then the newest turns."""
    kinds: dict[str, str] = {}
    for item in news:
        # A turn that was corrected before anything was sent has been recorded as it is now.
        if kinds.get(item.key) != Kind.RECORDED:
            kinds[item.key] = item.kind
    results = [key for key, kind in kinds.items() if kind == Kind.OFFICIAL and key in figures.official]
    lines = _list_result_lines(topic, results, figures)
    turns = [key for key in figures.turns if kinds.get(key) in (Kind.RECORDED, Kind.CORRECTED)]
    if topic.contest is not None and turns:
        entrant = _name_entrant(topic, topic.contest)
        written = [_write_turn(entrant, figures.turns[key], is_new=kinds[key] == Kind.RECORDED) for key in turns]
        lines += reversed(written)
    return lines


def _list_result_lines(topic: PushTopic, contest_ids: Sequence[str], figures: SeenFigures) -> list[str]:
    contests = topic.event.contests.filter(pk__in=contest_ids).order_by("ordinal", "pk") if contest_ids else ()
    return [
        _("Results are official: %(contest)s") % {"contest": contest.name}
        if figures.official[str(contest.pk)] == 1
        else _("Official results have changed: %(contest)s") % {"contest": contest.name}
        for contest in contests
    ]


def _write_turn(entrant: str, turn: FollowedTurn, *, is_new: bool) -> str:
    params: dict[str, Any] = {"entrant": entrant, "points": turn.points, "stop": turn.stop, "table": turn.table}
    if turn.table:
        if is_new:
            return _("%(entrant)s finished at table %(table)s with %(points)s") % params
        return _("Corrected: %(entrant)s at table %(table)s is now %(points)s") % params
    if turn.points is None:
        if is_new:
            return _("%(entrant)s played at %(stop)s") % params
        return _("Corrected: %(entrant)s at %(stop)s") % params
    if is_new:
        return _("%(entrant)s recorded %(points)s at %(stop)s") % params
    return _("Corrected: %(entrant)s at %(stop)s is now %(points)s") % params


def _name_entrant(topic: PushTopic, contest: Contest) -> str:
    entrant_id = get_entrant_id(topic)
    number = "" if topic.bike is None else (topic.bike.merged_into or topic.bike).label
    return format_entrant(number, get_public_names(topic.event, contest).get(entrant_id, ""))
