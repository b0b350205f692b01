"""What was tapped at a table on a phone that is signed out, in words, so that it can be written down."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _

from scorekeeper.scorecards.models import Seat
from scorekeeper.tables.draft import write_action
from scorekeeper.tables.forms.acting import ActingForm
from scorekeeper.tables.offers import list_offers
from scorekeeper.tables.selectors.folding import get_table, read_again
from scorekeeper.tables.wording import say_offer


def list_tapped(request: HttpRequest) -> list[tuple[str, str]]:
    """Return what the form held, read by the table as the page had shown it; each with its label."""
    assert request.resolver_match is not None
    card_id: UUID = request.resolver_match.kwargs["card_id"]
    form = ActingForm.from_data(request.POST, 0).pressed()
    seat = Seat.objects.select_related("contest__event").filter(card_id=card_id, index=0).first()
    table = None if seat is None else get_table(seat.contest.event, card_id)
    typed = [(_("Reason"), form.reason)] if form.reason else []
    if table is None:
        return typed
    if 1 <= form.seen < table.length:
        table = read_again(table, form.seen)
    tapped = [
        say_offer(offer, write_action(offer, form.draft).action)
        for offer in list_offers(table.contest.ruleset.game, table.state)
        if offer.key == form.key or not form.draft.only([offer]).is_empty
    ]
    return [*((_("Tapped"), text) for text in tapped), *typed]
