"""Correcting what was recorded on a card of either kind.

The page shows what was recorded in a form, and asks for the reason: a turn of a bike on the pad it was recorded with,
several turns in fields to type in, an action at a table in its own form. Changes are saved as one operation, once the
rules allow all of them; until then nothing is saved, and everything entered is shown again with what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.fold import TurnChange
from scorekeeper.scorecards.services.corrections import MAX_TARGETS, CorrectionTarget
from scorekeeper.scorecards.views.action_correction import ActionCorrection
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.correction_form import CorrectionForm
from scorekeeper.scorecards.views.pad_correction import PadCorrection
from scorekeeper.scorecards.views.page_context import PageContext, render_page
from scorekeeper.scorecards.views.responses import format_too_many, render_gone, render_outcome
from scorekeeper.scorecards.views.table_context import TableContext
from scorekeeper.scorecards.views.turn_correction import TurnCorrection


def correct(request: HttpRequest, page_context: PageContext) -> HttpResponse:
    """Show what was recorded, apply a tap, or save the correction."""
    form = _open_form(request, page_context)
    if form is None:
        return render_gone(request, page_context)
    if request.method != "POST":
        return _render_form(request, page_context, form)
    if form.stale_message:
        return _render_form(request, page_context, form.for_retry(form.stale_message), 409)
    step = form.apply_button()
    if step.changes is None:
        return _render_form(request, page_context, step.form, step.status)
    refused = _find_refused(page_context, step.form, step.changes)
    if refused is not None:
        return _render_form(request, page_context, refused, 422)
    return _save(request, page_context, step.form, step.changes)


def _open_form(request: HttpRequest, page_context: PageContext) -> CorrectionForm | None:
    """Return the form for the turns that a request names, or for the action; None if that no longer counts.

    Raises:
        Http404: the request names no action at a table.
    """
    if isinstance(page_context, CardContext):
        turn = PadCorrection.find_turn(page_context, request)
        if turn is None:
            return TurnCorrection.open(page_context, request)
        return PadCorrection.open(page_context, request, turn)
    assert isinstance(page_context, TableContext)
    recorded = page_context.find_target(request)
    return None if recorded is None else ActionCorrection.open(page_context, request, recorded)


def _find_refused(
    page_context: PageContext, form: CorrectionForm, changes: Sequence[TurnChange]
) -> CorrectionForm | None:
    """Return the form that says why the changes cannot be saved; None if they can."""
    if not page_context.may_correct:
        text = _("The contest is closed. Ask the organiser. What you entered is still here.")
        return replace(form, page_errors=(text,))
    if not changes:
        return replace(form, refusals=(Sentence(_("You have not changed anything. Change what is wrong.")),))
    if len(changes) > MAX_TARGETS:
        return replace(form, refusals=(Sentence(format_too_many(len(changes))),))
    return form.find_invalid(changes) or (None if form.reason.is_valid() else form)


def _save(
    request: HttpRequest, page_context: PageContext, form: CorrectionForm, changes: Sequence[TurnChange]
) -> HttpResponse:
    recorded, fields = page_context.recorded, form.reason.cleaned_data
    targets = [CorrectionTarget(change.turn_id, recorded[change.turn_id].seq, change.actions) for change in changes]
    try:
        receipt = page_context.amend(fields["operation"], targets, fields["reason"])
    except IdReused:
        text = _("This page was already submitted with something different.")
        return _render_form(request, page_context, form.for_retry(text), 409)
    except UnknownTarget:
        return render_gone(request, page_context)
    after = page_context.reload()
    if receipt.is_applied and any(change.actions and change.turn_id not in after.recorded for change in changes):
        return render_gone(request, after)  # the same operation was recorded before, and voided since
    done = form.describe_saved(changes, after) if receipt.is_applied else ""
    return render_outcome(request, after, receipt, done, changes[0].turn_id)


def _render_form(
    request: HttpRequest, page_context: PageContext, form: CorrectionForm, status: int = 200
) -> HttpResponse:
    context = {
        "page_context": page_context,
        "reason": form.reason,
        "errors": form.list_errors(),
        "refusals": form.refusals,
        "entries_template": form.template,
        **form.present(),
    }
    return render_page(request, page_context, page_context.wording.correct, form.page_part, context, status)
