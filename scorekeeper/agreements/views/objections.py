"""“Something is wrong”: the public form on the page of a bike, and the organiser's list.

The public page says nothing about the card, and nothing about what others have sent.
"""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.agreements.forms.objections import AnswerForm, ObjectionForm
from scorekeeper.agreements.models import Objection
from scorekeeper.agreements.selectors.objections import (
    find_objection,
    list_open_objections,
    list_settled_objections,
)
from scorekeeper.agreements.services import objections as services
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_bike
from scorekeeper.common.client_address import get_client_address
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_contest
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.contest_rules import derive_card_id

TOO_MANY, UNPROCESSABLE = 429, 422


def send_objection(request: HttpRequest, slug: str, contest_slug: str, bike_id: UUID) -> HttpResponse:
    """Ask what is wrong, and send it to the organisers. `?sent` thanks for it."""
    contest = get_open_contest(slug, contest_slug)
    if contest is None or contest.event.archived_at is not None or not get_kind(contest.game).is_agreed_to:
        raise Http404
    try:
        bike = get_bike(contest.event, bike_id)
    except Bike.DoesNotExist:
        raise Http404 from None
    context = {
        "event": contest.event,
        "contest": contest,
        "bike": bike,
        "back": reverse("results:bike", args=[slug, contest_slug, bike.pk]),
    }
    if "sent" in request.GET and request.method != "POST":
        return render(request, "agreements/objection_sent.html", context)
    form = ObjectionForm(request.POST or None)
    status = UNPROCESSABLE if form.is_bound else 200
    if form.is_valid():
        data, address = form.cleaned_data, get_client_address(request)
        try:
            services.add_objection(contest, bike, data["objection"], data["text"], address)
        except services.TooManyObjections:
            text = _("Too much was sent already. Speak to the organiser, or try again later. Your text is still here.")
            form.add_error(None, text)
            status = TOO_MANY
        else:
            return redirect(f"{request.path}?sent")
    return render(request, "agreements/object.html", {**context, "form": form}, status=status)


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the objections, each with a link to its card: those that are open, and those that were settled."""
    return _render_list(request, event)


@organiser_required
def settle(request: OrganiserRequest, event: Event, objection_id: UUID) -> HttpResponse:
    """Settle an objection with an answer."""
    objection = find_objection(event, objection_id)
    if objection is None:
        raise Http404
    form = AnswerForm(request.POST, objection_id=objection.pk)
    if not form.is_valid():
        return _render_list(request, event, form, objection, UNPROCESSABLE)
    try:
        services.settle_objection(objection, request.organiser.pk, form.cleaned_data["answer"])
    except services.AlreadySettled:
        messages.warning(request, _("Another organiser has already settled this."))
    else:
        messages.success(request, _("Settled."))
    return redirect("agreements:objections", event.slug)


def _render_list(
    request: OrganiserRequest,
    event: Event,
    refused: AnswerForm | None = None,
    objection: Objection | None = None,
    status: int = 200,
) -> HttpResponse:
    settled = list(list_settled_objections(event))
    names = list_actor_names(event, [row.settled_by for row in settled if row.settled_by is not None])
    context = {
        "event": event,
        "rows": [
            (row, _get_card_url(event, row), _choose_form(row, refused, objection))
            for row in list_open_objections(event)
        ],
        "refused": refused,
        "settled": [
            (row, _get_card_url(event, row), names.get(row.settled_by, "") if row.settled_by else "") for row in settled
        ],
    }
    return render(request, "agreements/objections.html", context, status=status)


def _choose_form(row: Objection, refused: AnswerForm | None, objection: Objection | None) -> AnswerForm:
    """Return the form that was refused if it is about this objection, or else an empty one."""
    return refused if refused is not None and row == objection else AnswerForm(objection_id=row.pk)


def _get_card_url(event: Event, objection: Objection) -> str:
    bike = objection.bike.merged_into or objection.bike
    return reverse("scorecards:desk_card", args=[event.slug, derive_card_id(objection.contest_id, bike.pk)])
