"""Choosing a turn of another stop to record, with the reason: the bike was late, or nobody recorded it."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scorekeeper.scorecards.forms.other_turn import OtherTurnForm
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.page_context import render_page


def other_turn(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Ask for the turn and the reason, then show its form."""
    open_slots = [(str(slot_id), name) for slot_id, name in card_context.list_free_slots()]
    form = OtherTurnForm(request.POST or None, open_slots)
    if form.is_valid():
        extra = {"takes_over": "1"} if card_context.takes_over else {}
        chosen = {name: form.cleaned_data[name] for name in ("slot", "reason")}
        query = urlencode({"contest": card_context.contest.pk, **chosen, **extra})
        return redirect(f"{reverse('scorecards:card', args=[card_context.bike.pk])}?{query}")
    context = {"form": form, "has_open": bool(open_slots)}
    status = 422 if form.errors else 200
    return render_page(request, card_context, _("Another turn"), "scorecards/_other_turn.html", context, status)
