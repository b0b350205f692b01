"""Voiding an action: it no longer counts, and stays in the log with the reason.

Where the rules do not allow a later action without it, that one is named. Then everything from here on can be voided,
or each of the later actions can be decided about on the page that corrects.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.scorecards.fold import InvalidTurn, RecordedTurn, TurnChange
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.services.corrections import CorrectionTarget
from scorekeeper.scorecards.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.views.card_context import get_request_data
from scorekeeper.tables.offer_presenter import explain_problem
from scorekeeper.tables.services.corrections import correct_actions
from scorekeeper.tables.views.correction_targets import (
    find_invalid_action,
    get_target_action,
    redirect_to_history,
    render_needs_review,
    render_target_gone,
)
from scorekeeper.tables.views.error_summary import make_page_errors
from scorekeeper.tables.views.table_context import TableContext, render_table_page


def void(request: HttpRequest, place: TableContext) -> HttpResponse:
    """Name the action and ask for the reason; then void it, or with `on` everything from it on."""
    action = get_target_action(request, place)
    form = CorrectionReasonForm(request.POST or None)
    if action is None:
        return render_target_gone(request, place)
    targets = _list_targets(place, action) if get_request_data(request).get("on") else [action]
    if request.method != "POST":
        return _render(request, place, targets, form)
    if request.POST.get("seq") != _format_seqs(targets):
        text = _(
            "The table has changed since you opened this page, so nothing was voided. This page now "
            "shows the current state."
        )
        return _render(request, place, targets, form, [text], 409)
    if not place.may_correct:
        text = _("The contest is closed, so nothing was voided. Ask the organiser.")
        return _render(request, place, targets, form, [text], 422)
    if not form.is_valid() or _find_obstacle(place, targets):
        return _render(request, place, targets, form, status=422)
    return _save(request, place, targets, form)


def _save(
    request: HttpRequest, place: TableContext, targets: Sequence[RecordedTurn], form: CorrectionReasonForm
) -> HttpResponse:
    told, why = _name_targets(place, targets), form.cleaned_data["reason"]
    changes = [CorrectionTarget(one.id, one.seq, None) for one in targets]
    try:
        receipt = correct_actions(place.actor, form.cleaned_data["operation"], place.table.id, changes, why)
    except IdReused:
        fresh = CorrectionReasonForm({"operation": uuid4(), "reason": why})
        return _render(request, place, targets, fresh, [_("This page was already submitted. Try again.")], 409)
    except UnknownTarget:
        return render_target_gone(request, place)
    if not receipt.is_applied:
        return render_needs_review(request, place.with_current_table(), receipt)
    return redirect_to_history(request, place, _("Voided: %(what)s.") % {"what": told}, targets[0].id)


def _list_targets(place: TableContext, first: RecordedTurn) -> list[RecordedTurn]:
    """Return an action and all that came after it."""
    return list(place.table.recorded_actions.values())[place.get_action_number(first.id) - 1 :]


def _format_seqs(targets: Sequence[RecordedTurn]) -> str:
    """Return how the actions were last seen, as the form carries it."""
    return " ".join(str(one.seq) for one in targets)


def _name_targets(place: TableContext, targets: Sequence[RecordedTurn]) -> str:
    first = place.get_action_number(targets[0].id)
    if len(targets) == 1:
        return _("action %(number)s, %(what)s") % {"number": first, "what": place.describe_action(targets[0])}
    return _("actions %(first)s to %(last)s") % {"first": first, "last": first + len(targets) - 1}


def _render(
    request: HttpRequest,
    place: TableContext,
    targets: Sequence[RecordedTurn],
    form: CorrectionReasonForm,
    texts: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    errors = make_page_errors(texts)
    if form.is_bound:
        errors += [{"field_id": form["reason"].auto_id, "text": str(one)} for one in form["reason"].errors]
    context = {
        "form": form,
        "action_id": targets[0].id,
        "seq": _format_seqs(targets),
        "is_on": len(targets) > 1 or bool(get_request_data(request).get("on")),
        "name": _name_targets(place, targets),
        "told": [place.describe_action(one) for one in targets],
        "errors": errors,
        "here": request.path,
        "correct_url": place.get_url("correct"),
        "history_url": place.get_history_url(targets[0].id),
        **_present_obstacle(place, targets),
    }
    return render_table_page(request, place, _("Void an action"), "tables/_void.html", context, status)


def _find_obstacle(place: TableContext, targets: Sequence[RecordedTurn]) -> InvalidTurn | None:
    return find_invalid_action(place, [TurnChange(one.id, None) for one in targets])


def _present_obstacle(place: TableContext, targets: Sequence[RecordedTurn]) -> dict[str, str]:
    """Return which later action could not stand, in words, and the way to void that too."""
    obstacle = _find_obstacle(place, targets)
    if obstacle is None:
        return {"obstacle": ""}
    in_the_way = place.table.recorded_actions[obstacle.turn_id]
    words = {
        "number": place.get_action_number(in_the_way.id),
        "what": place.describe_action(in_the_way),
        "why": explain_problem(place.game, obstacle.problems[0]),
    }
    first, last = place.get_action_number(targets[0].id), len(place.table.recorded_actions)
    return {
        "obstacle": _("Without it, action %(number)s is not allowed (%(what)s). %(why)s") % words,
        "on_url": f"{place.get_url('void')}?action={targets[0].id}&on=1",
        "on_label": _("Void everything from here on: actions %(first)s to %(last)s") % {"first": first, "last": last},
    }
