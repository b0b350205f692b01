"""The page of a table: its seats, their totals, and the actions that are possible now, recorded with a tap.

- Every tap submits a complete form. The form carries the draft, which is parsed each time against the current offers.
- A draft that breaks a rule, or that someone else was faster than, is shown again with everything entered, and does not
  reach the log.
- The page polls for changes made elsewhere, and leaves a draft in progress alone.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from games.core.replay import replay_from
from scorekeeper.common.names import drop_double_stop
from scorekeeper.common.partial_pages import is_partial_request
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.action_draft import parse_action
from scorekeeper.scorecards.action_wording import describe_offer_action
from scorekeeper.scorecards.fold import RecordedTurn, canonicalize_actions
from scorekeeper.scorecards.forms.action import ActionForm
from scorekeeper.scorecards.offers import list_offers
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.views.responses import CARD_DAMAGED
from scorekeeper.scorecards.views.table_context import TableContext
from scorekeeper.scorecards.views.table_page import TablePage, filter_draft, get_version, render_table

CONFLICT = 409
UNPROCESSABLE = 422


def table(request: HttpRequest, table_context: TableContext) -> HttpResponse:
    """Show the table, apply a tap, or record the action."""
    form = ActionForm.from_data(get_request_data(request), table_context.table.length)
    if request.method == "POST" and form.is_recording:
        return _check_and_record(request, table_context, form)
    if "poll" in request.GET:
        return answer_poll(request, table_context, form)
    if request.method != "POST" and form.seen_length < table_context.table.length:  # the URL of an undo, opened again
        form = ActionForm(table_context.table.length)
    seen = table_context.with_table_at(form.seen_length)
    draft = filter_draft(seen, table_context, form.apply_press().draft)
    page = TablePage(
        form.for_retry(table_context.table.length, draft), news=_describe_newer_actions(table_context, form.seen_length)
    )
    return render_table(request, table_context, page, done=parse_uuid(request.GET.get("done")))


def _check_and_record(request: HttpRequest, table_context: TableContext, form: ActionForm) -> HttpResponse:
    """Check the action against the table as the page had shown it, and record it."""
    form = form.apply_press()
    seen = table_context.with_table_at(form.seen_length)
    offer = next((offer for offer in list_offers(seen.game, seen.table.state) if offer.key == form.key), None)
    if offer is None:
        return _show_conflict(request, table_context, form, _("That cannot be recorded here now."))
    action, problems = parse_action(offer, form.draft)
    actions = canonicalize_actions(table_context.table.contest, [action], table_context.table.seat_count)
    since = _list_newer_actions(table_context, form.seen_length)
    is_same = bool(since) and since[0].actions == actions
    if form.seen_length < table_context.table.length and not is_same:
        return _show_conflict(
            request, table_context, form, _("The table has changed since, so your action was not recorded.")
        )
    if table_context.table.invalid_action is not None:
        problems = table_context.table.invalid_action.problems
    if not problems:
        problems = replay_from(seen.table.contest.ruleset, seen.table.state, actions).problems
    page = TablePage(
        form, problems, _list_obstacles(table_context), reason_error=_find_reason_error(table_context, form)
    )
    if page.has_errors:
        return render_table(request, table_context, page, UNPROCESSABLE)
    new_action = NewAction(table_context.table.id, form.seen_length, actions, form.reason)
    return _record(request, table_context, form, new_action)


def _record(request: HttpRequest, table_context: TableContext, form: ActionForm, new_action: NewAction) -> HttpResponse:
    try:
        receipt = record_action(table_context.actor, form.operation, new_action)
    except IdReused:
        return _show_conflict(
            request, table_context, form, _("This page was already submitted with something different.")
        )
    except UnknownTarget:
        return _show_conflict(request, table_context, form, _("The table has changed since you opened this page."))
    after = table_context.reload()
    if not receipt.is_applied:
        review_reasons = explain_all(table_context.game.key, receipt.problems)
        page = TablePage(
            form.for_retry(after.table.length, filter_draft(table_context, after, form.draft)),
            review_reasons=review_reasons,
        )
        return render_table(request, after, page, CONFLICT)
    action_id = parse_uuid((receipt.data or {}).get("turn")) or form.operation
    if action_id not in after.table.turns:
        return _show_conflict(request, after, form, _("This was recorded before and has been voided since."))
    if is_partial_request(request):
        return render_table(request, after, TablePage(ActionForm(after.table.length)), done=action_id)
    return redirect(table_context.get_url("table", done=action_id))


def _list_obstacles(table_context: TableContext) -> list[str]:
    """Return the reasons why nothing can be recorded now."""
    if table_context.is_damaged:
        return [str(CARD_DAMAGED)]
    if not table_context.event.is_open:
        return [_("The event is not open, so nothing can be recorded. What you entered is still here.")]
    if table_context.table.is_sealed and not table_context.actor.is_organiser:
        return [_("The contest is closed. Ask the organiser. What you entered is still here.")]
    return []


def _find_reason_error(table_context: TableContext, form: ActionForm) -> str:
    """Return what is wrong with the reason: after the closing the organiser has to give one."""
    if form.reason or not (table_context.table.is_sealed and table_context.actor.is_organiser):
        return ""
    return _("The contest is closed. Enter a reason for recording this anyway.")


def _show_conflict(request: HttpRequest, table_context: TableContext, form: ActionForm, why: str) -> HttpResponse:
    """Show the current table with the draft, where it still fits, and a new operation id (409)."""
    seen = table_context.with_table_at(form.seen_length)
    draft = filter_draft(seen, table_context, form.draft)
    texts = [
        why,
        *_describe_newer_actions(table_context, form.seen_length),
        *_describe_lost_draft(seen, form, is_kept=not draft.is_empty),
    ]
    return render_table(
        request,
        table_context,
        TablePage(form.for_retry(table_context.table.length, draft), page_errors=texts),
        CONFLICT,
    )


def _describe_lost_draft(seen: TableContext, form: ActionForm, *, is_kept: bool) -> list[str]:
    """Return the draft in words, if the form cannot keep it."""
    if is_kept:
        return [_("Check the table, then tap again.")]
    descriptions = [
        describe_offer_action(offer, parse_action(offer, form.draft).action, seen.names)
        for offer in list_offers(seen.game, seen.table.state)
        if offer.key == form.key
    ]
    return [drop_double_stop(_("Not recorded: %(what)s.") % {"what": description}) for description in descriptions]


def _list_newer_actions(table_context: TableContext, seen_length: int) -> list[RecordedTurn]:
    return [recorded for recorded in table_context.table.turns.values() if recorded.seq > seen_length]


def _describe_newer_actions(table_context: TableContext, seen_length: int) -> list[str]:
    """Return what was recorded since the page was made, in words."""
    return [
        drop_double_stop(_("Recorded in the meantime: %(what)s.") % {"what": table_context.describe(recorded)})
        for recorded in _list_newer_actions(table_context, seen_length)
    ]


def answer_poll(request: HttpRequest, table_context: TableContext, form: ActionForm) -> HttpResponse:
    """Return 204 while nothing has changed. A draft in progress is never replaced: the page only gets a notice."""
    if request.GET.get("poll") == get_version(table_context):
        return HttpResponse(status=204)
    if form.draft.is_empty:
        return render_table(request, table_context, TablePage(ActionForm(table_context.table.length)))
    last_action = table_context.table.last_action
    context = {"description": "" if last_action is None else table_context.describe(last_action)}
    response = render(request, "scorecards/_news.html", context)
    response.headers["HX-Retarget"] = "#news"
    response.headers["HX-Reswap"] = "innerHTML"
    return response
