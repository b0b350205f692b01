"""The pages for importing a roster: choose a file, check the columns and changes, confirm."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.sent_once import sent_once
from scorekeeper.common.spreadsheet_form import SpreadsheetForm, make_problem_context, read_column_fields
from scorekeeper.common.spreadsheet_text import SOURCES, normalise_text
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.players.roster_columns import FIELDS
from scorekeeper.players.roster_parser import SAMPLE_CSV
from scorekeeper.players.selectors.import_plan import plan_import
from scorekeeper.players.services.imports import StaleImportPlan, import_roster


@sent_once
@organiser_required
def upload_roster(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Ask for a roster, show how it is read and what would change, and import it after confirmation."""
    if "digest" in request.POST:
        return _confirm(request, event)
    form = SpreadsheetForm(request.POST or None, request.FILES or None)
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
    plan = plan_import(event, text, read_column_fields(request.POST, FIELDS))
    context = {
        "event": event,
        "plan": plan,
        "counts": {status: plan.count(status) for status in ("new", "changed", "unchanged")},
        "fields": FIELDS,
        "source": source,
        "source_text": SOURCES.get(source, ""),
        "content": text,
        "is_conflict": is_conflict,
        **make_problem_context(plan.problems, text),
    }
    status = 422 if plan.problems else 409 if is_conflict else 200
    return render(request, "players/import_preview.html", context, status=status)


def _confirm(request: OrganiserRequest, event: Event) -> HttpResponse:
    text = normalise_text(request.POST.get("text", ""))
    try:
        plan = import_roster(event, text, request.POST["digest"], read_column_fields(request.POST, FIELDS))
    except StaleImportPlan:
        return _preview(request, event, text, request.POST.get("source", ""), is_conflict=True)
    new, changed = plan.count("new"), plan.count("changed")
    added = ngettext("%(count)s bike added", "%(count)s bikes added", new) % {"count": new}
    altered = ngettext("%(count)s changed", "%(count)s changed", changed) % {"count": changed}
    messages.success(request, _("%(added)s, %(altered)s.") % {"added": added, "altered": altered})
    return redirect("players:roster", event.slug)
