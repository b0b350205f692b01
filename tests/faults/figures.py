"""What a full run measured, written into `docs/reliability.md` between its two marks."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from tests.programs import ROOT

PAGE = ROOT / "docs" / "reliability.md"
BEGIN, END = "<!-- figures: make faults -->", "<!-- end of figures -->"


class Figures:
    """What was told so far, by what it is about."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def add(self, what: str, measured: str) -> None:
        """Keep a figure for the page.

        Args:
            what: what was survived, as the page's first column has it.
            measured: what came of it, with its numbers.
        """
        self._told[what] = measured

    def write(self) -> None:
        """Put the figures into the page, each in its row; rows of tests that did not run stay as they were."""
        before, _mark, rest = PAGE.read_text().partition(BEGIN)
        old, _mark, after = rest.partition(END)
        today = dt.datetime.now(dt.UTC).date().isoformat()
        rows = {**_read_rows(old), **{what: (measured, today) for what, measured in self._told.items()}}
        PAGE.write_text(f"{before}{BEGIN}\n{_write_rows(rows)}{END}{after}")


def _read_rows(table: str) -> dict[str, tuple[str, str]]:
    lines = [line.strip().strip("|").split(" | ") for line in table.strip().splitlines()[2:]]
    return {what.strip(): (measured.strip(), day.strip()) for what, measured, day in lines}


def _write_rows(rows: Mapping[str, tuple[str, str]]) -> str:
    lines = [f"| {what} | {measured} | {day} |" for what, (measured, day) in sorted(rows.items())]
    return "\n".join(["| what was done | what came of it | on |", "| --- | --- | --- |", *lines, ""])
