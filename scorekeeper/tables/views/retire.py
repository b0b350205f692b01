"""A seat that leaves the table, in its turn or out of it: its points stand, and rank below all that stay (TABLE-3)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.core.actions import Retire
from scorekeeper.scorecards.services.recording import NotYet, OtherBody
from scorekeeper.scorecards.views.places import get_data, read_uuid
from scorekeeper.tables.forms.acting import ActingForm
from scorekeeper.tables.offers import list_retiring
from scorekeeper.tables.services.playing import ActionNote, record_action
from scorekeeper.tables.views.errors import about_page, about_reason
from scorekeeper.tables.views.places import Place, render_place
from scorekeeper.tables.views.targets import show_kept

MOST_DIGITS = 4  # of a seat's index


def retire(request: HttpRequest, place: Place) -> HttpResponse:
    """Name the seat, then note that it leaves."""
    seat = _read_seat(request, place)
    form = ActingForm.from_data(get_data(request), place.table.length)
    if request.method != "POST":
        return _show(request, place, seat, form)
    if _may_retire(place, seat) and form.seen != place.table.length:
        text = _("The table has changed since this page was opened. Look at it, then confirm again.")
        return _show(request, place, seat, form.renewed(place.table.length, form.draft), text, 409)
    if place.table.is_sealed and not form.reason:
        why = _("The contest is closed: say why this is noted all the same.")
        return _show(request, place, seat, form, status=422, reason_error=why)
    if not place.may_note:
        return _show(request, place, seat, form, _("Nothing can be noted at this table now."), 422)
    note = ActionNote(place.table.id, form.seen, [{"seat": seat, "type": Retire.type}], form.reason)
    try:
        receipt = record_action(place.actor, form.operation, note)
    except (OtherBody, NotYet):
        text = _("This page had already been sent. Look at the table, then confirm again.")
        return _show(request, place, seat, form.renewed(place.table.length, form.draft), text, 409)
    if not receipt.is_applied:
        return show_kept(request, place.as_it_stands(), receipt)
    noted = read_uuid((receipt.data or {}).get("turn")) or form.operation
    return redirect(f"{place.url('table')}?done={noted}")


def _read_seat(request: HttpRequest, place: Place) -> int:
    word = get_data(request).get("seat", "")
    if not (word.isascii() and word.isdigit() and len(word) <= MOST_DIGITS and int(word) < place.table.seats):
        raise Http404
    return int(word)


def _may_retire(place: Place, seat: int) -> bool:
    return seat in list_retiring(place.game, place.table.state)


def _show(
    request: HttpRequest,
    place: Place,
    seat: int,
    form: ActingForm,
    text: str = "",
    status: int = 200,
    reason_error: str = "",
) -> HttpResponse:
    context = {
        "here": place.url("retire"),
        "form": form,
        "seat": seat,
        "name": place.names[seat],
        "may_retire": _may_retire(place, seat),
        "is_sealed": place.table.is_sealed,
        "reason_error": reason_error,
        "errors": [*about_page([text] if text else []), *about_reason(reason_error)],
    }
    return render_place(request, place, _("Retire"), "tables/_retire.html", context, status)
