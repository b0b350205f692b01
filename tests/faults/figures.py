"""Writes the figures that a full run measured into `docs/reliability.md`, between its two markers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from tests.programs import ROOT

PAGE = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- figures: make faults -->", "<!-- end of figures -->"


class Figures:
    """The figures measured so far, by the name of their row."""

    def __init__(self) -> None:
        self._measured: dict[str, str] = {}

    def add(self, row: str, measured: str) -> None:
        """Save a figure for the page.

        Args:
            row: the page's first column: what the test did.
            measured: the result, with its numbers.
        """
        self._measured[row] = measured

    def write(self) -> None:
        """Write the figures into the page, each in its row. Rows of tests that did not run stay unchanged."""
        before, _mark, rest = PAGE.read_text().partition(BEGIN)
        old, _mark, after = rest.partition(END)
        today = dt.datetime.now(dt.UTC).date().isoformat()
        rows = {**_read_rows(old), **{what: (measured, today) for what, measured in self._measured.items()}}
        PAGE.write_text(f"{before}{BEGIN}\n{_write_rows(rows)}{END}{after}")


def _read_rows(table: str) -> dict[str, tuple[str, str]]:
    lines = [line.strip().strip("|").split(" | ") for line in table.strip().splitlines()[2:]]
    return {what.strip(): (measured.strip(), day.strip()) for what, measured, day in lines}


def _write_rows(rows: Mapping[str, tuple[str, str]]) -> str:
    lines = [f"| {what} | {measured} | {day} |" for what, (measured, day) in sorted(rows.items())]
    return "\n".join(["| what was done | what came of it | on |", "| --- | --- | --- |", *lines, ""])
