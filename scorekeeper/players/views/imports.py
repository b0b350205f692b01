"""The page on which a whole roster comes in: choose, look, confirm."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.players.forms import RosterForm
from scorekeeper.players.roster_file import SAMPLE, normalise
from scorekeeper.players.selectors.import_plan import plan_import
from scorekeeper.players.services.imports import PlanChanged, import_roster

MOST_SHOWN = 50  # faults: whoever has more has one fault in every line


@organiser_required
@require_http_methods(["GET", "HEAD", "POST"])
def roster(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Ask for a roster, show what it would do, and do it once that is confirmed."""
    if "digest" in request.POST:
        return _confirm(request, event)
    form = RosterForm(request.POST or None, request.FILES or None)
    if not form.is_valid():
        context = {"event": event, "form": form}
        return render(request, "players/import.html", context, status=422 if form.is_bound else 200)
    return _preview(request, event, form.cleaned_data["text"])


@organiser_required
@require_safe
def sample(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Hand out a roster to start from. Its mark tells Excel that it is UTF-8."""
    response = HttpResponse(SAMPLE.encode("utf-8-sig"), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="roster.csv"'
    return response


def _preview(request: OrganiserRequest, event: Event, text: str, *, is_conflict: bool = False) -> HttpResponse:
    plan = plan_import(event, text)
    if plan.faults:
        # A file cannot be put back into its field; its text can, and be mended there.
        form = RosterForm({"text": text})
        form.add_error("text", [str(fault) for fault in plan.faults[:MOST_SHOWN]])
        more = len(plan.faults) - MOST_SHOWN
        context = {"event": event, "form": form, "is_refused": True, "more": more}
        return render(request, "players/import.html", context, status=422)
    counts = {status: plan.count(status) for status in ("new", "changed", "unchanged")}
    context = {"event": event, "plan": plan, "roster": text, "counts": counts, "is_conflict": is_conflict}
    return render(request, "players/import_preview.html", context, status=409 if is_conflict else 200)


def _confirm(request: OrganiserRequest, event: Event) -> HttpResponse:
    text = normalise(request.POST.get("text", ""))
    try:
        plan = import_roster(event, text, request.POST["digest"])
    except PlanChanged:
        return _preview(request, event, text, is_conflict=True)
    new, changed = plan.count("new"), plan.count("changed")
    added = ngettext("%(count)s bike is added", "%(count)s bikes are added", new) % {"count": new}
    altered = ngettext("%(count)s is changed", "%(count)s are changed", changed) % {"count": changed}
    messages.success(request, _("%(added)s, %(altered)s.") % {"added": added, "altered": altered})
    return redirect("players:roster", event.slug)
