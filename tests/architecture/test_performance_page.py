"""The head of `docs/performance.md` names exactly the goals that its sections show as missed."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "performance.md").read_text("utf-8")
# The line below the name of a benchmark: its goal, and whether it was met.
SECTION = re.compile(r"^## (\w+)\n\n(.+)$", re.MULTILINE)
# The last cell of a row: "[met](page)", "[met](#section)" or "[**missed**](#section)".
VERDICT = re.compile(r"\| \[(?:(met)|\*\*(missed)\*\*)\]\(([^)#]*)#?(\w*)\) \|$", re.MULTILINE)


def list_goals() -> dict[str, str]:
    """Return the line with the goal of each benchmark, by its name."""
    return dict(SECTION.findall(PAGE))


def get_table() -> str:
    """Return the table of figures at the head."""
    return PAGE.partition("**Met and missed.**")[2].partition("\n**")[0]


def list_verdicts() -> list[tuple[str, str, str]]:
    """Return the rows of the table: met or missed, the page with the figures if it is another, and its section."""
    return [(met or missed, page, section) for met, missed, page, section in VERDICT.findall(get_table())]


def test_the_head_names_exactly_the_goals_that_were_missed() -> None:
    missed = {name for name, goal in list_goals().items() if ": **missed** (" in goal}
    in_head = [(page, section) for verdict, page, section in list_verdicts() if verdict == "missed"]

    assert missed
    assert sorted(in_head) == sorted(("", name) for name in missed)


def test_what_the_head_calls_met_was_met() -> None:
    met = {name for name, goal in list_goals().items() if ": met (" in goal}
    in_head = {section for verdict, page, section in list_verdicts() if (verdict, page) == ("met", "")}

    assert in_head
    assert in_head <= met


def test_every_row_of_the_head_has_a_verdict() -> None:
    rows = [line for line in get_table().splitlines() if line.startswith("|")]

    assert len(list_verdicts()) == len(rows) - 2  # the heading and the line below it


def test_the_page_explains_every_missed_goal() -> None:
    reasons = PAGE.partition("**What is missed, and why.**")[2].partition("\n## ")[0]
    missed = [goal for goal in list_goals().values() if ": **missed** (" in goal]

    explained = re.findall(r"^- \*([^*]+)\*", reasons, re.MULTILINE)
    assert explained == [goal.partition(":")[0] for goal in missed]
