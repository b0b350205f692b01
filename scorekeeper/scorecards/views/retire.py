"""A bike that leaves the ride, and one that comes back: the organiser or its road captain says so, with the reason.

Its points stand either way; while it is gone it ranks below all that stayed.
"""

from __future__ import annotations

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.scorecards.fold import NotedTurn
from scorekeeper.scorecards.forms.correction import ReasonForm
from scorekeeper.scorecards.services.corrections import Target, amend_turns, retire_bike
from scorekeeper.scorecards.services.recording import OtherBody
from scorekeeper.scorecards.views.correct import answer
from scorekeeper.scorecards.views.doors import render_place, show_changed
from scorekeeper.scorecards.views.places import Place

BACK = "back"  # the field by which a page asks for a bike that has left; it holds what it saw of the retirement


def retire(request: HttpRequest, place: Place) -> HttpResponse:
    """Ask for the reason, then record that the bike leaves (TABLE-3); of one that has left, that it is back."""
    if not place.may_retire:
        text = _("Only the road captain of the bike's group or the organiser can do this. Tell one of them.")
        return render_place(request, place, _("Retire from the ride"), "scorecards/_gone.html", {"text": text}, 403)
    retirement = place.card.turn_in(None)
    if retirement is not None:
        return _take_back(request, place, retirement)
    if BACK in request.POST:
        return show_changed(request, place, _("This bike is back in the ride already."))
    form = ReasonForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation, why = form.cleaned_data["operation"], form.cleaned_data["reason"]
        try:
            receipt = retire_bike(place.actor, operation, place.contest.pk, place.bike.pk, why)
        except OtherBody:
            form, status = ReasonForm({"operation": uuid4(), "reason": why}), 409
        else:
            return answer(request, place, receipt, _("Retired: %(bike)s.") % {"bike": place.name})
    context = {"form": form, "action": request.path}
    return render_place(request, place, _("Retire from the ride"), "scorecards/_retire.html", context, status)


def _take_back(request: HttpRequest, place: Place, retirement: NotedTurn) -> HttpResponse:
    form = ReasonForm(request.POST if BACK in request.POST else None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation, why = form.cleaned_data["operation"], form.cleaned_data["reason"]
        seen = request.POST[BACK]
        if seen != str(retirement.seq):
            return show_changed(request, place, _("The card has changed since this page was opened. Open it again."))
        target = Target(retirement.id, retirement.seq, None)
        try:
            receipt = amend_turns(place.actor, operation, place.contest.pk, place.bike.pk, [target], why)
        except OtherBody:
            form, status = ReasonForm({"operation": uuid4(), "reason": why}), 409
        else:
            return answer(request, place, receipt, _("Back in the ride: %(bike)s.") % {"bike": place.name})
    context = {"form": form, "action": request.path, "back": retirement.seq}
    return render_place(request, place, _("Back in the ride"), "scorecards/_retire.html", context, status)
