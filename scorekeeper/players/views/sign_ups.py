"""The public page on which a rider asks for a place, and the organiser's page that decides.

The public page is there while the organiser has opened sign-up, also for a draft, whose other pages stay hidden.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.bikes.selectors import find_free_number, list_taken_numbers
from scorekeeper.bikes.services import NumberTaken, RosterFixed
from scorekeeper.common.client_address import get_client_address
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_event
from scorekeeper.players.forms.sign_ups import SignUpDecisionForm, SignUpForm
from scorekeeper.players.models import SignUp
from scorekeeper.players.selectors.sign_ups import (
    get_sign_up,
    get_sign_up_event,
    list_decided_sign_ups,
    list_pending_sign_ups,
)
from scorekeeper.players.services import sign_ups as services

TOO_MANY, CONFLICT = 429, 409


def ask_for_place(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for a place. `?sent` thanks for it."""
    event = get_sign_up_event(slug)
    if event is None:
        closed = get_open_event(slug)
        if closed is None:
            raise Http404
        return render(request, "players/sign_up_closed.html", {"event": closed}, status=404)
    if "sent" in request.GET and request.method != "POST":
        return render(request, "players/signed_up.html", {"event": event})
    form = SignUpForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            services.add_sign_up(event, form.to_request(), get_client_address(request))
        except services.TooManySignUps as error:
            form.add_error(None, _format_too_many(is_event_full=error.is_event_full))
            status = TOO_MANY
        else:
            return redirect(f"{reverse('players:sign_up', args=[event.slug])}?sent")
    return render(request, "players/sign_up.html", {"event": event, "form": form}, status=status)


def _format_too_many(*, is_event_full: bool) -> str:
    if is_event_full:
        return _("Too many people are waiting for an answer. Try again in a few days, or ask the organiser.")
    return _("Too many sign-ups came from your connection. Try again in an hour. What you entered is still here.")


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the sign-ups: those that need a decision, with a free number, and those that were decided."""
    return _render_list(request, event)


@sent_once
@organiser_required
def decide(request: OrganiserRequest, event: Event, sign_up_id: UUID) -> HttpResponse:
    """Approve a sign-up, which adds the bike, or decline it."""
    found = get_sign_up(event, sign_up_id)
    if found is None:
        raise Http404
    form = SignUpDecisionForm(request.POST, sign_up=found)
    if not form.is_valid():
        return _render_list(request, event, form, 422)
    try:
        if form.is_declined:
            services.decline_sign_up(found)
            messages.success(request, _("The sign-up of %(rider)s has been declined.") % {"rider": found.rider})
        else:
            bike = services.approve_sign_up(found, form.cleaned_data["number"])
            text = _("%(rider)s rides with number %(number)s. Assign the bike to a group under “Bikes and riders”.")
            messages.success(request, text % {"rider": found.rider, "number": bike.label})
    except services.AlreadyDecided:
        messages.warning(request, _("Someone has already decided on this sign-up."))
    except NumberTaken:
        form.propose(find_free_number(list_taken_numbers(event), form.cleaned_data["number"]))
        return _render_list(request, event, form, CONFLICT)
    except RosterFixed:
        form.add_error(None, _("A contest is closed, so no bike can be added here. Reopen it, or decline."))
        return _render_list(request, event, form, CONFLICT)
    return redirect("players:sign_ups", event.slug)


def _render_list(
    request: HttpRequest, event: Event, refused: SignUpDecisionForm | None = None, status: int = 200
) -> HttpResponse:
    taken = list_taken_numbers(event)
    context = {
        "event": event,
        "rows": [
            (sign_up, _choose_form(sign_up, refused, taken), sign_up.number in taken)
            for sign_up in list_pending_sign_ups(event)
        ],
        "refused": refused,
        "decided": list_decided_sign_ups(event),
        "approved": SignUp.Decision.APPROVED,
    }
    return render(request, "players/sign_ups.html", context, status=status)


def _choose_form(sign_up: SignUp, refused: SignUpDecisionForm | None, taken: set[int]) -> SignUpDecisionForm:
    """Return the form that was refused if it is about this sign-up, or else one with a free number."""
    if refused is not None and refused.sign_up == sign_up:
        return refused
    return SignUpDecisionForm(sign_up=sign_up, number=find_free_number(taken, sign_up.number))
