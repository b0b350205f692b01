"""The form on which a spreadsheet is uploaded or pasted."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from scorekeeper.common.spreadsheets.files import (
    SOURCES,
    SpreadsheetText,
    decode_spreadsheet,
    normalise_text,
)
from scorekeeper.common.spreadsheets.workbooks import UnreadableSpreadsheet

MAX_BYTES = 1_000_000


class SpreadsheetForm(forms.Form):
    """A spreadsheet, as a file or as pasted text.

    Derived: in both cases `cleaned_data["text"]` is the text, `cleaned_data["source"]` says how it was read, and
    `cleaned_data["sheets"]` has the sheets of a workbook.
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
            cleaned["text"], cleaned["source"], cleaned["sheets"] = cleaned["file"]
        elif cleaned.get("text", "").strip():
            cleaned["text"] = normalise_text(cleaned["text"])
        elif not self.errors:
            self.add_error("file", _("Choose a file, or paste its content below."))
        return cleaned
