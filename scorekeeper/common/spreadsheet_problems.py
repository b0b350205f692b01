"""Problems of a spreadsheet, and the sentences that describe them: rows with the same problem share a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

MAX_ROWS_NAMED = 20
MAX_CELLS_QUOTED = 3
MAX_QUOTE_LENGTH = 40


@dataclass(frozen=True)
class SpreadsheetProblem:
    """A problem of a row; without a row it is a problem of the columns or of the whole file. The cell is an example."""

    text: str
    row: int | None = None
    cell: str = ""
    is_about_columns: bool = False


def describe_problems(problems: Iterable[SpreadsheetProblem]) -> list[str]:
    """Return a sentence for each kind of problem, such as "Rows 3, 7 and 12: no number."."""
    groups: dict[str, list[SpreadsheetProblem]] = {}
    for problem in problems:
        groups.setdefault(problem.text, []).append(problem)
    return [_describe(text, group) for text, group in groups.items()]


def _describe(text: str, problems: list[SpreadsheetProblem]) -> str:
    rows = sorted({problem.row for problem in problems if problem.row is not None})
    if not rows:
        return f"{text}."
    named = [str(row) for row in rows[:MAX_ROWS_NAMED]]
    if more := len(rows) - len(named):
        named.append(_("%(count)s more") % {"count": more})
    cells = list(dict.fromkeys(problem.cell for problem in problems if problem.cell))
    if cells:
        quoted = [f"“{cell[:MAX_QUOTE_LENGTH]}”" for cell in cells[:MAX_CELLS_QUOTED]]
        text = f"{text} ({', '.join(quoted)}{', …' if len(cells) > MAX_CELLS_QUOTED else ''})"
    params = {"rows": get_text_list(named, _("and")), "text": text}
    return ngettext("Row %(rows)s: %(text)s.", "Rows %(rows)s: %(text)s.", len(rows)) % params
