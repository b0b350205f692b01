"""The printable page with a QR code for each bike."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.qr import QrCode, make_qr_code
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.players.selectors.roster import list_roster

# Searching for the best of eight masks takes most of the time, too much for hundreds of codes.
QUICK_MASK = 3


@organiser_required
def show_codes(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the codes group by group; each group starts on a new page."""
    rosters = [
        (roster.group, [(bike, _make_bike_qr(bike)) for bike in roster.bikes])
        for roster in list_roster(event)
        if roster.bikes
    ]
    return render(request, "players/codes.html", {"event": event, "rosters": rosters})


def _make_bike_qr(bike: Bike) -> QrCode:
    return make_qr_code(settings.BASE_URL + reverse("scorecards:scanned", args=[make_code(bike.pk)]), mask=QUICK_MASK)
