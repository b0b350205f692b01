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
from scorekeeper.common.public_address import get_address_problem
from scorekeeper.crew.models import MemoryLoss
from scorekeeper.crew.phones import count_phones, list_phones
from scorekeeper.crew.selectors import list_losses
from scorekeeper.crew.services.phone_memory import confirm_loss
from scorekeeper.desk.selectors.overview import (
    TurnProgress,
    count_conflicts,
    count_in_review,
    count_non_starters,
    get_contest_progress,
    list_lost_phones,
)
from scorekeeper.desk.selectors.ready_questions import list_ready_questions
from scorekeeper.desk.selectors.setup_steps import find_next_step, list_setup_steps
from scorekeeper.desk.selectors.worth_a_look import count_warnings
from scorekeeper.desk.views.practice import get_practice_context
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.navigation import Phase, get_phase
from scorekeeper.events.selectors import get_share_link, has_dice, is_official, list_contests
from scorekeeper.players.selectors import count_pending_sign_ups, get_full_names
from scorekeeper.prizes.selectors.awards import count_undecided_prizes
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.selectors.duplicates import list_duplicates
from scorekeeper.standings.column_headings import format_progress, get_standings_headings
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.selectors.checklist import list_ties
from scorekeeper.standings.selectors.leaderboard import get_leaderboard_head, get_live_leaderboard
from scorekeeper.standings.selectors.revision_history import list_ready_revisions
from scorekeeper.standings.services.reading import refresh_overdue
from scorekeeper.standings.wording import format_audience_notice, format_official_status, format_revision_notice
from scorekeeper.webhooks.selectors import count_broken_webhooks


@organiser_required
def show_event(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show what needs attention and what to do in the phase that the event has reached; `?phase=` shows another."""
    contests = list(list_contests(event).select_related("event"))
    current = get_phase(event, contests)
    asked = next((phase for phase in Phase if phase == request.GET.get("phase")), None)
    phase = asked or current
    context = {
        "event": event,
        "phase": phase,
        "current_phase": current,
        "phase_template": f"desk/_{phase.name.lower()}.html",
        "page_key": asked or "overview",
        "is_official": is_official(event),
        "frozen": format_audience_notice(event),
        "sign_ups": count_pending_sign_ups(event),
        **get_practice_context(event),
    }
    if event.is_open:
        context |= _get_attention_context(event)
    match phase:
        case Phase.PREPARE:
            context |= _get_prepare_context(event)
        case Phase.RIDE_DAY:
            progress = [get_contest_progress(contest) for contest in contests]
            context |= {"progress": progress, "share_link": get_share_link(event)}
        case Phase.PRIZE_GIVING:
            finishes = [_present_finish(contest) for contest in contests]
            context |= {"finishes": finishes, "prize_count": event.prizes.count()}
        case Phase.AFTERWARDS:
            context["finishes"] = [{"contest": contest} for contest in contests]
            context["has_dice"] = has_dice(contests)
    return render(request, "desk/event.html", context)


def _get_attention_context(event: Event) -> dict[str, Any]:
    return {
        "in_review": count_in_review(event),
        "conflicts": count_conflicts(event),
        "phones": count_phones(event),
        "objections": count_open_objections(event),
        "non_starters": count_non_starters(event),
        "warnings": count_warnings(event),
        "duplicates": len(list_duplicates(event)),
        "broken_webhooks": count_broken_webhooks(event),
        "ready_revisions": list_ready_revisions(event),
    }


def _get_prepare_context(event: Event) -> dict[str, Any]:
    steps = list_setup_steps(event)
    return {
        "steps": steps,
        "next_step": find_next_step(steps),
        "questions": list_ready_questions(event),
        "address_problem": get_address_problem(),
    }


def _present_finish(contest: Contest) -> dict[str, Any]:
    """Return how far a contest is from its official result."""
    head, ties, undecided = get_leaderboard_head(contest), 0, 0
    if contest.status == Contest.Status.CLOSED:
        refresh_overdue([contest])
        ties = len(list_ties(contest, get_live_leaderboard(contest).rows))
        undecided = count_undecided_prizes(contest)
    official = format_official_status(head, contest.event) if head.is_official else ""
    pending = format_revision_notice(head)
    return {"contest": contest, "ties": ties, "undecided": undecided, "official": official, "pending": pending}


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
    kind, missed = get_kind(contest.game), board.missed_turns
    cards = kind.list_cards(contest, [row.entrant_id for row in board.rows])
    rows = [
        {
            "row": row,
            "people": people.get(row.entrant_id, ""),
            "progress": _format_desk_progress(row, contest, board.turns_per_card, missed.get(row.entrant_id, 0)),
            "cards": cards.get(row.entrant_id, ()),
            "public": public.get(row.entrant_id),
        }
        for row in board.rows
    ]
    headings = get_standings_headings(contest, board)
    return {"contest": contest, "headings": headings, "cards_heading": kind.wording.cards, "rows": rows}


def _format_desk_progress(row: LeaderboardRow, contest: Contest, turns: int, missed: int) -> str:
    """Return an entrant's progress: turns as on the overview, missed ones apart; at tables as the audience reads it."""
    if not contest.game.slot_option:
        return format_progress(row, contest, turns)
    return str(TurnProgress(max(row.turn_count - missed, 0), missed, turns))


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
