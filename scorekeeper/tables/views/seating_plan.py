"""Creating tables for everyone who has none yet: ask how they play, show the plan, and create it as shown."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.tables.forms.seating_plan import SeatingArrangement, SeatingOrderForm, SeatingPlanForm
from scorekeeper.tables.seating_plan import get_seat_limits
from scorekeeper.tables.selectors.candidates import list_candidates
from scorekeeper.tables.services.table_creation import TableOperationError, create_tables
from scorekeeper.tables.views.contest_access import ContestTablesContext


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
        return _render(request, contest_context, form.arrangement)
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
    people = [candidates_by_id[holder_id] for holder_id in form.new_order if holder_id in candidates_by_id]
    arrangement = SeatingArrangement(people, data["way"], data["size"])
    if form.is_reordering:
        return _render(request, contest_context, arrangement, operation, is_moved=True)
    if len(people) < len(form.new_order):
        refusal = _(
            "Someone was removed from the roster while you had this page open. No tables were "
            "created. Check the plan again."
        )
        return _render(request, contest_context, arrangement, uuid4(), [Sentence(refusal)], status=409)
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
        return _render(request, contest_context, arrangement, operation, refusals, status=422)
    except (UnknownTarget, IdReused):
        refusal = _(
            "The plan or the roster was changed while you had this page open. No tables were "
            "created. Check the plan again."
        )
        return _render(request, contest_context, arrangement, uuid4(), [Sentence(refusal)], status=409)
    text = ngettext("%(count)s table has been created.", "%(count)s tables have been created.", len(tables))
    messages.success(request, text % {"count": len(tables)})
    return redirect(contest_context.list_url)


def _render(
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
