"""The URL in the code on a bike: it leads the crew of the ride to the bike's card, everyone else to its public page.

A code only identifies the bike. It gives nobody the right to record dice.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import find_bike_by_code
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.access import get_device
from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import list_contests
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops


def open_scanned_code(request: HttpRequest, code: str) -> HttpResponse:
    """Redirect to the bike, or say that the bike is unknown. `?contest=` and `?stop=` say where the phone is."""
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
    """Return the URL of the bike's card in the contest the phone shows, or else in the first."""
    contests = [str(contest.pk) for contest in list_contests_at_stops(bike.event)]
    if not contests:
        return reverse("tables:list")
    requested, stop = request.GET.get("contest"), parse_uuid(request.GET.get("stop"))
    query = {"contest": requested if requested in contests else contests[0], **({} if stop is None else {"stop": stop})}
    return f"{reverse('scorecards:card', args=[bike.pk])}?{urlencode(query)}"


def _make_public_url(bike: Bike) -> str:
    """Return the URL of the bike in the first contest that bikes play, or else that of its event."""
    event = bike.event
    at_stops = list_contests_at_stops(event)
    at_tables = [contest for contest in list_contests(event) if contest.seats_are == Contest.SeatsAre.BIKES]
    contest = next(iter([*at_stops, *at_tables]), None)
    if contest is None:
        return reverse("results:event", args=[event.slug])
    return reverse("results:bike", args=[event.slug, contest.slug, bike.pk])
