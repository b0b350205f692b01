"""The form on which a spreadsheet is uploaded or pasted, and how an import's pages show problems and columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.spreadsheet_errors import UnreadableSpreadsheet
from scorekeeper.common.spreadsheet_problems import SpreadsheetProblem, describe_problems
from scorekeeper.common.spreadsheet_records import MAX_COLUMNS
from scorekeeper.common.spreadsheet_text import SOURCES, SpreadsheetText, decode_spreadsheet, normalise_text

MAX_BYTES = 1_000_000
MAX_PROBLEMS_SHOWN = 50  # kinds of problems
COLUMN_PREFIX = "column-"  # followed by a column's index, the name of the form field that says what it is read as


class SpreadsheetForm(forms.Form):
    """A spreadsheet, as a file or as pasted text.

    Derived: in both cases `cleaned_data["text"]` is the text, and `cleaned_data["source"]` says how it was read.
    """

    file = forms.FileField(
        label=_("CSV or Excel file"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,text/csv,text/plain"}),
        error_messages={"empty": _("The file is empty. Choose another one, or paste its content below.")},
    )
    source = forms.ChoiceField(choices=list(SOURCES.items()), required=False, widget=forms.HiddenInput)
    text = forms.CharField(
        label=_("Or paste it here"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean_file(self) -> SpreadsheetText | None:
        """Reject a file that is not a spreadsheet, or too large."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is None:
            return None
        if (file.size or 0) > MAX_BYTES:
            raise ValidationError(
                _("The file is larger than 1 megabyte. Choose a smaller file with only what to import.")
            )
        try:
            return decode_spreadsheet(file.read())
        except UnreadableSpreadsheet as error:
            raise ValidationError(str(error)) from error

    def clean(self) -> dict[str, Any]:
        """Use the file if there is one, otherwise the pasted text."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("file"):
            cleaned["text"], cleaned["source"] = cleaned["file"]
        elif cleaned.get("text", "").strip():
            cleaned["text"] = normalise_text(cleaned["text"])
        elif not self.errors:
            self.add_error("file", _("Choose a file, or paste its content below."))
        return cleaned


def read_column_fields(data: QueryDict, known: Collection[str]) -> Mapping[int, str] | None:
    """Return the fields chosen for the columns, by index; None before the user was asked.

    Args:
        known: the fields of the import; others are not used.
    """
    values = {index: data.get(f"{COLUMN_PREFIX}{index}") for index in range(MAX_COLUMNS)}
    fields = {index: field if field in known else "" for index, field in values.items() if field is not None}
    return fields or None


def make_problem_context(problems: Iterable[SpreadsheetProblem], text: str) -> dict[str, object]:
    """Return the context for problems: those of columns link to the columns, all others to the text."""
    problems = list(problems)
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
