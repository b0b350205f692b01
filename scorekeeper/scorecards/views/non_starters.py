"""The page that marks a bike that did not start, or takes the mark back: for road captains and organisers."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_bike
from scorekeeper.check_in.access import can_check
from scorekeeper.common.request_data import get_next_url
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import IdReused, NotAllowed
from scorekeeper.scorecards.forms.turn_pages import DidNotStartForm
from scorekeeper.scorecards.selectors.non_starters import has_turns
from scorekeeper.scorecards.services.non_starters import mark_did_not_start
from scorekeeper.scorecards.views.preserved_input import preserve_input

CREW_PAGE, DESK_PAGE = "scorecards/did_not_start.html", "scorecards/desk_did_not_start.html"
FORBIDDEN, CONFLICT = 403, 409


@preserve_input
@crew_required
def crew_did_not_start(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Ask, then mark the bike or take the mark back. `?next=` is the page to return to."""
    event, actor = request.device.member.group.event, Actor.from_device(request.device)
    bike = _find(event, bike_id)
    back = get_next_url(request, reverse("scorecards:group"))
    if not can_check(actor, bike):
        text = _("Only a road captain or the organiser can do this. Ask one of them.")
        return render(request, CREW_PAGE, {"bike": bike, "back": back, "refusal": text}, status=FORBIDDEN)
    return _answer(request, actor, event, bike, CREW_PAGE, back, may_record=event.is_open)


@organiser_required
def desk_did_not_start(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Ask, then mark the bike or take the mark back, and return to the check-in list."""
    actor, back = Actor.from_organiser(request.organiser), reverse("check_in:desk_list", args=[event.slug])
    return _answer(request, actor, event, _find(event, bike_id), DESK_PAGE, back, may_record=True)


def _answer(
    request: HttpRequest, actor: Actor, event: Event, bike: Bike, page: str, back: str, *, may_record: bool
) -> HttpResponse:
    form = DidNotStartForm(request.POST or None, initial={"value": "0" if bike.did_not_start else "1"})
    context: dict[str, Any] = {"event": event, "bike": bike, "back": back}
    status = 422 if form.is_bound else 200
    if form.is_valid() and not may_record:
        form.add_error(None, _("The event is not open, so nothing can be recorded."))
    if form.is_valid():
        value, data = form.cleaned_data["value"], form.cleaned_data
        try:
            receipt = mark_did_not_start(actor, data["operation"], bike.pk, value=value, reason=data["reason"])
        except IdReused:
            form, status = DidNotStartForm({**request.POST.dict(), "operation": str(uuid4())}), CONFLICT
            form.add_error(None, _("This page was already submitted. Check it, then confirm again."))
        except NotAllowed:
            raise Http404 from None
        else:
            if not (receipt.data or {}).get("has_turns"):
                messages.success(request, _get_done_message(bike, is_marked=value))
                return redirect(back)
            status = CONFLICT
    if not bike.did_not_start and has_turns(bike):
        context["refusal"] = _(
            "Bike %(number)s has turns, so it did start. If it has left, retire it on its scorecard. If the turns are "
            "another bike’s, void them or move them there first."
        ) % {"number": bike.label}
    return render(request, page, {**context, "form": form}, status=status)


def _get_done_message(bike: Bike, *, is_marked: bool) -> str:
    text = _("Bike %(number)s did not start.") if is_marked else _("Bike %(number)s is back on the list.")
    return text % {"number": bike.label}


def _find(event: Event, bike_id: UUID) -> Bike:
    try:
        return get_bike(event, bike_id)
    except Bike.DoesNotExist as error:
        raise Http404 from error
