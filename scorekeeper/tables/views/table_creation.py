"""Creating tables one at a time, by the organiser or on a crew phone."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.models import Contest
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.action_wording import join_names
from scorekeeper.tables.forms.table_creation import CreateTablesForm, SeatedTableForm, SingleSeatTablesForm
from scorekeeper.tables.seating_plan import SeatLimits, get_seat_limits
from scorekeeper.tables.selectors.candidates import SeatCandidate, list_candidates
from scorekeeper.tables.services.table_creation import TableOperationError, create_tables
from scorekeeper.tables.views.contest_access import ContestTablesContext

DEFAULT_ROWS, EXTRA_ROWS, MAX_ROWS = 4, 4, 100  # seats in the form


def create_scorecards(request: HttpRequest, contest_context: ContestTablesContext) -> HttpResponse:
    """Ask who plays, in seat order, and create the table or tables."""
    candidates, limits = list_candidates(contest_context.contest), get_seat_limits(contest_context.contest.game)
    if "add" in request.POST and contest_context.actor.is_organiser:
        return redirect(_make_roster_url(request, contest_context, limits))
    rows = _count_rows(request, limits)
    if request.method != "POST" or "more" in request.POST:
        form = _make_form(candidates, limits, rows, chosen=_list_selection(request, limits))
        return _render(request, contest_context, candidates, form)
    form = _make_form(candidates, limits, rows, request.POST)
    status = 422
    if not (contest_context.event.is_open or contest_context.actor.is_organiser):
        form.add_error(None, _("The organiser has not opened the event yet, so no table can be created."))
    if form.is_valid():
        try:
            receipt = create_tables(
                contest_context.actor, form.cleaned_data["operation"], contest_context.contest.pk, form.tables
            )
        except TableOperationError as refused:
            form.add_problems(contest_context.contest.game_key, refused.problems)
        except UnknownTarget:
            form.add_error(None, _("Someone you chose has just been removed from the roster. Choose again."))
        except IdReused:
            form = _make_form(candidates, limits, rows, _with_new_id(request.POST))
            form.add_error(None, _("This page was already submitted. Check the list of tables, then try again."))
            status = 409
        else:
            return _redirect_after(request, contest_context, receipt, form.tables, candidates)
    return _render(request, contest_context, candidates, form, status)


def _make_form(
    candidates: list[SeatCandidate],
    limits: SeatLimits,
    rows: int,
    data: QueryDict | None = None,
    chosen: list[str] | None = None,
) -> CreateTablesForm:
    if limits.high == 1:
        return SingleSeatTablesForm(candidates, data, chosen or ())
    return SeatedTableForm(candidates, limits, rows, data, chosen or ())


def _count_rows(request: HttpRequest, limits: SeatLimits) -> int:
    """Return how many seats the form has: those of the game, or as many as were requested."""
    requested = (request.POST or request.GET).get("rows", "")
    wanted = int(requested) if requested.isascii() and requested.isdigit() and len(requested) < 4 else DEFAULT_ROWS
    more = EXTRA_ROWS if "more" in request.POST else 0
    return min(max(wanted + more, limits.low), limits.high or MAX_ROWS)


def _list_selection(request: HttpRequest, limits: SeatLimits) -> list[str]:
    """Return who has been chosen so far, in seat order."""
    if request.method != "POST" or limits.high == 1:
        return (request.POST or request.GET).getlist("who")
    rows = _count_rows(request, limits)
    return [request.POST.get(f"seat_{number}", "") for number in range(1, rows + 1)]


def _make_roster_url(request: HttpRequest, contest_context: ContestTablesContext, limits: SeatLimits) -> str:
    """Return the URL of the page that adds a bike or a person, with a link back to the current choices."""
    rows = [] if limits.high == 1 else [("rows", str(_count_rows(request, limits)))]
    chosen = [("who", value) for value in _list_selection(request, limits)]
    page = "add_bike" if contest_context.contest.seats_are == Contest.SeatsAre.BIKES else "add_player"
    back = f"{contest_context.create_url}?{urlencode([*rows, *chosen])}"
    return f"{reverse(f'players:{page}', args=[contest_context.event.slug])}?{urlencode({'next': back})}"


def _with_new_id(data: QueryDict) -> QueryDict:
    fresh = data.copy()
    fresh["operation"] = str(uuid4())
    return fresh


def _redirect_after(
    request: HttpRequest,
    contest_context: ContestTablesContext,
    receipt: Receipt,
    tables: list[list[UUID]],
    candidates: list[SeatCandidate],
) -> HttpResponse:
    """Redirect with a message about what was created. A phone goes straight to the table, to start playing."""
    if len(tables) == 1:
        names = {candidate.id: candidate.name for candidate in candidates}
        seated = join_names([names[holder] for holder in tables[0]])
        messages.success(request, _("The table of %(names)s has been created.") % {"names": seated})
    else:
        text = ngettext("%(count)s table has been created.", "%(count)s tables have been created.", len(tables))
        messages.success(request, text % {"count": len(tables)})
    if len(tables) == 1 and not contest_context.actor.is_organiser:
        return redirect("tables:table", receipt.entries[0]["chain"])
    return redirect(contest_context.list_url)


def _render(
    request: HttpRequest,
    contest_context: ContestTablesContext,
    candidates: list[SeatCandidate],
    form: CreateTablesForm,
    status: int = 200,
) -> HttpResponse:
    context = {
        "contest_context": contest_context,
        "event": contest_context.event,
        "contest": contest_context.contest,
        "form": form,
        "is_empty": not candidates,
        "has_choice": form.is_bound or any(candidate.is_free for candidate in candidates),
        "rows": len(form.seat_fields) if isinstance(form, SeatedTableForm) else None,
        "can_grow": isinstance(form, SeatedTableForm) and get_seat_limits(contest_context.contest.game).high is None,
        "has_taken": any(not candidate.is_free for candidate in candidates),
    }
    page = "tables/desk_create.html" if contest_context.actor.is_organiser else "tables/crew_create.html"
    return render(request, page, context, status=status)
