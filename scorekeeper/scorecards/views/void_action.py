"""Voiding an action: it no longer counts, and stays in the log with the reason.

If the rules do not allow a later action without it, the page names that action. Then everything from the voided action
on can be voided, or the later actions can be decided one by one on the page that corrects.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import get_request_data
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.fold import InvalidTurn, RecordedTurn, TurnChange
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.offer_presenter import explain_problem
from scorekeeper.scorecards.services.action_corrections import correct_actions
from scorekeeper.scorecards.services.corrections import CorrectionTarget
from scorekeeper.scorecards.views.correction_targets import (
    find_invalid_action,
    get_target_action,
    redirect_to_history,
    render_needs_review,
    render_target_gone,
)
from scorekeeper.scorecards.views.error_summary import make_page_errors
from scorekeeper.scorecards.views.table_context import TableContext, render_table_page


def void(request: HttpRequest, table_context: TableContext) -> HttpResponse:
    """Show the action and ask for the reason; then void it, or with `on` everything from it on."""
    action = get_target_action(request, table_context)
    form = CorrectionReasonForm(request.POST or None)
    if action is None:
        return render_target_gone(request, table_context)
    targets = _list_targets(table_context, action) if get_request_data(request).get("on") else [action]
    if request.method != "POST":
        return _render(request, table_context, targets, form)
    if request.POST.get("seq") != _format_seqs(targets):
        text = _(
            "The table has changed since you opened this page, so nothing was voided. This page now "
            "shows the current state."
        )
        return _render(request, table_context, targets, form, [text], 409)
    if not table_context.may_correct:
        text = _("The contest is closed, so nothing was voided. Ask the organiser.")
        return _render(request, table_context, targets, form, [text], 422)
    if not form.is_valid() or _find_obstacle(table_context, targets):
        return _render(request, table_context, targets, form, status=422)
    return _save(request, table_context, targets, form)


def _save(
    request: HttpRequest, table_context: TableContext, targets: Sequence[RecordedTurn], form: CorrectionReasonForm
) -> HttpResponse:
    description, reason = _name_targets(table_context, targets), form.cleaned_data["reason"]
    changes = [CorrectionTarget(target.id, target.seq, None) for target in targets]
    try:
        receipt = correct_actions(
            table_context.actor, form.cleaned_data["operation"], table_context.table.id, changes, reason
        )
    except IdReused:
        fresh = CorrectionReasonForm({"operation": uuid4(), "reason": reason})
        return _render(request, table_context, targets, fresh, [_("This page was already submitted. Try again.")], 409)
    except UnknownTarget:
        return render_target_gone(request, table_context)
    if not receipt.is_applied:
        return render_needs_review(request, table_context.with_current_table(), receipt)
    return redirect_to_history(request, table_context, _("Voided: %(what)s.") % {"what": description}, targets[0].id)


def _list_targets(table_context: TableContext, first: RecordedTurn) -> list[RecordedTurn]:
    """Return an action and all later ones."""
    return list(table_context.table.recorded_actions.values())[table_context.get_action_number(first.id) - 1 :]


def _format_seqs(targets: Sequence[RecordedTurn]) -> str:
    """Return the sequence numbers of the actions when they were last seen, for the form."""
    return " ".join(str(target.seq) for target in targets)


def _name_targets(table_context: TableContext, targets: Sequence[RecordedTurn]) -> str:
    first = table_context.get_action_number(targets[0].id)
    if len(targets) == 1:
        return _("action %(number)s, %(what)s") % {"number": first, "what": table_context.describe_action(targets[0])}
    return _("actions %(first)s to %(last)s") % {"first": first, "last": first + len(targets) - 1}


def _render(
    request: HttpRequest,
    table_context: TableContext,
    targets: Sequence[RecordedTurn],
    form: CorrectionReasonForm,
    texts: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    errors = make_page_errors(texts)
    if form.is_bound:
        errors += [{"field_id": form["reason"].auto_id, "text": str(error)} for error in form["reason"].errors]
    context = {
        "form": form,
        "action_id": targets[0].id,
        "seq": _format_seqs(targets),
        "is_on": len(targets) > 1 or bool(get_request_data(request).get("on")),
        "name": _name_targets(table_context, targets),
        "descriptions": [table_context.describe_action(target) for target in targets],
        "errors": errors,
        "page_url": request.path,
        "correct_url": table_context.get_url("correct"),
        "history_url": table_context.get_history_url(targets[0].id),
        **_present_obstacle(table_context, targets),
    }
    return render_table_page(
        request, table_context, _("Void an action"), "scorecards/_void_action.html", context, status
    )


def _find_obstacle(table_context: TableContext, targets: Sequence[RecordedTurn]) -> InvalidTurn | None:
    return find_invalid_action(table_context, [TurnChange(target.id, None) for target in targets])


def _present_obstacle(table_context: TableContext, targets: Sequence[RecordedTurn]) -> dict[str, str]:
    """Return the later action that the rules would not allow, in words, and the link that voids that too."""
    obstacle = _find_obstacle(table_context, targets)
    if obstacle is None:
        return {"obstacle": ""}
    invalid_action = table_context.table.recorded_actions[obstacle.turn_id]
    params = {
        "number": table_context.get_action_number(invalid_action.id),
        "what": table_context.describe_action(invalid_action),
        "why": explain_problem(table_context.game, obstacle.problems[0]),
    }
    first, last = table_context.get_action_number(targets[0].id), len(table_context.table.recorded_actions)
    return {
        "obstacle": _("Without it, action %(number)s is not allowed (%(what)s). %(why)s") % params,
        "on_url": f"{table_context.get_url('void')}?action={targets[0].id}&on=1",
        "on_label": _("Void everything from here on: actions %(first)s to %(last)s") % {"first": first, "last": last},
    }
