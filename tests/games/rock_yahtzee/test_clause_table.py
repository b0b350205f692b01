"""The table of clauses and tests, held to the rule books on one side and to the tests on the other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import games.core
import games.rock_yahtzee
from tests.games.rock_yahtzee.clauses import SHOWN_BY

CITED = re.compile(r"\b(?:ROCK|TABLE)-\d+\b")
ANCHOR = re.compile(r'<a id="([A-Z]+-\d+)">')
HERE = Path(__file__).parent
TESTS = (HERE / "test_clauses.py", HERE / "test_scoring.py", HERE.parent / "conformance" / "test_play.py")


def clauses_in(package_file: str) -> list[str]:
    return ANCHOR.findall((Path(package_file).parent / "rulebook.md").read_text("utf-8"))


def by_clause() -> dict[str, set[str]]:
    """The tests whose docstring names a clause, by clause."""
    found: dict[str, set[str]] = {}
    for path in TESTS:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for clause in CITED.findall(ast.get_docstring(node) or ""):
                    found.setdefault(clause, set()).add(node.name)
    return found


def test_the_table_has_every_clause_of_the_rule_books_in_their_order() -> None:
    assert list(SHOWN_BY) == clauses_in(games.rock_yahtzee.__file__) + clauses_in(str(games.core.__file__))
    assert list(SHOWN_BY) == [f"ROCK-{n}" for n in range(1, 32)] + [f"TABLE-{n}" for n in range(1, 5)]


def test_every_clause_is_shown_by_a_test_and_the_table_names_exactly_those() -> None:
    assert all(SHOWN_BY.values())
    assert {clause: set(names) for clause, names in SHOWN_BY.items()} == by_clause()
