"""Drawing up scorecards for everybody who has none yet: ask how, show the plan, and do what was shown."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.problem_messages import explain_all
from scorekeeper.scorecards.services.recording import IdReused, UnknownTarget
from scorekeeper.tables.forms.seating_plan import SeatingArrangement, SeatingOrderForm, SeatingPlanForm
from scorekeeper.tables.seating_plan import get_seat_limits
from scorekeeper.tables.selectors.candidates import list_candidates
from scorekeeper.tables.services.table_creation import TableOperationError, create_tables
from scorekeeper.tables.views.contest_access import ContestTablesContext


def plan_seating(request: HttpRequest, place: ContestTablesContext) -> HttpResponse:
    """Ask how everybody plays, and show the plan; what was shown is changed, or done."""
    if "order" in request.POST:
        return _handle_plan(request, place)
    candidates = list_candidates(place.contest)
    waiting = [one for one in candidates if not one.card_count]
    form = SeatingPlanForm(
        waiting, get_seat_limits(place.contest.game), request.POST if request.method == "POST" else None
    )
    if waiting and form.is_valid():
        return _render(request, place, form.arrangement)
    context = {
        "event": place.event,
        "contest": place.contest,
        "place": place,
        "form": form,
        "is_empty": not candidates,
        "waiting": waiting,
    }
    return render(request, "tables/plan.html", context, status=422 if form.is_bound and waiting else 200)


def _handle_plan(request: HttpRequest, place: ContestTablesContext) -> HttpResponse:
    """Show the plan in its new order, or draw up its scorecards."""
    limits = get_seat_limits(place.contest.game)
    form = SeatingOrderForm(limits, request.POST)
    if not form.is_valid():
        return redirect(place.plan_url)
    known = {one.id: one for one in list_candidates(place.contest)}
    sent, operation = form.cleaned_data, form.cleaned_data["operation"]
    people = [known[one] for one in form.new_order if one in known]
    wanted = SeatingArrangement(people, sent["way"], sent["size"])
    if form.is_reordering:
        return _render(request, place, wanted, operation, is_moved=True)
    if len(people) < len(form.new_order):
        refusal = _(
            "Someone was removed from the roster while you had this page open. No tables were "
            "created. Check the plan again."
        )
        return _render(request, place, wanted, uuid4(), [Sentence(refusal)], status=409)
    tables = wanted.make_plan(limits).tables
    try:
        create_tables(place.actor, operation, place.contest.pk, [[one.id for one in seats] for seats in tables])
    except TableOperationError as refused:
        refusals = explain_all(place.contest.game_key, refused.problems)
        return _render(request, place, wanted, operation, refusals, status=422)
    except (UnknownTarget, IdReused):
        refusal = _(
            "The plan or the roster was changed while you had this page open. No tables were "
            "created. Check the plan again."
        )
        return _render(request, place, wanted, uuid4(), [Sentence(refusal)], status=409)
    told = ngettext("%(count)s table has been created.", "%(count)s tables have been created.", len(tables))
    messages.success(request, told % {"count": len(tables)})
    return redirect(place.list_url)


def _render(
    request: HttpRequest,
    place: ContestTablesContext,
    wanted: SeatingArrangement,
    operation: UUID | None = None,
    refusals: Sequence[Sentence] = (),
    *,
    is_moved: bool = False,
    status: int = 200,
) -> HttpResponse:
    limits = get_seat_limits(place.contest.game)
    order = " ".join(str(one.id) for one in wanted.people)
    sent = {"operation": operation or uuid4(), "way": wanted.grouping, "size": wanted.size, "order": order}
    context = {
        "event": place.event,
        "contest": place.contest,
        "place": place,
        "form": SeatingOrderForm(limits, initial=sent),
        "plan": wanted.make_plan(limits),
        "people": wanted.people,
        "errors": [{"field_id": "order", **sentence.to_data()} for sentence in refusals],
        "is_ordering": is_moved or bool(refusals),
    }
    return render(request, "tables/plan_preview.html", context, status=status)
