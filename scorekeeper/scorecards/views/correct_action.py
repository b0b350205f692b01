"""Correcting actions: a form for the state before the wrong action, filled with what was recorded, and the reason.

If the rules then no longer allow a later action, nothing is saved yet. That action is shown with a form of its own; it
can be corrected or voided, or a missing action can be added before it. The form carries the decisions; once the rules
allow all of them, they are saved as one operation.
"""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games.core.replay import replay_from
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.action_draft import parse_action
from scorekeeper.scorecards.correction_draft import ActionPart, CorrectionDraft
from scorekeeper.scorecards.fold import InvalidTurn
from scorekeeper.scorecards.forms.action import ActionForm
from scorekeeper.scorecards.forms.correction_decisions import load_decisions, read_part
from scorekeeper.scorecards.offer_presenter import explain_problem
from scorekeeper.scorecards.services.actions import canonicalize_actions
from scorekeeper.scorecards.services.corrections import MAX_TARGETS
from scorekeeper.scorecards.views.correction_page import ADD_PREFIX, CorrectionPage, render_correction
from scorekeeper.scorecards.views.outcomes import (
    find_target,
    format_too_many,
    render_changed,
    render_outcome,
    render_sent_to_review,
    render_turn_gone,
)
from scorekeeper.scorecards.views.table_context import TableContext


def correct(request: HttpRequest, table_context: TableContext) -> HttpResponse:
    """Show the action as it was recorded, apply a tap, go to another action, or save the correction."""
    recorded = find_target(request, table_context)
    if recorded is None:
        return render_turn_gone(request, table_context)
    data = get_request_data(request)
    correction, is_current = load_decisions(data, table_context.table)
    form = ActionForm.from_data(data, recorded.seq)
    page = CorrectionPage(table_context, correction, read_part(data.get("part"), recorded, correction), form)
    if request.method != "POST":
        if page.offer is None:
            return render_changed(
                request, table_context, _("This action cannot be corrected, only voided. Go back and void it.")
            )
        return render_correction(request, page.fill_form())
    page = replace(page, form=form.apply_press())
    if form.seen_length != recorded.seq or not is_current:
        text = _("The action has changed since you opened this page, so nothing was corrected. It is now: %(what)s.")
        return _show_conflict(request, page, text % {"what": table_context.describe_turn(recorded)})
    return _handle_button(request, page)


def _handle_button(request: HttpRequest, page: CorrectionPage) -> HttpResponse:
    """Handle the button that was pressed."""
    data, correction = get_request_data(request), page.correction
    if "at" in data:
        action_id, _space, part = str(data["at"]).partition(" ")
        requested = parse_uuid(action_id)
        recorded = None if requested is None else page.table_context.table.recorded_actions.get(requested)
        return render_correction(
            request, page if recorded is None else page.move_to(read_part(part, recorded, correction), correction)
        )
    if "void" in data:
        return _save_or_continue(request, page, correction.replace_part(page.part, ()))
    if "void_all" in data:
        return _save_or_continue(request, page, correction.void_parts(page.invalid_actions))
    return _check_action(request, page) if page.form.is_recording else render_correction(request, page)


def _check_action(request: HttpRequest, page: CorrectionPage) -> HttpResponse:
    """Check the new action against the state before it."""
    table_context, form = page.table_context, page.form
    chosen = next((offer for offer in (*page.offers, *page.additions) if offer.key == form.key), None)
    if chosen is None:
        return _show_conflict(request, page, _("That could not be recorded at that point."))
    action, problems = parse_action(chosen, form.draft)
    actions = canonicalize_actions(table_context.table, [action])
    if not problems:
        problems = replay_from(table_context.table.contest.ruleset, page.state, actions).problems
    if problems:
        return render_correction(request, replace(page, problems=problems, reason_error=_find_reason_error(form)), 422)
    change = page.correction.insert_before if form.key.startswith(ADD_PREFIX) else page.correction.replace_part
    return _save_or_continue(request, page, change(page.part, actions))


def _save_or_continue(request: HttpRequest, page: CorrectionPage, new_correction: CorrectionDraft) -> HttpResponse:
    """Save the decisions if the rules allow all of them; otherwise continue with the first invalid action."""
    if not page.table_context.may_correct:
        text = _("The contest is closed. Ask the organiser. What you entered is still here.")
        return render_correction(
            request, replace(page, page_errors=(text,), reason_error=_find_reason_error(page.form)), 422
        )
    if not new_correction.decisions:
        refusals = (Sentence(_("You have not changed anything. Change what is wrong.")),)
        return render_correction(
            request, replace(page, refusals=refusals, reason_error=_find_reason_error(page.form)), 422
        )
    if len(new_correction.decisions) > MAX_TARGETS:
        refusals = (Sentence(format_too_many(len(new_correction.decisions))),)
        return render_correction(
            request, replace(page, refusals=refusals, reason_error=_find_reason_error(page.form)), 422
        )
    invalid = next(iter(new_correction.list_invalid()), None)
    if invalid is not None:
        part = ActionPart(page.table_context.table.recorded_actions[invalid.turn_id], invalid.action_index)
        sentence = _describe_invalid_action(page.table_context, invalid)
        return render_correction(request, replace(page.move_to(part, new_correction), refusals=(sentence,)), 422)
    if not page.form.reason:
        return render_correction(request, replace(page, reason_error=_find_reason_error(page.form)), 422)
    return _save(request, page, new_correction)


def _find_reason_error(form: ActionForm) -> str:
    return "" if form.reason else _("Enter a reason.")


def _describe_invalid_action(table_context: TableContext, invalid: InvalidTurn) -> Sentence:
    recorded = table_context.table.recorded_actions[invalid.turn_id]
    sentence = explain_problem(table_context.game, invalid.problems[0])
    params = {
        "number": table_context.get_action_number(recorded.id),
        "what": table_context.describe_turn(recorded),
        "why": sentence.text,
    }
    return replace(sentence, text=_("With this change, action %(number)s is not allowed (%(what)s). %(why)s") % params)


def _save(request: HttpRequest, page: CorrectionPage, new_correction: CorrectionDraft) -> HttpResponse:
    table_context, form, targets = page.table_context, page.form, new_correction.targets
    try:
        receipt = table_context.amend(form.operation, targets, form.reason)
    except IdReused:
        return _show_conflict(request, page, _("This page was already submitted with something different."))
    except UnknownTarget:
        return render_turn_gone(request, table_context)
    after = table_context.reload()
    first = targets[0].turn_id
    if not receipt.is_applied:
        return render_sent_to_review(request, after, receipt)
    if len(targets) == 1 and targets[0].actions is not None and first not in after.table.recorded_actions:
        return render_turn_gone(request, after)
    return render_outcome(request, after, receipt, _describe_result(table_context, after, new_correction), first)


def _describe_result(before: TableContext, after: TableContext, new_correction: CorrectionDraft) -> str:
    """Return a message that says what was saved, for the history page."""
    changes = new_correction.changes
    if len(changes) > 1:
        voided = sum(change.actions is None for change in changes)
        counts = {"corrected": len(changes) - voided, "voided": voided}
        return _("Saved together. Actions corrected: %(corrected)s, voided: %(voided)s.") % counts
    changed = changes[0].turn_id
    table_context = before if changes[0].actions is None else after
    params = {
        "number": table_context.get_action_number(changed),
        "what": table_context.describe_turn(table_context.table.recorded_actions[changed]),
    }
    if changes[0].actions is None:
        return _("Voided: %(what)s.") % {"what": _("action %(number)s, %(what)s") % params}
    return _("Corrected: action %(number)s, %(what)s.") % params


def _show_conflict(request: HttpRequest, page: CorrectionPage, text: str) -> HttpResponse:
    """Show the form again with everything entered and a new operation id (409)."""
    form = page.form.for_retry(page.part.recorded_action.seq, page.form.draft)
    return render_correction(request, replace(page, form=form, page_errors=(text, _("Check it, then try again."))), 409)
