"""The pages of an import: choose a file, check how it is read and what would change, confirm.

The forms carry the text along, and the other sheets of a workbook. What the user chose counts for the text that it was
chosen for: after an edit in the box, or with another sheet or row of column names, everything is read anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.spreadsheets.files import SOURCES, normalise_text
from scorekeeper.common.spreadsheets.forms import SpreadsheetForm
from scorekeeper.common.spreadsheets.importer import Choices, Importer, ImportPlan, StaleImportPlan
from scorekeeper.common.spreadsheets.sheets import MAX_COLUMNS, Problem, describe_problems
from scorekeeper.common.spreadsheets.workbooks import MAX_SHEETS, WorkbookSheet

MAX_PROBLEMS_SHOWN = 50  # kinds of problems
MAX_NOTES_SHOWN = 50  # kinds of notes
COLUMN_PREFIX = "column-"  # followed by a column's index, the name of the form field that says what it is read as
AGREED_FIELD = "agreed"  # to import although something is missing


class Source(NamedTuple):
    """A text, and where it is from.

    Attributes:
        kind: how it was read, as a key of `SOURCES`.
        sheets: of a workbook.
        sheet: which of these is shown; its text is `text`, as it was edited.
    """

    text: str
    kind: str = ""
    sheets: Sequence[WorkbookSheet] = ()
    sheet: int = 0

    def dump_sheets(self) -> str:
        """Return the sheets for a field of the form, without the text of the one that is shown; "" for one alone."""
        others = [(name, "" if place == self.sheet else text) for place, (name, text) in enumerate(self.sheets)]
        return json.dumps(others, ensure_ascii=False) if len(others) > 1 else ""


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
        data = form.cleaned_data
        if data.get("file"):
            return self._preview(request, Source(data["text"], data["source"], data["sheets"]), Choices())
        source = _read_source(request.POST, data["text"], data["source"])
        return self._preview(request, source, _read_choices(request.POST, source.text, self.importer.fields))

    def _preview(
        self, request: HttpRequest, source: Source, choices: Choices, error: str = "", *, is_conflict: bool = False
    ) -> HttpResponse:
        plan = self.importer.make_plan(source.text, choices)
        context = {
            "plan": plan,
            "fields": self.importer.fields,
            "source": source,
            "source_text": SOURCES.get(source.kind, ""),
            "sheets_field": source.dump_sheets(),
            "read": f"{_make_digest(source.text)}:{plan.reading.heading}",  # what the choices of the page are about
            "notes": describe_problems(plan.reading.notes)[:MAX_NOTES_SHOWN],
            "choices": choices,
            "misses_numbers": _misses_field(plan, self.importer.given_field),
            "is_conflict": is_conflict,
            "agreed_field": AGREED_FIELD,
            **_make_problem_context(plan.problems, source.text),
        }
        if error:
            context["errors"] = [{"field_id": AGREED_FIELD, "text": error}]
        status = 422 if plan.problems or error else 409 if is_conflict else 200
        return self._render(request, "import_preview.html", context, status)

    def _confirm(self, request: HttpRequest) -> HttpResponse:
        source = _read_source(
            request.POST, normalise_text(request.POST.get("text", "")), request.POST.get("source", "")
        )
        choices = _read_choices(request.POST, source.text, self.importer.fields)
        if AGREED_FIELD not in request.POST and self.importer.make_plan(source.text, choices).questions:
            text = _("Nothing was imported yet. Tick the box below if it should be imported like this.")
            return self._preview(request, source, choices, text)
        try:
            plan = self.importer.execute_plan(source.text, request.POST["digest"], choices)
        except StaleImportPlan:
            return self._preview(request, source, choices, is_conflict=True)
        added = str(self.importer.added % {"count": plan.counts["new"]})
        changed = plan.counts["changed"]
        altered = ngettext("%(count)s changed", "%(count)s changed", changed) % {"count": changed}
        messages.success(request, _("%(added)s, %(altered)s.") % {"added": added, "altered": altered})
        return redirect(self.back)

    def _render(self, request: HttpRequest, page: str, context: Mapping[str, object], status: int) -> HttpResponse:
        context = {**self.context, "back": self.back, "sample": self.sample, **context}
        return render(request, f"{self.folder}/{page}", context, status=status)


def send_sample(importer: type[Importer[Any, Any]], name: str) -> HttpResponse:
    """Send a file that shows how a list can look, with the names of its columns in the reader's language.

    Its byte order mark tells Excel that it is UTF-8.

    Args:
        name: the name of the file.
    """
    keys, rows = importer.sample.split("\n", 1)
    header = ",".join(str(importer.fields[key].label) for key in keys.split(","))
    response = HttpResponse(f"{header}\n{rows}".encode("utf-8-sig"), content_type="text/csv; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def _read_source(data: QueryDict, text: str, kind: str) -> Source:
    """Return the sheet that was chosen with the text it had, or else the text of the form."""
    sheets: list[WorkbookSheet] = []
    with suppress(ValueError, TypeError, RecursionError):
        found = [WorkbookSheet(str(name), str(content)) for name, content in json.loads(data.get("sheets", ""))]
        sheets = found[:MAX_SHEETS]
    shown, chosen = _read_index(data.get("shown_sheet")), _read_index(data.get("sheet"))
    if shown == chosen or max(shown, chosen) >= len(sheets):
        return Source(text, kind, sheets, shown)
    sheets[shown] = sheets[shown]._replace(text=text)
    return Source(normalise_text(sheets[chosen].text), kind, sheets, chosen)


def _read_index(value: str | None) -> int:
    return int(value) if value and value.isascii() and value.isdigit() and len(value) <= len(str(MAX_SHEETS)) else 0


def _make_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _read_choices(data: QueryDict, text: str, known: Collection[str]) -> Choices:
    """Return what was chosen for this text.

    Args:
        known: the fields of the import; others are not used.
    """
    gives_numbers = "gives_numbers" in data
    digits = data.get("heading", "")
    heading = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 8 else None
    read = data.get("read")  # without it, the choices were not made on a page
    if read is not None and _make_digest(text) != read.partition(":")[0]:
        return Choices(gives_numbers=gives_numbers)
    if read is not None and heading is not None and str(heading) != read.partition(":")[2]:
        return Choices(None, heading, gives_numbers)
    values = {index: data.get(f"{COLUMN_PREFIX}{index}") for index in range(MAX_COLUMNS)}
    fields = {index: field if field in known else "" for index, field in values.items() if field is not None}
    return Choices(fields or None, heading, gives_numbers)


def _misses_field(plan: ImportPlan[Any], given: str) -> bool:
    """Return whether rows, or all of them, lack the field that they can be given; "" if there is none."""
    if not given or not plan.columns:
        return False
    has_column = any(column.field == given for column in plan.columns)
    return not has_column or any(problem.field == given and not problem.cell for problem in plan.problems)


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
