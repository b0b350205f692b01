"""The history of a card of either kind, and the two ways to take back what was recorded: undoing and voiding it.

- To undo is to void what was just recorded; what was entered comes back into the form.
- What is voided no longer counts, but stays in the log, with the reason.
- If the rules do not allow something later without it, the page names that, and offers what can be done instead.
- What one operation may not change at once is not voided together.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.common.names import drop_double_stop
from scorekeeper.common.request_data import get_request_data, parse_uuid
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.ledger.usual_reasons import UNDONE
from scorekeeper.scorecards.fold import Actions, RecordedTurn
from scorekeeper.scorecards.forms.action import read_operation_id
from scorekeeper.scorecards.forms.correction import TappedReasonForm
from scorekeeper.scorecards.services.corrections import MAX_TARGETS, CorrectionTarget
from scorekeeper.scorecards.views.page_context import PageContext, list_form_errors, make_page_errors, render_page
from scorekeeper.scorecards.views.responses import render_gone, render_outcome, render_too_many

ALL_LATER_FIELD = "on"  # asks to void everything from the turn on


def history(request: HttpRequest, page_context: PageContext) -> HttpResponse:
    """Show what counts now, who recorded it, the corrections, the score sheet, and what is in review."""
    context = {"page_context": page_context, **page_context.present_history(request.GET)}
    title = page_context.wording.history
    return render_page(request, page_context, title, "scorecards/_history.html", context)


def undo(request: HttpRequest, page_context: PageContext) -> HttpResponse:
    """Void the turn and go back to its form. If it has changed since, change nothing and show the current entries."""
    last = page_context.find_undoable(parse_uuid(request.POST.get(page_context.target_field)))
    done = "" if last is None else page_context.describe_undone(last)
    receipt = undo_last_change(request, page_context, last, None)
    if last is None or receipt is None:
        return redirect(page_context.get_url(page_context.entry_page))
    messages.success(request, done)
    return redirect(page_context.get_form_url(last, receipt))


def undo_last_change(
    request: HttpRequest, page_context: PageContext, turn: RecordedTurn | None, before: Actions | None
) -> Receipt | None:
    """Bring a turn back to what it was. If it has changed since the page was shown, change nothing, and say so.

    Args:
        turn: the current one; None if it no longer counts.
        before: the actions that it had; None voids it.

    Returns:
        The receipt; None if nothing was undone.
    """
    if turn is None or str(turn.seq) != request.POST.get("seq"):
        text = _("Nothing was undone, since the entries have changed. These are the current ones.")
        messages.warning(request, text)
        return None
    target, reason = CorrectionTarget(turn.id, turn.seq, before), UNDONE
    try:
        receipt = page_context.amend(read_operation_id(request.POST), [target], reason)
    except (IdReused, UnknownTarget):
        receipt = None
    if receipt is None or not receipt.is_applied:
        messages.warning(request, _("Nothing was undone. These are the current entries."))
        return None
    return receipt


def void(request: HttpRequest, page_context: PageContext) -> HttpResponse:
    """Show the turn and ask for the reason; then void it, or everything from it on."""
    first = page_context.find_target(request)
    if first is None:
        return render_gone(request, page_context)
    is_all_later = bool(get_request_data(request).get(ALL_LATER_FIELD))
    to_void = page_context.list_with_later(first) if is_all_later else [first]
    if len(to_void) > MAX_TARGETS:
        return render_too_many(request, page_context, len(to_void))
    form = page_context.make_reason_form(request.POST or None)
    if request.method != "POST":
        return _render_void(request, page_context, to_void, form)
    if request.POST.get("seq") != _format_seqs(to_void):
        text = _("Someone has changed this since you opened the page, so nothing was voided. Check it, then try again.")
        return _render_void(request, page_context, to_void, form, text, 409)
    if not page_context.may_correct:
        text = _("The contest is closed, so nothing was voided. Ask the organiser.")
        return _render_void(request, page_context, to_void, form, text, 422)
    if not form.is_valid() or page_context.find_obstacle(to_void):
        return _render_void(request, page_context, to_void, form, status=422)
    return _save_void(request, page_context, to_void, form)


def _save_void(
    request: HttpRequest, page_context: PageContext, to_void: Sequence[RecordedTurn], form: TappedReasonForm
) -> HttpResponse:
    done = drop_double_stop(_("Voided: %(what)s.") % {"what": page_context.name_recorded(to_void)})
    reason = form.cleaned_data["reason"]
    targets = [CorrectionTarget(each.id, each.seq, None) for each in to_void]
    try:
        receipt = page_context.amend(form.cleaned_data["operation"], targets, reason)
    except IdReused:
        return _render_void(
            request, page_context, to_void, form.for_retry(), _("This page was already submitted. Try again."), 409
        )
    except UnknownTarget:
        return render_gone(request, page_context)
    return render_outcome(request, page_context.reload(), receipt, done, to_void[0].id)


def _format_seqs(to_void: Sequence[RecordedTurn]) -> str:
    """Return the sequence numbers of what is to be voided, as it was last seen, for the form."""
    return " ".join(str(each.seq) for each in to_void)


def _render_void(
    request: HttpRequest,
    page_context: PageContext,
    to_void: Sequence[RecordedTurn],
    form: TappedReasonForm,
    text: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "page_context": page_context,
        "form": form,
        "turn_id": to_void[0].id,
        "move_url": page_context.get_move_url(to_void[0]),
        "seqs": _format_seqs(to_void),
        "is_all_later": bool(get_request_data(request).get(ALL_LATER_FIELD)),
        "name": page_context.name_recorded(to_void),
        "descriptions": page_context.describe_all(to_void),
        "obstacle": page_context.find_obstacle(to_void),
        "errors": [*make_page_errors([text] if text else []), *list_form_errors(form)],
        "history_url": page_context.get_history_url(to_void[0].id),
    }
    return render_page(request, page_context, page_context.wording.void, "scorecards/_void.html", context, status)
