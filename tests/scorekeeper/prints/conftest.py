"""A ride with results to print: the fixtures of the results' tests, and a reader of PDF files."""

from __future__ import annotations

import io
import re
from typing import Any

from django.http import HttpResponse
from pypdf import PdfReader

from tests.scorekeeper.results.conftest import (
    add_action,
    add_table,
    add_turn,
    close,
    cut,
    desk,
    drag_contest,
    drag_tables,
    fetch_table,
    people,
    pig_contest,
    rogue_contest,
    rogue_tables,
    tied_bikes,
    update_standings,
)
from tests.scorekeeper.table_fixtures import organiser

__all__ = [
    "add_action",
    "add_table",
    "add_turn",
    "close",
    "cut",
    "desk",
    "drag_contest",
    "drag_tables",
    "fetch_table",
    "organiser",
    "people",
    "pig_contest",
    "rogue_contest",
    "rogue_tables",
    "tied_bikes",
    "update_standings",
]

A4, LETTER = (595, 842), (612, 792)  # points


def read_pages(content: bytes) -> list[str]:
    """Return the text of each page, with single spaces, and without the marks that steer line breaks and directions."""
    return [_clean(page.extract_text()) for page in PdfReader(io.BytesIO(content)).pages]


def measure_pages(content: bytes) -> set[tuple[int, int]]:
    """Return the sizes of the pages, in points."""
    boxes = (page.mediabox for page in PdfReader(io.BytesIO(content)).pages)
    return {(round(box.width), round(box.height)) for box in boxes}


def _clean(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub("[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u00ad]", "", text)).strip()


def get_pages(response: Any) -> list[str]:
    """Return the text of the pages of a response, which must be a PDF."""
    assert isinstance(response, HttpResponse)
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/pdf")
    return read_pages(response.content)
