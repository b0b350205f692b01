"""The pages for importing a roster: choose a file, check the columns and changes, confirm."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.players.forms import RosterForm
from scorekeeper.players.roster_columns import FIELDS
from scorekeeper.players.roster_parser import MAX_COLUMNS, SAMPLE_CSV
from scorekeeper.players.roster_problems import describe_problems
from scorekeeper.players.roster_text import SOURCES, normalise_text
from scorekeeper.players.selectors.import_plan import ImportPlan, plan_import
from scorekeeper.players.services.imports import StaleImportPlan, import_roster

MAX_PROBLEMS_SHOWN = 50  # kinds of problems
COLUMN_PREFIX = "column-"  # followed by a column's index, the name of the form field that says what it is read as


@organiser_required
def upload_roster(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Ask for a roster, show how it is read and what would change, and import it after confirmation."""
    if "digest" in request.POST:
        return _confirm(request, event)
    form = RosterForm(request.POST or None, request.FILES or None)
    if not form.is_valid():
        context = {"event": event, "form": form}
        return render(request, "players/import.html", context, status=422 if form.is_bound else 200)
    return _preview(request, event, form.cleaned_data["text"], form.cleaned_data["source"])


@organiser_required
def download_sample(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Send a sample roster. Its byte order mark tells Excel that it is UTF-8."""
    response = HttpResponse(SAMPLE_CSV.encode("utf-8-sig"), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="roster.csv"'
    return response


def _preview(
    request: OrganiserRequest, event: Event, text: str, source: str, *, is_conflict: bool = False
) -> HttpResponse:
    plan = plan_import(event, text, _read_fields(request.POST))
    context = {
        "event": event,
        "plan": plan,
        "counts": {status: plan.count(status) for status in ("new", "changed", "unchanged")},
        "fields": FIELDS,
        "source": source,
        "source_text": SOURCES.get(source, ""),
        "roster": text,
        "is_conflict": is_conflict,
        **_make_problem_context(plan, text),
    }
    status = 422 if plan.problems else 409 if is_conflict else 200
    return render(request, "players/import_preview.html", context, status=status)


def _make_problem_context(plan: ImportPlan, text: str) -> dict[str, object]:
    """Return the context for problems: those of columns link to the columns, all others to the text."""
    if not plan.problems:
        return {}
    # A browser does not let us fill in a file field again, so its text is shown, where it can be fixed.
    form = RosterForm({"text": text})
    sentences = describe_problems(problem for problem in plan.problems if not problem.is_about_columns)
    if sentences:
        form.add_error("text", sentences[:MAX_PROBLEMS_SHOWN])
    about_columns = describe_problems(problem for problem in plan.problems if problem.is_about_columns)
    errors = [{"field_id": "columns", "text": sentence} for sentence in about_columns]
    return {"form": form, "errors": errors, "more": max(0, len(sentences) - MAX_PROBLEMS_SHOWN)}


def _confirm(request: OrganiserRequest, event: Event) -> HttpResponse:
    text = normalise_text(request.POST.get("text", ""))
    try:
        plan = import_roster(event, text, request.POST["digest"], _read_fields(request.POST))
    except StaleImportPlan:
        return _preview(request, event, text, request.POST.get("source", ""), is_conflict=True)
    new, changed = plan.count("new"), plan.count("changed")
    added = ngettext("%(count)s bike added", "%(count)s bikes added", new) % {"count": new}
    altered = ngettext("%(count)s changed", "%(count)s changed", changed) % {"count": changed}
    messages.success(request, _("%(added)s, %(altered)s.") % {"added": added, "altered": altered})
    return redirect("players:roster", event.slug)


def _read_fields(data: QueryDict) -> Mapping[int, str] | None:
    """Return the fields chosen for the columns; None before the user was asked."""
    values = {index: data.get(f"{COLUMN_PREFIX}{index}") for index in range(MAX_COLUMNS)}
    fields = {index: field if field in FIELDS else "" for index, field in values.items() if field is not None}
    return fields or None
