"""Correcting turns of a card: one, or several at once where one alone would be in another's way."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import TurnChange, apply_changes, sort_by_slot
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm, TurnCorrectionForm
from scorekeeper.scorecards.forms.input_methods import list_input_methods
from scorekeeper.scorecards.problem_messages import explain_all
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.recording import IdReused
from scorekeeper.scorecards.services.turns import canonicalize_actions, judge_card
from scorekeeper.scorecards.views.card_context import CardContext, get_request_data
from scorekeeper.scorecards.views.card_views import render_card_page


def correct(request: HttpRequest, place: CardContext) -> HttpResponse:
    """Show the turns asked for (`?turn=`, else all) and correct those that were changed, together or not at all."""
    forms = _list_forms(request, place)
    reason = CorrectionReasonForm(request.POST or None)
    if request.method != "POST":
        return _render_form(request, place, forms, reason)
    if len(forms) < len(set(request.POST.getlist("turn"))) or not all(form.is_unchanged for form in forms):
        return _render_conflict(request, place)
    if not all([reason.is_valid(), *(form.is_valid() for form in forms)]):
        return _render_form(request, place, forms, reason, status=422)
    changed = [form for form in forms if canonicalize_actions(place.card, form.actions) != form.turn.actions]
    if not changed:
        return _render_form(
            request, place, forms, reason, [Sentence(_("You have not changed anything. Change what is wrong."))], 422
        )
    changes = [TurnChange(form.turn.id, canonicalize_actions(place.card, form.actions)) for form in changed]
    judged = judge_card(place.card, apply_changes(place.card.turns, changes, place.card.chain.length + 1))
    if judged.problems:
        sentences = explain_all(place.contest.game_key, judged.problems)
        return _render_form(request, place, forms, reason, sentences, 422)
    return _record(request, place, changed, reason)


def _list_forms(request: HttpRequest, place: CardContext) -> list[TurnCorrectionForm]:
    ways, wanted = list_input_methods(place.ruleset), set(get_request_data(request).getlist("turn"))
    forms = []
    for turn in sort_by_slot(place.card.contest, place.card.turns):
        played = place.card.fold.results.get(turn.id)
        if turn.slot_id is None or (wanted and str(turn.id) not in wanted):
            continue
        title = f"{place.slot_names[turn.slot_id]}: {place.describe_turn(turn)}"
        forms.append(TurnCorrectionForm(ways, turn, played, title, request.POST or None))
    return forms


def _record(
    request: HttpRequest, place: CardContext, changed: Sequence[TurnCorrectionForm], reason: CorrectionReasonForm
) -> HttpResponse:
    targets = [CorrectionTarget(form.turn.id, form.turn.seq, form.actions) for form in changed]
    operation, why = reason.cleaned_data["operation"], reason.cleaned_data["reason"]
    try:
        receipt = amend_turns(place.actor, operation, place.contest.pk, place.bike.pk, targets, why, place.takes_over)
    except IdReused:
        text = _("This page was already submitted with something different. Check the scorecard, then try again.")
        fresh = CorrectionReasonForm({"operation": uuid4(), "reason": why})
        return _render_form(request, place, changed, fresh, [Sentence(text)], 409)
    return render_outcome(request, place, receipt, _("Corrected: %(bike)s.") % {"bike": place.name})


def render_outcome(request: HttpRequest, place: CardContext, receipt: Receipt, done: str) -> HttpResponse:
    """Go back to the history with the good news, or say that the organiser decides (409)."""
    if receipt.is_applied:
        messages.success(request, done)
        return redirect(place.url("history"))
    context = {"sentences": explain_all(place.contest.game_key, receipt.problems)}
    return render_card_page(
        request, place, _("The organiser will decide"), "scorecards/_sent_to_review.html", context, 409
    )


def _render_conflict(request: HttpRequest, place: CardContext) -> HttpResponse:
    """Show the card as it stands now next to what was typed: somebody was faster."""
    text = _(
        "The scorecard has changed since you opened this page, so nothing was corrected. This page now "
        "shows the current entries."
    )
    forms = _list_forms(request, place)
    for form in forms:
        # What was typed stays; from here on it is about the turn as it stands now.
        form.data = {**dict(form.data.items()), form.add_prefix("seq"): str(form.turn.seq)}
    return _render_form(request, place, forms, CorrectionReasonForm(request.POST), [Sentence(text)], 409)


def _render_form(
    request: HttpRequest,
    place: CardContext,
    forms: Sequence[TurnCorrectionForm],
    reason: CorrectionReasonForm,
    sentences: Sequence[Sentence] = (),
    status: int = 200,
) -> HttpResponse:
    errors = [{"field_id": "turns", **sentence.to_data()} for sentence in sentences]
    for form in [*forms, reason]:
        for field in form.visible_fields():
            field_id = f"{field.auto_id}_0" if field.use_fieldset else field.auto_id
            errors += [{"field_id": field_id, "text": str(text)} for text in field.errors if form.is_bound]
    is_part = len(forms) < sum(turn.slot_id is not None for turn in place.card.turns.values())
    context = {
        "forms": forms,
        "reason": reason,
        "errors": errors,
        "sentences": sentences,
        "action": request.path,
        "several_url": place.url("correct") if is_part and sentences else "",
    }
    return render_card_page(request, place, _("Correct"), "scorecards/_correct.html", context, status)
