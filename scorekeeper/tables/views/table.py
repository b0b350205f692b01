"""A table: who sits there, how it stands, and what may be done now. A tap on what was done records it.

Every tap is a form that works by itself; the draft travels in it and is read anew each time against what the game
offers at that moment. A draft that breaks a rule, or that somebody was faster than, is shown with everything tapped
and does not reach the log. The page asks now and then whether something was noted elsewhere; a draft that was begun
is left in peace.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.core.replay import replay_from
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.problem_messages import explain_all
from scorekeeper.scorecards.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.views.card_context import get_request_data, is_partial_request, parse_uuid
from scorekeeper.scorecards.views.card_views import CARD_DAMAGED
from scorekeeper.tables.action_draft import parse_action
from scorekeeper.tables.forms.action import ActionForm
from scorekeeper.tables.offers import list_offers
from scorekeeper.tables.services.actions import NewAction, canonicalize_actions, record_action
from scorekeeper.tables.views.poll import answer_poll
from scorekeeper.tables.views.table_context import TableContext
from scorekeeper.tables.views.table_page import TablePage, filter_draft, render_table
from scorekeeper.tables.wording import describe_offer_action

CONFLICT = 409
UNPROCESSABLE = 422


def table(request: HttpRequest, place: TableContext) -> HttpResponse:
    """Show the table, take a tap, or record the action."""
    form = ActionForm.from_data(get_request_data(request), place.table.length)
    if request.method == "POST" and form.is_recording:
        return _check_and_record(request, place, form)
    if "poll" in request.GET:
        return answer_poll(request, place, form)
    if request.method != "POST" and form.seen_length < place.table.length:  # the address of an undo, opened once more
        form = ActionForm(place.table.length)
    seen = place.with_table_at(form.seen_length)
    draft = filter_draft(seen, place, form.apply_press().draft)
    page = TablePage(form.for_retry(place.table.length, draft), news=_describe_newer_actions(place, form.seen_length))
    return render_table(request, place, page, done=parse_uuid(request.GET.get("done")))


def _check_and_record(request: HttpRequest, place: TableContext, form: ActionForm) -> HttpResponse:
    """Judge the action as the page had shown the table, and record it."""
    form = form.apply_press()
    seen = place.with_table_at(form.seen_length)
    offer = next((offer for offer in list_offers(seen.game, seen.table.state) if offer.key == form.key), None)
    if offer is None:
        return _show_conflict(request, place, form, _("That cannot be recorded here now."))
    action, problems = parse_action(offer, form.draft)
    actions = canonicalize_actions(place.table, [action])
    since = _list_newer_actions(place, form.seen_length)
    is_same = bool(since) and since[0].actions == actions
    if form.seen_length < place.table.length and not is_same:
        return _show_conflict(request, place, form, _("The table has changed since, so your action was not recorded."))
    if place.table.invalid_action is not None:
        problems = place.table.invalid_action.problems
    if not problems:
        problems = replay_from(seen.table.contest.ruleset, seen.table.state, actions).problems
    page = TablePage(form, problems, _list_obstacles(place), reason_error=_find_reason_error(place, form))
    if page.has_errors:
        return render_table(request, place, page, UNPROCESSABLE)
    note = NewAction(place.table.id, form.seen_length, actions, form.reason)
    return _record(request, place, form, note)


def _record(request: HttpRequest, place: TableContext, form: ActionForm, note: NewAction) -> HttpResponse:
    try:
        receipt = record_action(place.actor, form.operation, note)
    except IdReused:
        return _show_conflict(request, place, form, _("This page was already submitted with something different."))
    except UnknownTarget:
        return _show_conflict(request, place, form, _("The table has changed since you opened this page."))
    after = place.with_current_table()
    if not receipt.is_applied:
        kept = explain_all(place.game.key, receipt.problems)
        page = TablePage(
            form.for_retry(after.table.length, filter_draft(place, after, form.draft)), review_reasons=kept
        )
        return render_table(request, after, page, CONFLICT)
    noted = parse_uuid((receipt.data or {}).get("turn")) or form.operation
    if noted not in after.table.recorded_actions:
        return _show_conflict(request, after, form, _("This was recorded before and has been voided since."))
    if is_partial_request(request):
        return render_table(request, after, TablePage(ActionForm(after.table.length)), done=noted)
    return redirect(f"{place.get_url('table')}?done={noted}")


def _list_obstacles(place: TableContext) -> list[str]:
    """Return what stands in the way of any note whatever."""
    if place.is_damaged:
        return [str(CARD_DAMAGED)]
    if not place.event.is_open:
        return [_("The ride is not open, so nothing can be recorded. What you tapped is still here.")]
    if place.table.is_sealed and not place.actor.is_organiser:
        return [_("The contest is closed. Ask the organiser. What you tapped is still here.")]
    return []


def _find_reason_error(place: TableContext, form: ActionForm) -> str:
    """Return what is wrong with the reason: after the closing the organiser has to give one."""
    if form.reason or not (place.table.is_sealed and place.actor.is_organiser):
        return ""
    return _("The contest is closed. Enter a reason for recording this anyway.")


def _show_conflict(request: HttpRequest, place: TableContext, form: ActionForm, why: str) -> HttpResponse:
    """Show the table as it stands now, what was tapped where it still fits, and a new operation's id (409)."""
    seen = place.with_table_at(form.seen_length)
    draft = filter_draft(seen, place, form.draft)
    texts = [
        why,
        *_describe_newer_actions(place, form.seen_length),
        *_describe_lost_draft(seen, form, is_kept=not draft.is_empty),
    ]
    return render_table(
        request, place, TablePage(form.for_retry(place.table.length, draft), page_errors=texts), CONFLICT
    )


def _describe_lost_draft(seen: TableContext, form: ActionForm, *, is_kept: bool) -> list[str]:
    """Return what was tapped, in words, where the form cannot keep it."""
    if is_kept:
        return [_("Check the table, then tap again.")]
    said = [
        describe_offer_action(offer, parse_action(offer, form.draft).action, seen.names)
        for offer in list_offers(seen.game, seen.table.state)
        if offer.key == form.key
    ]
    return [_("Not recorded: %(what)s.") % {"what": what} for what in said]


def _list_newer_actions(place: TableContext, seen: int) -> list[RecordedTurn]:
    return [one for one in place.table.recorded_actions.values() if one.seq > seen]


def _describe_newer_actions(place: TableContext, seen: int) -> list[str]:
    """Return what was noted since the page was made, in words."""
    return [
        _("Recorded in the meantime: %(what)s.") % {"what": place.describe_action(one)}
        for one in _list_newer_actions(place, seen)
    ]
