"""Choosing the dice set this phone uses. It is stored in the session and added to every turn."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from scorekeeper.common.next_url import get_next_url
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.crew.models import DiceSet
from scorekeeper.crew.selectors import list_dice_sets
from scorekeeper.scorecards.views.card_context import DICE_SET_KEY


@crew_required
def dice_set(request: CrewRequest) -> HttpResponse:
    """Choose a set, or none, and go back to the page that led here."""
    sets = list_dice_sets(request.device.member.group)
    back = get_next_url(request, reverse("scorecards:group"))
    if request.method == "POST":
        own = {str(chosen.pk) for chosen in sets}
        wanted_set = request.POST.get("set", "")
        request.session[DICE_SET_KEY] = wanted_set if wanted_set in own else ""
        return redirect(back)
    current = get_dice_set(request)
    return render(request, "scorecards/dice_set.html", {"sets": sets, "current": current, "back": back})


def get_dice_set(request: CrewRequest) -> DiceSet | None:
    """Return the set the phone uses, if it is one of the group's."""
    return get_own_dice_set(request, parse_uuid(request.session.get(DICE_SET_KEY)))


def get_own_dice_set(request: CrewRequest, dice_set_id: UUID | None) -> DiceSet | None:
    """Return a dice set by its id, if it is one of the group's."""
    return list_dice_sets(request.device.member.group).filter(pk=dice_set_id).first() if dice_set_id else None
