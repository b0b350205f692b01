"""Dates are written as each language writes them, the first of a month too, wherever they are."""

from __future__ import annotations

import ast
import datetime as dt
from pathlib import Path

import pytest
from django.template import engines
from django.utils import translation

from scorekeeper.common.date_wording import format_date
from tests.programs import ROOT

FIRST = dt.datetime(2026, 12, 1, 17, 5, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en-gb", "1 Dec 2026", "11 Dec 2026"),
        ("de", "1. Dezember 2026", "11. Dezember 2026"),
        ("es", "1 de diciembre de 2026", "11 de diciembre de 2026"),
        ("fr", "1er décembre 2026", "11 décembre 2026"),
    ],
)
def test_the_first_of_a_month_is_an_ordinal_in_french(language: str, first: str, second: str) -> None:
    with translation.override(language):
        assert format_date(FIRST) == format_date(FIRST.date()) == first
        assert format_date(FIRST.replace(day=11)) == second


def test_templates_write_dates_likewise() -> None:
    source = "{{ day|date:pattern }}, {{ day|date }}, {{ none|date }}, {{ time|date:'H:i' }}."
    template = engines["django"].from_string(source)
    with translation.override("fr"):
        text = template.render({"day": FIRST.date(), "pattern": "j F", "none": None, "time": dt.time(9)})
    assert text == "1er décembre, 1er décembre 2026, , 09:00."


def test_the_time_of_day_and_other_letters_are_left_alone() -> None:
    with translation.override("fr"):
        assert format_date(FIRST, "j N, H:i") == "1er déc., 17:05"
        assert format_date(FIRST, "d/m/Y") == "01/12/2026"


def test_nothing_else_formats_dates() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "scorekeeper").rglob("*.py"))
        if path.name != "date_wording.py"
        for line in list_other_formatters(path)
    ]
    assert found == [], "use scorekeeper.common.date_wording"


def list_other_formatters(path: Path) -> list[int]:
    """Return the lines that name one of Django's functions for dates in words."""
    names = {"date_format", "dateformat", "DateFormat"}
    return [
        node.lineno
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if (isinstance(node, ast.Attribute) and node.attr in names)
        or (isinstance(node, ast.ImportFrom) and names & {alias.name for alias in node.names})
    ]
