"""Lists of tables, for the organiser and for the crew, and removing (withdrawing) a table from them."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.common.game_adapter import translate
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.problem_messages import explain
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.action_wording import join_names
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.selectors.seat_names import name_seats
from scorekeeper.scorecards.selectors.table_summaries import TableSummary, format_table_count, list_tables
from scorekeeper.scorecards.selectors.tables import get_table, list_table_contests
from scorekeeper.tables.services.table_creation import TableOperationError, withdraw_table
from scorekeeper.tables.views.contest_access import ContestTablesContext

MIN_TABLES_FOR_SEARCH = 12  # up to this many tables are seen at a glance
STAGE_ORDER = ("playing", "damaged", "new", "finished")


def desk_list(request: HttpRequest, contest_context: ContestTablesContext) -> HttpResponse:
    """List the tables of a contest for its organiser."""
    tables = list_tables(contest_context.contest)
    context = {
        "event": contest_context.event,
        "contest": contest_context.contest,
        "contest_context": contest_context,
        "total": translate(contest_context.contest.game.total_label),
        "tables": tables,
        "count": format_table_count(tables),
    }
    return render(request, "tables/desk_list.html", context)


@crew_required
def crew_list(request: CrewRequest) -> HttpResponse:
    """List the tables of all contests, those in play first. `?q=` searches for a name or a number."""
    event = request.device.member.group.event
    listed = [(contest, list_tables(contest)) for contest in list_table_contests(event)]
    searched = request.GET.get("q", "").strip()
    context = {
        "event": event,
        "group": request.device.member.group,
        "contests": [
            (contest, _sort_by_stage(_search(tables, searched)), format_table_count(tables))
            for contest, tables in listed
        ],
        "searched": searched,
        "is_searchable": sum(len(tables) for _contest, tables in listed) > MIN_TABLES_FOR_SEARCH,
    }
    return render(request, "tables/crew_list.html", context)


def _search(tables: list[TableSummary], query: str) -> list[TableSummary]:
    needle = query.casefold()
    return [table for table in tables if needle in table.name.casefold()]


def _sort_by_stage(tables: list[TableSummary]) -> list[TableSummary]:
    return sorted(tables, key=lambda table: STAGE_ORDER.index(table.stage))


@organiser_required
def withdraw(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
    """Show a table without current actions and ask for the reason; then withdraw it."""
    table = get_table(event, card_id)
    if table is None:
        return _redirect_to_list(request, event, card_id)
    contest = Contest.objects.get(pk=table.contest.id)
    names = join_names(name_seats(table))
    form = CorrectionReasonForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation, reason = form.cleaned_data["operation"], form.cleaned_data["reason"]
        try:
            withdraw_table(Actor.from_organiser(request.organiser), operation, card_id, reason)
        except TableOperationError as refused:
            for problem in refused.problems:
                form.add_error("reason", explain(contest.game_key, problem).to_error())
        except IdReused:
            form, status = CorrectionReasonForm({"operation": uuid4(), "reason": reason}), 409
            form.add_error(None, _("This page was already submitted. Try again."))
        except UnknownTarget:
            return _redirect_to_list(request, event, card_id)
        else:
            messages.success(request, _("The table of %(names)s has been removed.") % {"names": names})
            return redirect("tables:desk_list", event.slug, contest.slug)
    context = {"event": event, "contest": contest, "names": names, "form": form}
    return render(request, "tables/withdraw.html", context, status=status)


def _redirect_to_list(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
    """Say that the table has been removed: by someone else, or by this form if it was sent twice."""
    contest = Contest.objects.filter(event=event, cards__pk=card_id).first()
    if contest is None or not is_of_kind(contest.game, "action"):
        raise Http404
    messages.info(request, _("This table has been removed."))
    return redirect("tables:desk_list", event.slug, contest.slug)
