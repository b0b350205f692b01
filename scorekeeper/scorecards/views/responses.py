"""How a form ends: it is saved, the organiser will decide, the page was out of date, or the bike is another group's."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.common.request_data import get_request_data
from scorekeeper.crew.access import CrewRequest
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.services.corrections import MAX_TARGETS
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.page_context import PageContext, render_page

FORBIDDEN, CONFLICT = 403, 409
# The message after someone sends something for a card with a damaged log.
CARD_DAMAGED = gettext_lazy(
    "The log of this scorecard is damaged, so nothing can be recorded on it. Write results on "
    "paper until it is repaired."
)


def render_gone(request: HttpRequest, page_context: PageContext) -> HttpResponse:
    """Say that the turn can no longer be changed (409)."""
    text = CARD_DAMAGED if page_context.is_damaged else page_context.wording.gone
    return render_changed(request, page_context, text)


def render_changed(request: HttpRequest, page_context: PageContext, text: str | Promise) -> HttpResponse:
    """Say that the card has changed, so that the page is out of date (409)."""
    title = page_context.wording.changed
    return render_page(request, page_context, title, "scorecards/_message.html", {"text": text}, CONFLICT)


def format_too_many(count: int) -> str:
    """Return the message that a correction changes too much at once."""
    text = _(
        "This would change %(count)s actions. At most %(most)s can be changed at once, so nothing was saved. Void "
        "everything from a later action on first."
    )
    return text % {"count": count, "most": MAX_TARGETS}


def render_too_many(request: HttpRequest, page_context: PageContext, count: int) -> HttpResponse:
    """Say that a correction would change too much at once (422)."""
    context = {"text": format_too_many(count)}
    return render_page(request, page_context, _("Too many at once"), "scorecards/_message.html", context, 422)


def render_outcome(
    request: HttpRequest, page_context: PageContext, receipt: Receipt, done: str, turn_id: UUID | None = None
) -> HttpResponse:
    """Go to the history with a success message, or say that the organiser will decide (409).

    Args:
        turn_id: the turn to show in a history with several pages.
    """
    if not receipt.is_applied:
        return render_sent_to_review(request, page_context, receipt)
    messages.success(request, done)
    return redirect(page_context.get_history_url(turn_id))


def render_sent_to_review(request: HttpRequest, page_context: PageContext, receipt: Receipt) -> HttpResponse:
    """Say that the organiser will decide, and why (409)."""
    context = {"sentences": explain_all(page_context.contest.game_key, receipt.problems)}
    title = _("The organiser will decide")
    return render_page(request, page_context, title, "scorecards/_sent_to_review.html", context, CONFLICT)


def render_not_allowed(request: CrewRequest, card_context: CardContext) -> HttpResponse:
    """Say that the bike is of another group (403). A road captain gets a link to take it over."""
    query = {name: get_request_data(request)[name] for name in ("stop", "slot") if get_request_data(request).get(name)}
    query |= {"contest": str(card_context.contest.pk), "takes_over": "1"}
    context = {
        "card_context": card_context,
        "can_take_over": card_context.actor.can_take_over,
        "take_over_url": f"{reverse('scorecards:card', args=[card_context.bike.pk])}?{urlencode(query)}",
    }
    return render(request, "scorecards/not_yours.html", context, status=FORBIDDEN)
