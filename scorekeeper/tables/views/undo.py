"""Undo of the action that was noted last: it is voided, and what was tapped comes back into the form."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from scorekeeper.scorecards.fold import NotedTurn
from scorekeeper.scorecards.services.corrections import Target
from scorekeeper.scorecards.services.recording import NotYet, OtherBody
from scorekeeper.scorecards.views.places import read_uuid
from scorekeeper.tables.draft import fill_draft
from scorekeeper.tables.forms.acting import read_operation
from scorekeeper.tables.offers import find_offer, list_offers
from scorekeeper.tables.services.correcting import correct_actions
from scorekeeper.tables.views.places import Place


def undo(request: HttpRequest, place: Place) -> HttpResponse:
    """Void the action and go back to its form. Where something newer stands, nothing is done and the table is shown."""
    last = place.table.last
    is_last = last is not None and last.id == read_uuid(request.POST.get("action"))
    if last is None or not is_last or str(last.seq) != request.POST.get("seq") or not place.may_note:
        messages.warning(request, _("Nothing was undone: the table has changed since. This is how it stands now."))
        return redirect(place.url("table"))
    told = place.tell(last)
    try:
        target, reason = Target(last.id, last.seq, None), _("Undone right after it was noted")
        receipt = correct_actions(place.actor, read_operation(request.POST), place.table.id, [target], reason)
    except (OtherBody, NotYet):
        receipt = None
    if receipt is None or not receipt.is_applied:
        messages.warning(request, _("Nothing was undone. This is how the table stands now."))
        return redirect(place.url("table"))
    messages.success(request, _("Undone: %(what)s.") % {"what": told})
    return redirect(f"{place.url('table')}?{_write_draft(place, last, receipt.entries[0]['seq'])}")


def _write_draft(place: Place, last: NotedTurn, seen: int) -> str:
    """Return the form's fields as they were before the action was noted, as an address carries them.

    Args:
        seen: how long the chain is with the void; on a table that has gone on the address brings no dice back.
    """
    offers = list_offers(place.game, place.table.state_before(last.id))
    offer = find_offer(offers, last.actions[0])
    words = {} if offer is None else fill_draft(offer, last.actions[0]).words
    return urlencode({**words, "seen": (str(seen),)}, doseq=True)
