"""The sheet of QR codes, one for each bike, to print and cut out."""

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

# Choosing the best of eight masks takes most of the time, which is too long for hundreds of codes.
QUICK_MASK = 3


@organiser_required
def show_codes(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the codes group by group, each group from a new page on."""
    rosters = [(roster.group, [(bike, _make_bike_qr(bike)) for bike in roster.bikes]) for roster in list_roster(event)]
    return render(request, "players/codes.html", {"event": event, "rosters": [one for one in rosters if one[1]]})


def _make_bike_qr(bike: Bike) -> QrCode:
    return make_qr_code(settings.BASE_URL + reverse("scorecards:scanned", args=[make_code(bike.pk)]), mask=QUICK_MASK)
