"""Checks each game's table of clauses and tests against the rule books and against the tests.

Terms: `clauses.py` in a game's test folder names the tests that show each clause; a test's docstring names the clauses
that it shows. The clauses of every game may also be shown by the tests of this folder.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import pytest

import games.core
from tests.games.all_games import PACKAGES, get_game_folder, get_test_folder

CITED = re.compile(r"\b[A-Z]+-\d+\b")
ANCHOR = re.compile(r'<a id="([A-Z]+-\d+)">')
IN_COMMON = Path(__file__).parent / "test_play.py"

every_game = pytest.mark.parametrize("package", PACKAGES)


def clauses_in(folder: Path) -> list[str]:
    return ANCHOR.findall((folder / "rulebook.md").read_text("utf-8"))


def clauses_of(package: str) -> list[str]:
    """Return the game's own clauses, then those of every game."""
    return clauses_in(get_game_folder(package)) + clauses_in(Path(games.core.__file__).parent)


def shown_by(package: str) -> Mapping[str, tuple[str, ...]]:
    module = import_module(f"tests.games.{package.rpartition('.')[2]}.clauses")
    table: Mapping[str, tuple[str, ...]] = module.TESTS_BY_CLAUSE
    return table


def by_clause(*paths: Path) -> dict[str, set[str]]:
    """Return the tests in these files whose docstring names a clause, by clause."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for clause in CITED.findall(ast.get_docstring(node) or ""):
                    found[clause].add(node.name)
    return found


@every_game
def test_the_table_has_every_clause_of_the_rule_books_in_their_order(package: str) -> None:
    assert list(shown_by(package)) == clauses_of(package)


@every_game
def test_every_clause_is_shown_by_a_test_and_the_table_names_exactly_those(package: str) -> None:
    own = by_clause(*sorted(get_test_folder(package).glob("test_*.py")))
    in_common = by_clause(IN_COMMON)
    for clause, names in shown_by(package).items():
        assert names
        assert own[clause] <= set(names) <= own[clause] | in_common[clause], clause
