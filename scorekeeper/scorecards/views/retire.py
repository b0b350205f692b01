"""A bike that leaves the ride, and one that comes back: the organiser or its road captain says so, with the reason.

Its points stand either way; while it is gone it ranks below all that stayed.
"""

from __future__ import annotations

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns, retire_bike
from scorekeeper.scorecards.services.recording import IdReused
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.card_views import render_card_changed, render_card_page
from scorekeeper.scorecards.views.correct import render_outcome

BACK_FIELD = "back"  # the field by which a page asks for a bike that has left; it holds what it saw of the retirement


def retire(request: HttpRequest, place: CardContext) -> HttpResponse:
    """Ask for the reason, then record that the bike leaves (TABLE-3); of one that has left, that it is back."""
    if not place.can_retire:
        text = _("Only the road captain of the bike’s group or the organiser can do this. Ask one of them.")
        return render_card_page(
            request, place, _("Retire from the ride"), "scorecards/_message.html", {"text": text}, 403
        )
    retirement = place.card.get_turn(None)
    if retirement is not None:
        return _undo_retirement(request, place, retirement)
    if BACK_FIELD in request.POST:
        return render_card_changed(request, place, _("This bike is already back in the ride."))
    form = CorrectionReasonForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation, why = form.cleaned_data["operation"], form.cleaned_data["reason"]
        try:
            receipt = retire_bike(place.actor, operation, place.contest.pk, place.bike.pk, why)
        except IdReused:
            form, status = CorrectionReasonForm({"operation": uuid4(), "reason": why}), 409
        else:
            return render_outcome(request, place, receipt, _("Retired: %(bike)s.") % {"bike": place.name})
    context = {"form": form, "action": request.path}
    return render_card_page(request, place, _("Retire from the ride"), "scorecards/_retire.html", context, status)


def _undo_retirement(request: HttpRequest, place: CardContext, retirement: RecordedTurn) -> HttpResponse:
    form = CorrectionReasonForm(request.POST if BACK_FIELD in request.POST else None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation, why = form.cleaned_data["operation"], form.cleaned_data["reason"]
        seen = request.POST[BACK_FIELD]
        if seen != str(retirement.seq):
            return render_card_changed(
                request, place, _("The scorecard has changed since you opened this page. Open it again.")
            )
        target = CorrectionTarget(retirement.id, retirement.seq, None)
        try:
            receipt = amend_turns(place.actor, operation, place.contest.pk, place.bike.pk, [target], why)
        except IdReused:
            form, status = CorrectionReasonForm({"operation": uuid4(), "reason": why}), 409
        else:
            return render_outcome(request, place, receipt, _("Returned to the ride: %(bike)s.") % {"bike": place.name})
    context = {"form": form, "action": request.path, "back": retirement.seq}
    return render_card_page(request, place, _("Return to the ride"), "scorecards/_retire.html", context, status)
