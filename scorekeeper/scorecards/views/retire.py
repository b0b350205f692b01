"""Retiring a bike from the ride and bringing it back. The organiser or its road captain does so, with a reason.

The bike keeps its points either way. While it is retired, it ranks below all bikes that stayed.
"""

from __future__ import annotations

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.ledger.services.recording import IdReused
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns, retire_bike
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.card_views import render_card_changed, render_card_page
from scorekeeper.scorecards.views.correct import render_outcome

BACK_FIELD = "back"  # asks to bring a bike back; its value is the sequence number of the retirement shown


def retire(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Ask for the reason, then retire the bike (TABLE-3), or bring a retired bike back."""
    if not card_context.can_retire:
        text = _("Only the road captain of the bike’s group or the organiser can do this. Ask one of them.")
        return render_card_page(
            request, card_context, _("Retire from the ride"), "scorecards/_message.html", {"text": text}, 403
        )
    retirement = card_context.card.get_turn(None)
    if retirement is not None:
        return _undo_retirement(request, card_context, retirement)
    if BACK_FIELD in request.POST:
        return render_card_changed(request, card_context, _("This bike is already back in the ride."))
    form = CorrectionReasonForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation, why = form.cleaned_data["operation"], form.cleaned_data["reason"]
        try:
            receipt = retire_bike(card_context.actor, operation, card_context.contest.pk, card_context.bike.pk, why)
        except IdReused:
            form, status = CorrectionReasonForm({"operation": uuid4(), "reason": why}), 409
        else:
            return render_outcome(request, card_context, receipt, _("Retired: %(bike)s.") % {"bike": card_context.name})
    context = {"form": form, "action": request.path}
    return render_card_page(
        request, card_context, _("Retire from the ride"), "scorecards/_retire.html", context, status
    )


def _undo_retirement(request: HttpRequest, card_context: CardContext, retirement: RecordedTurn) -> HttpResponse:
    form = CorrectionReasonForm(request.POST if BACK_FIELD in request.POST else None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation, why = form.cleaned_data["operation"], form.cleaned_data["reason"]
        seen = request.POST[BACK_FIELD]
        if seen != str(retirement.seq):
            return render_card_changed(
                request, card_context, _("The scorecard has changed since you opened this page. Open it again.")
            )
        target = CorrectionTarget(retirement.id, retirement.seq, None)
        try:
            receipt = amend_turns(
                card_context.actor, operation, card_context.contest.pk, card_context.bike.pk, [target], why
            )
        except IdReused:
            form, status = CorrectionReasonForm({"operation": uuid4(), "reason": why}), 409
        else:
            return render_outcome(
                request, card_context, receipt, _("Returned to the ride: %(bike)s.") % {"bike": card_context.name}
            )
    context = {"form": form, "action": request.path, "back": retirement.seq}
    return render_card_page(request, card_context, _("Return to the ride"), "scorecards/_retire.html", context, status)
