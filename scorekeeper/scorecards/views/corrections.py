"""Correcting turns of a card: one turn, or several at once if a change to one alone would conflict with another."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import get_request_data
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.services.recording import IdReused
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import TurnChange, apply_changes, sort_by_slot
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm, TurnCorrectionForm
from scorekeeper.scorecards.forms.input_methods import list_input_methods
from scorekeeper.scorecards.services.corrections import CorrectionTarget
from scorekeeper.scorecards.services.turns import canonicalize_actions, judge_card
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.outcomes import render_outcome
from scorekeeper.scorecards.views.page_context import render_page


def correct(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Show the requested turns (`?turn=`, otherwise all) and correct those that were changed: all of them or none."""
    forms = _list_forms(request, card_context)
    reason = CorrectionReasonForm(request.POST or None)
    if request.method != "POST":
        return _render_form(request, card_context, forms, reason)
    if len(forms) < len(set(request.POST.getlist("turn"))) or not all(form.is_unchanged for form in forms):
        return _render_conflict(request, card_context)
    if not all([reason.is_valid(), *(form.is_valid() for form in forms)]):
        return _render_form(request, card_context, forms, reason, status=422)
    changed = [form for form in forms if canonicalize_actions(card_context.card, form.actions) != form.turn.actions]
    if not changed:
        return _render_form(
            request,
            card_context,
            forms,
            reason,
            [Sentence(_("You have not changed anything. Change what is wrong."))],
            422,
        )
    changes = [TurnChange(form.turn.id, canonicalize_actions(card_context.card, form.actions)) for form in changed]
    judged = judge_card(
        card_context.card, apply_changes(card_context.card.turns, changes, card_context.card.chain.length + 1)
    )
    if judged.problems:
        sentences = explain_all(card_context.contest.game_key, judged.problems)
        return _render_form(request, card_context, forms, reason, sentences, 422)
    return _record(request, card_context, changed, reason)


def _list_forms(request: HttpRequest, card_context: CardContext) -> list[TurnCorrectionForm]:
    methods, requested = list_input_methods(card_context.ruleset), set(get_request_data(request).getlist("turn"))
    forms = []
    for turn in sort_by_slot(card_context.card.contest, card_context.card.turns):
        result = card_context.card.fold.results.get(turn.id)
        if turn.slot_id is None or (requested and str(turn.id) not in requested):
            continue
        title = card_context.name_turns([turn])
        forms.append(TurnCorrectionForm(methods, turn, result, title, request.POST or None))
    return forms


def _record(
    request: HttpRequest, card_context: CardContext, changed: Sequence[TurnCorrectionForm], reason: CorrectionReasonForm
) -> HttpResponse:
    targets = [CorrectionTarget(form.turn.id, form.turn.seq, form.actions) for form in changed]
    operation, why = reason.cleaned_data["operation"], reason.cleaned_data["reason"]
    try:
        receipt = card_context.amend(operation, targets, why)
    except IdReused:
        text = _("This page was already submitted with something different. Check the scorecard, then try again.")
        fresh = CorrectionReasonForm({"operation": uuid4(), "reason": why})
        return _render_form(request, card_context, changed, fresh, [Sentence(text)], 409)
    return render_outcome(request, card_context, receipt, _("Corrected: %(bike)s.") % {"bike": card_context.name})


def _render_conflict(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Show the current card together with what was typed, after someone else has changed it."""
    text = _(
        "The scorecard has changed since you opened this page, so nothing was corrected. This page now "
        "shows the current entries."
    )
    forms = _list_forms(request, card_context)
    for form in forms:
        # Keep what was typed; from now on the form is about the current version of the turn.
        form.data = {**dict(form.data.items()), form.add_prefix("seq"): str(form.turn.seq)}
    return _render_form(request, card_context, forms, CorrectionReasonForm(request.POST), [Sentence(text)], 409)


def _render_form(
    request: HttpRequest,
    card_context: CardContext,
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
    is_part = len(forms) < sum(turn.slot_id is not None for turn in card_context.card.turns.values())
    context = {
        "forms": forms,
        "reason": reason,
        "errors": errors,
        "sentences": sentences,
        "action": request.path,
        "several_url": card_context.get_url("correct") if is_part and sentences else "",
    }
    return render_page(request, card_context, _("Correct"), "scorecards/_correct.html", context, status)
