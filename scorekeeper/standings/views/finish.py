"""Finishing a contest: the checklist, closing, publishing and reopening."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.agreements.selectors import count_open_objections
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze, list_unofficial_contests
from scorekeeper.events.services.events import EventArchived
from scorekeeper.events.sheet_setting import sells_sheets
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.forms.operation_forms import OperationForm, ReasonForm
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.players.class_members import list_classes
from scorekeeper.players.selectors import format_entrant, get_full_names
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.column_headings import get_standings_headings
from scorekeeper.standings.forms import PublishForm, ReopenForm
from scorekeeper.standings.leaderboard import ABSENT_STATUS
from scorekeeper.standings.selectors.checklist import Checklist, ChecklistCard, get_checklist
from scorekeeper.standings.selectors.leaderboard import get_leaderboard_head
from scorekeeper.standings.selectors.missed_turns import (
    ClosingMisses,
    count_cleared_turns,
    get_last_closing_id,
    list_closing_misses,
)
from scorekeeper.standings.selectors.revision_history import list_pending_changes, list_revision_history
from scorekeeper.standings.selectors.revisions import list_revisions
from scorekeeper.standings.services.closure import clear_missed_turns, close_contest, reopen_contest
from scorekeeper.standings.services.contest_chain import ChecklistIncomplete, NothingToTakeBack, WrongContestStatus
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.reading import read_figures
from scorekeeper.standings.wording import format_audience_notice, format_official_status, format_revision_notice

MAX_NAMED = 12  # turns that a message names


@organiser_required
def index(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Show what is left to do before the contest's result is official."""
    contest = _get_contest(event, contest_slug)
    checklist = _read_checklist(contest)
    head, riders = get_leaderboard_head(contest), get_full_names(event, contest)
    context = {
        "event": event,
        "contest": contest,
        "has_cuts": any(row.decided_by == "cut" for row in checklist.report.rows),
        **_make_checklist_context(contest, checklist, riders),
        "board": head,
        "official": format_official_status(head, event),
        "pending": format_revision_notice(head),
        **_make_audience_context(event),
        "next": request.path,
        "fills": _list_open_fills(contest),
        "can_publish": contest.status == Contest.Status.CLOSED or (head.is_official and head.needs_revision),
        "revisions": list_revision_history(contest),
        "next_revision": head.last_revision + 1,
        "pending_changes": list_pending_changes(contest, checklist, riders),
        "classes": list_classes(event),
    }
    return render(request, "standings/finish.html", context)


@organiser_required
def close(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Ask for a reason, then close the contest: missing turns are recorded as missed, games are kept as they are."""
    contest = _get_contest(event, contest_slug)
    form = ReasonForm(request.POST or None, initial={"reason": get_kind(contest.game).wording.closing_reason})

    def execute(actor: Actor, data: dict[str, Any]) -> Receipt:
        return close_contest(actor, data["operation"], contest.pk, data["reason"])

    success_message = _("%(contest)s is closed.") % {"contest": contest}
    return _confirm(request, contest, form, "standings/close.html", execute, success_message)


@organiser_required
def reopen(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Ask for a reason, then reopen the contest."""
    contest = _get_contest(event, contest_slug)
    if event.archived_at is not None:
        messages.error(request, _("%(event)s is in the archive. Take it out to reopen a contest.") % {"event": event})
        return redirect("events:edit", event.slug)
    form = ReopenForm(request.POST or None)
    last = get_last_closing_id(contest)
    fills = [fill for fill in list_closing_misses(contest) if fill.closing_id == last]

    def execute(actor: Actor, data: dict[str, Any]) -> Receipt:
        receipt = reopen_contest(actor, data["operation"], contest.pk, data["reason"], data["take_back"])
        if data["take_back"] is not None:
            _tell_what_was_taken_back(request, contest, receipt, data["take_back"])
        return receipt

    success_message = _("%(contest)s is open again.") % {"contest": contest}
    more = {"fills": fills}
    return _confirm(request, contest, form, "standings/reopen.html", execute, success_message, more=more)


@organiser_required
def clear_missed(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Ask for a reason, then take back what a closing of the contest recorded as missed, after it was reopened."""
    contest = _get_contest(event, contest_slug)
    fills = [fill for fill in list_closing_misses(contest) if fill.untouched]
    if request.method == "GET" and (contest.status != Contest.Status.OPEN or not fills):
        return redirect("desk:finish", event.slug, contest.slug)
    form = ReopenForm(request.POST or None)

    def execute(actor: Actor, data: dict[str, Any]) -> Receipt:
        closing_id: UUID | None = data["take_back"] or get_last_closing_id(contest)
        if closing_id is None:
            raise NothingToTakeBack
        receipt = clear_missed_turns(actor, data["operation"], contest.pk, closing_id, data["reason"])
        _tell_what_was_taken_back(request, contest, receipt, closing_id)
        return receipt

    return _confirm(request, contest, form, "standings/clear_missed.html", execute, "", more={"fills": fills})


def _tell_what_was_taken_back(request: OrganiserRequest, contest: Contest, receipt: Receipt, closing_id: UUID) -> None:
    """Say how many missed turns were taken back, and name those that were left as they are."""
    count = count_cleared_turns(receipt)
    text = ngettext(
        "%(count)s missed turn was taken back. Phones offer it again.",
        "%(count)s missed turns were taken back. Phones offer them again.",
        count,
    )
    messages.success(request, text % {"count": count})
    left = [turn for fill in list_closing_misses(contest) if fill.closing_id == closing_id for turn in fill.left]
    if left:
        named = ", ".join(
            _("bike %(bike)s at %(stop)s") % {"bike": turn.bike, "stop": turn.slot_name} for turn in left[:MAX_NAMED]
        )
        more = len(left) - MAX_NAMED
        if more > 0:
            named = _("%(named)s and %(count)s more") % {"named": named, "count": more}
        text = _("Left as they are, because someone has changed them since: %(turns)s.")
        messages.warning(request, text % {"turns": named})


@organiser_required
def publish(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Show what will be published, then publish it."""
    contest = _get_contest(event, contest_slug)
    checklist = _read_checklist(contest)
    form = PublishForm(request.POST or None, is_complete=checklist.is_complete)

    def execute(actor: Actor, data: dict[str, Any]) -> Receipt:
        return publish_contest(actor, data["operation"], contest.pk, data.get("reason", ""))

    success_message = _("The results of %(contest)s are official.") % {"contest": contest}
    return _confirm(request, contest, form, "standings/publish.html", execute, success_message, checklist)


def _make_audience_context(event: Event) -> dict[str, Any]:
    """Return what the audience sees now, and what it would see without the freeze."""
    freeze = get_freeze(event)
    return {
        "frozen": format_audience_notice(event),
        "is_revealing": freeze is not None and freeze.step is not None,
        "unofficial": list_unofficial_contests(event),
    }


def _get_contest(event: Event, slug: str) -> Contest:
    return get_object_or_404(Contest.objects.select_related("event"), event=event, slug=slug)


def _read_checklist(contest: Contest) -> Checklist:
    """Return what is left to do, whose figures leaderboards show too."""
    return read_figures(contest, lambda: get_checklist(contest))


def _confirm(
    request: OrganiserRequest,
    contest: Contest,
    form: OperationForm,
    template: str,
    execute: Callable[[Actor, dict[str, Any]], Receipt],
    success_message: str,
    checklist: Checklist | None = None,
    more: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Show the confirmation page; once confirmed, execute the action and return to the contest's page.

    Args:
        success_message: "" if `execute` says itself what was done.
        more: what else the template shows.
    """
    status = 200
    if form.is_valid():
        try:
            execute(Actor.from_organiser(request.organiser), form.cleaned_data)
        except (WrongContestStatus, NothingToTakeBack, UnknownTarget, EventArchived, IdReused):
            messages.warning(
                request, _("Someone else has just changed this contest. This page now shows its current state.")
            )
            return redirect("desk:finish", contest.event.slug, contest.slug)
        except ChecklistIncomplete:
            # New entries arrived while the page was open, so a reason is now required.
            checklist, status = _read_checklist(contest), 409
            form = PublishForm(is_complete=False)
        else:
            if success_message:
                messages.success(request, success_message)
            return redirect("desk:finish", contest.event.slug, contest.slug)
    elif form.is_bound:
        status = 422
    checklist = checklist or _read_checklist(contest)
    riders = get_full_names(contest.event, contest)
    context = {
        "event": contest.event,
        "contest": contest,
        "form": form,
        **_make_checklist_context(contest, checklist, riders),
        "headings": get_standings_headings(contest),
        "places": [
            (row, riders.get(row.entrant_id, "")) for row in checklist.report.rows if _is_top_place(contest, row.rank)
        ],
        "next_revision": (list_revisions(contest).values_list("number", flat=True).first() or 0) + 1,
        "pending_changes": list_pending_changes(contest, checklist, riders),
        "is_conflict": status == 409,
        **_make_audience_context(contest.event),
        **(more or {}),
    }
    return render(request, template, context, status=status)


def _list_open_fills(contest: Contest) -> list[ClosingMisses]:
    """Return what can still be taken back of earlier closings of an open contest."""
    if contest.status != Contest.Status.OPEN:
        return []
    return [fill for fill in list_closing_misses(contest) if fill.untouched]


def _make_checklist_context(contest: Contest, checklist: Checklist, riders: Mapping[UUID, str]) -> dict[str, Any]:
    """Return the checklist with names, for the templates."""
    kind, absent = get_kind(contest.game), checklist.report.absent
    # Once a contest is closed, every bike that has not rolled has this status.
    non_starter_status = ABSENT_STATUS if contest.status == Contest.Status.OPEN else ""
    return {
        "checklist": checklist,
        "card_kind": kind,
        "counts_sheets": sells_sheets(contest),
        "closing": _describe_closing(contest, checklist),
        "absent": [(row, riders.get(row.entrant_id, "")) for row in absent if row.status != non_starter_status],
        "non_starters": [(row, riders.get(row.entrant_id, "")) for row in absent if row.status == non_starter_status],
        "unfinished": _add_seats(checklist.unfinished, riders),
        "damaged": _add_seats(checklist.damaged, riders),
        "objections": count_open_objections(contest.event, contest),
        "not_agreed": _add_seats(() if checklist.agreed_cards is None else checklist.agreed_cards.open, riders),
    }


def _describe_closing(contest: Contest, checklist: Checklist) -> str:
    """Return what closing does. It also freezes a contest in which nothing was recorded."""
    text = get_kind(contest.game).describe_closing(
        contest.ruleset, len(checklist.unfinished), counts_sheets=sells_sheets(contest)
    )
    if contest.frozen_at is not None:
        return text
    frozen = _(
        "Nothing has been recorded yet. Closing fixes the options of the contest for good, even if you reopen it, and "
        "it can no longer be deleted."
    )
    return f"{frozen} {text}"


class _ChecklistSeat(NamedTuple):
    """A seat of a card on the checklist: the number of a bike, the people, and both as one name."""

    number: str
    people: str
    name: str


def _add_seats(
    cards: Sequence[ChecklistCard], riders: Mapping[UUID, str]
) -> list[tuple[ChecklistCard, list[_ChecklistSeat]]]:
    return [(card, [_name_seat(number, riders.get(entrant, "")) for entrant, number in card.seats]) for card in cards]


def _name_seat(number: str, people: str) -> _ChecklistSeat:
    return _ChecklistSeat(number, people, format_entrant(number, people))


def _is_top_place(contest: Contest, rank: int | None) -> bool:
    return rank is not None and rank <= max(contest.prizes, 3)
