"""The crew's start page: their group at a stop, and which bikes have rolled there."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse

from scorekeeper.common.partial_pages import render_partial
from scorekeeper.common.permissions_policy import allow_camera
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.selectors import list_contests
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops
from scorekeeper.scorecards.selectors.group import BikeRow, find_bikes, get_group_at_stop
from scorekeeper.scorecards.views.card_context import STOP_KEY, choose_contest

MAX_NUMBER_DIGITS = 5


@crew_required
def group(request: CrewRequest) -> HttpResponse:
    """Show the group at a stop. `?stop=` chooses the stop, which the phone remembers; `?q=` searches for a number."""
    member = request.device.member
    event = member.group.event
    contests = list_contests_at_stops(event)
    contest = choose_contest(contests, request.GET.get("contest"))
    context: dict[str, object] = {
        "event": event,
        "group": member.group,
        "member": member,
        "contest": contest,
        "has_tables": any(not is_of_kind(contest.game, "turn") for contest in list_contests(event)),
    }
    if contest is not None:
        requested, remembered = parse_uuid(request.GET.get("stop")), parse_uuid(request.session.get(STOP_KEY))
        at_stop = get_group_at_stop(contest, member.group, requested, remembered)
        stop_id = at_stop.stop.id if at_stop.stop else None
        if requested and requested == stop_id != remembered:
            request.session[STOP_KEY] = str(requested)
        query = urlencode({"contest": contest.pk, "stop": stop_id or ""})
        searched = request.GET.get("q", "").strip()
        found = find_bikes(contest, event, _read_number(searched), stop_id) if searched else []
        context |= {
            "contests": contests if len(contests) > 1 else [],
            "at_stop": at_stop,
            "rows": _add_links(at_stop.rows, query),
            "query": query,
            "searched": searched,
            "found": _add_links(found, query),
            "is_foreign": any(row.group not in ("", member.group.name) for row in found),
        }
    return allow_camera(render_partial(request, "scorecards/group.html", "scorecards/_group.html", context))


def _read_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER_DIGITS else None


def _add_links(rows: Iterable[BikeRow], query: str) -> list[tuple[str, BikeRow]]:
    return [(f"{reverse('scorecards:card', args=[row.id])}?{query}", row) for row in rows]
