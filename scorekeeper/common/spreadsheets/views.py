"""The pages of an import: choose a file, check the columns and changes, confirm."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.spreadsheets.files import SOURCES, normalise_text
from scorekeeper.common.spreadsheets.forms import SpreadsheetForm
from scorekeeper.common.spreadsheets.importer import Importer, StaleImportPlan
from scorekeeper.common.spreadsheets.sheets import MAX_COLUMNS, Problem, describe_problems

MAX_PROBLEMS_SHOWN = 50  # kinds of problems
COLUMN_PREFIX = "column-"  # followed by a column's index, the name of the form field that says what it is read as


@dataclass(frozen=True)
class ImportPages:
    """The pages of one import.

    Attributes:
        folder: the folder with the templates `import.html` and `import_preview.html`.
        context: what these need of their own.
        back: the URL of the page that shows what was imported.
        sample: the URL of the sample file.
    """

    importer: Importer[Any, Any]
    folder: str
    context: Mapping[str, object]
    back: str
    sample: str

    def show(self, request: HttpRequest) -> HttpResponse:
        """Ask for a file, show how it is read and what would change, and import it after confirmation."""
        if "digest" in request.POST:
            return self._confirm(request)
        form = SpreadsheetForm(request.POST or None, request.FILES or None)
        if not form.is_valid():
            return self._render(request, "import.html", {"form": form}, 422 if form.is_bound else 200)
        return self._preview(request, form.cleaned_data["text"], form.cleaned_data["source"])

    def _preview(self, request: HttpRequest, text: str, source: str, *, is_conflict: bool = False) -> HttpResponse:
        plan = self.importer.make_plan(text, _read_choice(request.POST, self.importer.fields))
        context = {
            "plan": plan,
            "fields": self.importer.fields,
            "source": source,
            "source_text": SOURCES.get(source, ""),
            "content": text,
            "is_conflict": is_conflict,
            **_make_problem_context(plan.problems, text),
        }
        status = 422 if plan.problems else 409 if is_conflict else 200
        return self._render(request, "import_preview.html", context, status)

    def _confirm(self, request: HttpRequest) -> HttpResponse:
        text = normalise_text(request.POST.get("text", ""))
        choice = _read_choice(request.POST, self.importer.fields)
        try:
            plan = self.importer.execute_plan(text, request.POST["digest"], choice)
        except StaleImportPlan:
            return self._preview(request, text, request.POST.get("source", ""), is_conflict=True)
        added = str(self.importer.added % {"count": plan.counts["new"]})
        changed = plan.counts["changed"]
        altered = ngettext("%(count)s changed", "%(count)s changed", changed) % {"count": changed}
        messages.success(request, _("%(added)s, %(altered)s.") % {"added": added, "altered": altered})
        return redirect(self.back)

    def _render(self, request: HttpRequest, page: str, context: Mapping[str, object], status: int) -> HttpResponse:
        context = {**self.context, "back": self.back, "sample": self.sample, **context}
        return render(request, f"{self.folder}/{page}", context, status=status)


def send_sample(importer: type[Importer[Any, Any]], name: str) -> HttpResponse:
    """Send a file that shows how a list can look. Its byte order mark tells Excel that it is UTF-8.

    Args:
        name: the name of the file.
    """
    response = HttpResponse(importer.sample.encode("utf-8-sig"), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _read_choice(data: QueryDict, known: Collection[str]) -> Mapping[int, str] | None:
    """Return the fields chosen for the columns, by index; None before the user was asked.

    Args:
        known: the fields of the import; others are not used.
    """
    values = {index: data.get(f"{COLUMN_PREFIX}{index}") for index in range(MAX_COLUMNS)}
    fields = {index: field if field in known else "" for index, field in values.items() if field is not None}
    return fields or None


def _make_problem_context(problems: Collection[Problem], text: str) -> dict[str, object]:
    """Return the context for problems: those of columns link to the columns, all others to the text."""
    if not problems:
        return {}
    # A browser does not let us fill in a file field again, so its text is shown, where it can be fixed.
    form = SpreadsheetForm({"text": text})
    sentences = describe_problems(problem for problem in problems if not problem.is_about_columns)
    if sentences:
        form.add_error("text", sentences[:MAX_PROBLEMS_SHOWN])
    about_columns = describe_problems(problem for problem in problems if problem.is_about_columns)
    errors = [{"field_id": "columns", "text": sentence} for sentence in about_columns]
    return {"form": form, "errors": errors, "more": max(0, len(sentences) - MAX_PROBLEMS_SHOWN)}
