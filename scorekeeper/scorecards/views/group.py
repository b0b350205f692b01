"""The pages of a crew's group: its bikes at a stop, its standings, the dice set of the phone, and scanned codes.

A code on a bike only identifies the bike. It gives nobody the right to record dice.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import find_bike_by_code
from scorekeeper.check_in.selectors import list_items
from scorekeeper.common.partial_pages import render_partial
from scorekeeper.common.request_data import get_next_url, parse_uuid
from scorekeeper.crew.access import CrewRequest, crew_required, get_device
from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.crew.selectors import list_any_bike_stops, list_dice_sets
from scorekeeper.crew.session_choices import DICE_SET_KEY, STOP_KEY
from scorekeeper.events.event_times import format_freeze_notice
from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import get_freeze, has_dice, list_contests
from scorekeeper.players.bike_search import read_number
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops
from scorekeeper.scorecards.selectors.crew_standings import list_crew_standings
from scorekeeper.scorecards.selectors.group import BikeRow, find_bikes, find_sheet_to_roll, get_group_at_stop
from scorekeeper.scorecards.views.card_context import choose_contest, get_dice_set

MAX_SEARCHED = 80  # characters


@crew_required
def group(request: CrewRequest) -> HttpResponse:
    """Show the group at a stop. `?stop=` chooses the stop, which the phone remembers; `?q=` searches all bikes."""
    member = request.device.member
    event = member.group.event
    contests = list_contests_at_stops(event)
    contest = choose_contest(contests, request.GET.get("contest"))
    context: dict[str, object] = {
        "event": event,
        "group": member.group,
        "member": member,
        "contest": contest,
        "has_dice": has_dice(contests),
        "has_check_in": list_items(event).exists(),
        "has_tables": any(not is_of_kind(contest.game, "turn") for contest in list_contests(event)),
    }
    if contest is not None:
        requested, remembered = parse_uuid(request.GET.get("stop")), parse_uuid(request.session.get(STOP_KEY))
        at_stop = get_group_at_stop(contest, member.group, requested, remembered, list_any_bike_stops(member.pk))
        stop_id = at_stop.stop.id if at_stop.stop else None
        if requested and requested == stop_id != remembered:
            request.session[STOP_KEY] = str(requested)
        query = urlencode({"contest": contest.pk, "stop": stop_id or ""})
        searched = request.GET.get("q", "").strip()[:MAX_SEARCHED]
        found = find_bikes(contest, event, searched, stop_id, _get_only_group(member)) if searched else []
        context |= {
            "contests": contests if len(contests) > 1 else [],
            "at_stop": at_stop,
            "rows": _add_links(at_stop.rows, query),
            "query": query,
            "searched": searched,
            "searched_number": read_number(searched),
            "found": _add_links(found, query),
            "is_foreign": any(row.group not in ("", member.group.name) for row in found),
        }
    return render_partial(request, "scorecards/group.html", "scorecards/_group.html", context)


def _get_only_group(member: CrewMember) -> Group | None:
    """Return the only group whose results the member may see: while the standings are frozen, the member's own.

    Those who can open every scorecard see all results.
    """
    if member.can_take_over or list_any_bike_stops(member.pk) or get_freeze(member.group.event) is None:
        return None
    return member.group


def _add_links(rows: Iterable[BikeRow], query: str) -> list[tuple[str, BikeRow]]:
    return [(f"{reverse('scorecards:card', args=[row.id])}?{query}", row) for row in rows]


@crew_required
def group_standings(request: CrewRequest) -> HttpResponse:
    """Show the group's bikes by place, in each contest recorded at the stops, or as the standings are frozen."""
    group = request.device.member.group
    freeze = get_freeze(group.event)
    frozen_at = None if freeze is None else freeze.at
    context = {
        "event": group.event,
        "group": group,
        "standings": list_crew_standings(group, frozen_at),
        "frozen": "" if frozen_at is None else format_freeze_notice(frozen_at, group.event),
    }
    return render(request, "scorecards/group_standings.html", context)


@crew_required
def dice_set(request: CrewRequest) -> HttpResponse:
    """Choose the dice set that the phone adds to every turn, or none, and go back to the page that led here."""
    sets = list_dice_sets(request.device.member.group)
    back = get_next_url(request, reverse("scorecards:group"))
    if request.method == "POST":
        own = {str(chosen.pk) for chosen in sets}
        wanted_set = request.POST.get("set", "")
        request.session[DICE_SET_KEY] = wanted_set if wanted_set in own else ""
        return redirect(back)
    current = get_dice_set(request)
    return render(request, "scorecards/dice_set.html", {"sets": sets, "current": current, "back": back})


def open_scanned_code(request: HttpRequest, code: str) -> HttpResponse:
    """Redirect the ride's crew to the bike's card and others to its public page, or say that the bike is unknown.

    `?contest=` and `?stop=` say where the phone is.
    """
    device = get_device(request)
    bike = find_bike_by_code(code)
    if bike is not None and device is not None and device.member.group.event_id == bike.event_id:
        response: HttpResponse = redirect(_make_card_url(request, bike))
    elif bike is not None and bike.event.is_open:
        response = redirect(_make_public_url(bike))
    else:
        response = render(request, "scorecards/unknown_code.html", {"is_crew": device is not None}, status=404)
    patch_vary_headers(response, ["Cookie"])
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _make_card_url(request: HttpRequest, bike: Bike) -> str:
    """Return the URL of the bike's first card still to roll: in the contest the phone shows, or else in another."""
    contests = list_contests_at_stops(bike.event)
    if not contests:
        return reverse("tables:list")
    requested, stop = request.GET.get("contest"), parse_uuid(request.GET.get("stop"))
    contests.sort(key=lambda contest: str(contest.pk) != requested)
    contest, sheet = find_sheet_to_roll(contests, bike, stop or parse_uuid(request.session.get(STOP_KEY)))
    query = {"contest": contest.pk, **({} if stop is None else {"stop": stop})}
    return f"{reverse('scorecards:card', args=[sheet.pk])}?{urlencode(query)}"


def _make_public_url(bike: Bike) -> str:
    """Return the URL of the bike in the first contest that bikes play, or else that of its event."""
    event = bike.event
    at_stops = list_contests_at_stops(event)
    at_tables = [contest for contest in list_contests(event) if contest.seats_are == Contest.SeatsAre.BIKES]
    contest = next(iter([*at_stops, *at_tables]), None)
    if contest is None:
        return reverse("results:event", args=[event.slug])
    return reverse("results:bike", args=[event.slug, contest.slug, bike.pk])
