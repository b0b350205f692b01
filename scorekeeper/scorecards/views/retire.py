"""A bike that leaves the ride: its points stand, and it ranks below all that stayed. The organiser's to say."""

from __future__ import annotations

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scorekeeper.scorecards.forms.correction import ReasonForm
from scorekeeper.scorecards.services.corrections import retire_bike
from scorekeeper.scorecards.services.recording import OtherBody
from scorekeeper.scorecards.views.correct import answer
from scorekeeper.scorecards.views.doors import render_place
from scorekeeper.scorecards.views.places import Place


@require_http_methods(["GET", "POST"])
def retire(request: HttpRequest, place: Place) -> HttpResponse:
    """Ask for the reason, then note it (TABLE-3)."""
    form = ReasonForm(request.POST or None)
    is_retired = any(turn.slot_id is None for turn in place.card.turns.values())
    status = 200
    if request.method == "POST" and not is_retired:
        status = 422
        if form.is_valid():
            operation, why = form.cleaned_data["operation"], form.cleaned_data["reason"]
            try:
                receipt = retire_bike(place.actor, operation, place.contest.pk, place.bike.pk, why)
            except OtherBody:
                form, status = ReasonForm({"operation": uuid4(), "reason": why}), 409
            else:
                return answer(request, place, receipt, _("Retired: %(bike)s.") % {"bike": place.name})
    context = {"form": form, "is_retired": is_retired, "action": request.path}
    return render_place(request, place, _("Retire from the ride"), "scorecards/_retire.html", context, status)
