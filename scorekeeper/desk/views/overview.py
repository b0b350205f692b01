"""An event at a glance for its organisers: its state and what to do next, all its cards, and the phones of the crew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.agreements.selectors import count_open_objections
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.crew.models import MemoryLoss
from scorekeeper.crew.phones import count_phones, list_phones
from scorekeeper.crew.selectors import list_losses
from scorekeeper.crew.services.phone_memory import confirm_loss
from scorekeeper.desk.selectors.overview import (
    count_conflicts,
    count_in_review,
    count_non_starters,
    get_contest_progress,
    list_lost_phones,
)
from scorekeeper.desk.selectors.setup_steps import find_next_step, list_setup_steps
from scorekeeper.desk.selectors.worth_a_look import count_warnings
from scorekeeper.desk.views.practice import get_practice_context
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_share_link, is_official, list_contests
from scorekeeper.players.selectors import count_pending_sign_ups, get_full_names
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.selectors.duplicates import list_duplicates
from scorekeeper.standings.column_headings import format_progress, get_standings_headings
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.services.reading import refresh_overdue
from scorekeeper.standings.wording import format_audience_notice
from scorekeeper.webhooks.selectors import count_broken_webhooks


@organiser_required
def show_event(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the state of the event and what to do next."""
    if not event.is_open:
        steps = list_setup_steps(event)
        context = {"event": event, "steps": steps, "next_step": find_next_step(steps), **get_practice_context(event)}
        context["sign_ups"] = count_pending_sign_ups(event)
        return render(request, "desk/draft.html", context)
    context = {
        "event": event,
        "is_official": is_official(event),
        "progress": [get_contest_progress(contest) for contest in list_contests(event)],
        "in_review": count_in_review(event),
        "conflicts": count_conflicts(event),
        "phones": count_phones(event),
        "objections": count_open_objections(event),
        "sign_ups": count_pending_sign_ups(event),
        "non_starters": count_non_starters(event),
        "warnings": count_warnings(event),
        "duplicates": len(list_duplicates(event)),
        "share_link": get_share_link(event),
        "broken_webhooks": count_broken_webhooks(event),
        "frozen": format_audience_notice(event),
        **get_practice_context(event),
    }
    return render(request, "desk/event.html", context)


@organiser_required
def show_cards(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the current cards of each contest, best first, with links to their histories.

    While the standings are frozen, each has beside it what the audience sees.
    """
    people, frozen = get_full_names(event), format_audience_notice(event)
    contests = [
        _present_contest(contest, people, is_frozen=bool(frozen))
        for contest in list_contests(event).select_related("event")
    ]
    return render(request, "desk/cards.html", {"event": event, "contests": contests, "frozen": frozen})


def _present_contest(contest: Contest, people: Mapping[UUID, str], *, is_frozen: bool) -> dict[str, Any]:
    refresh_overdue([contest])
    board = get_live_leaderboard(contest)
    public_rows = get_audience_view(contest).get_leaderboard().rows if is_frozen else ()
    public = {row.entrant_id: row for row in public_rows}
    kind = get_kind(contest.game)
    cards = kind.list_cards(contest, [row.entrant_id for row in board.rows])
    rows = [
        {
            "row": row,
            "people": people.get(row.entrant_id, ""),
            "progress": format_progress(row, contest, board.turns_per_card),
            "cards": cards.get(row.entrant_id, ()),
            "public": public.get(row.entrant_id),
        }
        for row in board.rows
    ]
    headings = get_standings_headings(contest, board)
    return {"contest": contest, "headings": headings, "cards_heading": kind.wording.cards, "rows": rows}


@organiser_required
def show_phones(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the phones, those that need attention first: the last contact with each, and its unsent entries."""
    lost, confirmed = list_lost_phones(event)
    context = {
        "lost": lost,
        "confirmed": confirmed,
        "event": event,
        "phones": count_phones(event),
        "conflicts": count_conflicts(event),
        "listed": list_phones(event),
    }
    return render(request, "desk/phones.html", context)


@organiser_required
def confirm_lost_phone(request: OrganiserRequest, event: Event, loss_id: UUID) -> HttpResponse:
    """Record that what a lost phone had is found, or given up: the phone counts like any other again."""
    try:
        loss = list_losses(event).get(pk=loss_id)
    except MemoryLoss.DoesNotExist as error:
        raise Http404 from error
    confirm_loss(loss, request.organiser.pk)
    messages.success(request, _("Confirmed for the phone of %(member)s.") % {"member": loss.device.member})
    return redirect("desk:phones", event.slug)
