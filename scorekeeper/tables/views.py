"""The tables of a contest: their list, and how they are created and withdrawn.

The views of a contest get a `ContestTablesContext` and need not know who opened the page: any phone of the event's
crew, or an organiser. A contest of another event, or one that is played at the stops, is not found (404).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.game_adapter import translate
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.problem_messages import explain, explain_all
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.action_wording import join_names
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.selectors.seat_names import name_seats
from scorekeeper.scorecards.selectors.table_summaries import TableSummary, format_table_count, list_tables
from scorekeeper.scorecards.selectors.tables import get_table, list_table_contests
from scorekeeper.tables.forms import (
    CreateTablesForm,
    SeatedTableForm,
    SeatingArrangement,
    SeatingOrderForm,
    SeatingPlanForm,
    SingleSeatTablesForm,
)
from scorekeeper.tables.seating_plan import SeatLimits, get_seat_limits
from scorekeeper.tables.selectors import SeatCandidate, list_candidates
from scorekeeper.tables.services import TableOperationError, create_tables, withdraw_table

MIN_TABLES_FOR_SEARCH = 12  # up to this many tables are seen at a glance
STAGE_ORDER = ("playing", "damaged", "new", "finished")
DEFAULT_ROWS, EXTRA_ROWS, MAX_ROWS = 4, 4, 100  # seats in the form


@dataclass(frozen=True)
class ContestTablesContext:
    """A contest that is played at tables, and who views it."""

    actor: Actor
    event: Event
    contest: Contest

    @property
    def list_url(self) -> str:
        """The URL of the list of tables."""
        return self._url("list") if self.actor.is_organiser else reverse("tables:list")

    @property
    def create_url(self) -> str:
        """The URL of the page that creates tables one at a time."""
        return self._url("deal")

    @property
    def plan_url(self) -> str:
        """The URL of the page that creates tables for everyone; only organisers have one."""
        return self._url("plan")

    def _url(self, page: str) -> str:
        if self.actor.is_organiser:
            return reverse(f"tables:desk_{page}", args=[self.event.slug, self.contest.slug])
        return reverse(f"tables:{page}", args=[self.contest.slug])


ContestView = Callable[[HttpRequest, ContestTablesContext], HttpResponse]


def crew_contest_view(view: ContestView) -> Callable[..., HttpResponse]:
    """Give every phone of the event's crew access to a page."""

    @crew_required
    def opened(request: CrewRequest, contest_slug: str) -> HttpResponse:
        actor, event = Actor.from_device(request.device), request.device.member.group.event
        return view(request, _get_context(actor, event, contest_slug))

    return opened


def desk_contest_view(view: ContestView) -> Callable[..., HttpResponse]:
    """Give the organisers of the event access to a page."""

    @organiser_required
    def opened(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
        return view(request, _get_context(Actor.from_organiser(request.organiser), event, contest_slug))

    return opened


def _get_context(actor: Actor, event: Event, slug: str) -> ContestTablesContext:
    try:
        contest = get_contest(event, slug)
    except Contest.DoesNotExist as error:
        raise Http404 from error
    if not is_of_kind(contest.game, "action"):
        raise Http404
    return ContestTablesContext(actor, event, contest)


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


def create_scorecards(request: HttpRequest, contest_context: ContestTablesContext) -> HttpResponse:
    """Ask who plays, in seat order, and create the table or tables."""
    candidates, limits = list_candidates(contest_context.contest), get_seat_limits(contest_context.contest.game)
    if "add" in request.POST and contest_context.actor.is_organiser:
        return redirect(_make_roster_url(request, contest_context, limits))
    rows = _count_rows(request, limits)
    if request.method != "POST" or "more" in request.POST:
        form = _make_creation_form(candidates, limits, rows, chosen=_list_selection(request, limits))
        return _render_creation(request, contest_context, candidates, form)
    form = _make_creation_form(candidates, limits, rows, request.POST)
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
            form = _make_creation_form(candidates, limits, rows, _with_new_id(request.POST))
            form.add_error(None, _("This page was already submitted. Check the list of tables, then try again."))
            status = 409
        else:
            return _redirect_after(request, contest_context, receipt, form.tables, candidates)
    return _render_creation(request, contest_context, candidates, form, status)


def _make_creation_form(
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
        seated = join_names([names[entrant] for entrant in tables[0]])
        messages.success(request, _("The table of %(names)s has been created.") % {"names": seated})
    else:
        text = ngettext("%(count)s table has been created.", "%(count)s tables have been created.", len(tables))
        messages.success(request, text % {"count": len(tables)})
    if len(tables) == 1 and not contest_context.actor.is_organiser:
        return redirect("tables:table", receipt.entries[0]["chain"])
    return redirect(contest_context.list_url)


def _render_creation(
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


def plan_seating(request: HttpRequest, contest_context: ContestTablesContext) -> HttpResponse:
    """Ask how they play, and show the plan; a plan that was shown is reordered or created."""
    if "order" in request.POST:
        return _handle_plan(request, contest_context)
    candidates = list_candidates(contest_context.contest)
    unseated = [candidate for candidate in candidates if not candidate.card_count]
    form = SeatingPlanForm(
        unseated, get_seat_limits(contest_context.contest.game), request.POST if request.method == "POST" else None
    )
    if unseated and form.is_valid():
        return _render_plan(request, contest_context, form.arrangement)
    context = {
        "event": contest_context.event,
        "contest": contest_context.contest,
        "contest_context": contest_context,
        "form": form,
        "is_empty": not candidates,
        "unseated": unseated,
    }
    return render(request, "tables/plan.html", context, status=422 if form.is_bound and unseated else 200)


def _handle_plan(request: HttpRequest, contest_context: ContestTablesContext) -> HttpResponse:
    """Show the plan in its new order, or create its tables."""
    limits = get_seat_limits(contest_context.contest.game)
    form = SeatingOrderForm(limits, request.POST)
    if not form.is_valid():
        return redirect(contest_context.plan_url)
    candidates_by_id = {candidate.id: candidate for candidate in list_candidates(contest_context.contest)}
    data, operation = form.cleaned_data, form.cleaned_data["operation"]
    people = [candidates_by_id[entrant_id] for entrant_id in form.new_order if entrant_id in candidates_by_id]
    arrangement = SeatingArrangement(people, data["way"], data["size"])
    if form.is_reordering:
        return _render_plan(request, contest_context, arrangement, operation, is_moved=True)
    if len(people) < len(form.new_order):
        refusal = _(
            "Someone was removed from the roster while you had this page open. No tables were "
            "created. Check the plan again."
        )
        return _render_plan(request, contest_context, arrangement, uuid4(), [Sentence(refusal)], status=409)
    tables = arrangement.make_plan(limits).tables
    try:
        create_tables(
            contest_context.actor,
            operation,
            contest_context.contest.pk,
            [[person.id for person in seats] for seats in tables],
        )
    except TableOperationError as refused:
        refusals = explain_all(contest_context.contest.game_key, refused.problems)
        return _render_plan(request, contest_context, arrangement, operation, refusals, status=422)
    except (UnknownTarget, IdReused):
        refusal = _(
            "The plan or the roster was changed while you had this page open. No tables were "
            "created. Check the plan again."
        )
        return _render_plan(request, contest_context, arrangement, uuid4(), [Sentence(refusal)], status=409)
    text = ngettext("%(count)s table has been created.", "%(count)s tables have been created.", len(tables))
    messages.success(request, text % {"count": len(tables)})
    return redirect(contest_context.list_url)


def _render_plan(
    request: HttpRequest,
    contest_context: ContestTablesContext,
    arrangement: SeatingArrangement,
    operation: UUID | None = None,
    refusals: Sequence[Sentence] = (),
    *,
    is_moved: bool = False,
    status: int = 200,
) -> HttpResponse:
    limits = get_seat_limits(contest_context.contest.game)
    order = " ".join(str(person.id) for person in arrangement.people)
    data = {"operation": operation or uuid4(), "way": arrangement.grouping, "size": arrangement.size, "order": order}
    context = {
        "event": contest_context.event,
        "contest": contest_context.contest,
        "contest_context": contest_context,
        "form": SeatingOrderForm(limits, initial=data),
        "plan": arrangement.make_plan(limits),
        "people": arrangement.people,
        "errors": [{"field_id": "order", **sentence.to_data()} for sentence in refusals],
        "is_ordering": is_moved or bool(refusals),
    }
    return render(request, "tables/plan_preview.html", context, status=status)
