"""Every clause that the code cites is in a rule book, and every text can be filled in."""

from __future__ import annotations

import pkgutil
import re
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import games.core
from games.core.text import Text
from tests.games.all_games import PACKAGES, get_game_folder

CLAUSE = re.compile(r"\b[A-Z]+-\d+\b")
ANCHOR = re.compile(r'<a id="([A-Z]+-\d+)"></a>\*\*([A-Z]+-\d+)\*\* ')
PLACE = re.compile(r"%\((\w+)\)s")
CORE = Path(games.core.__file__).parent


def clauses_of(folder: Path) -> list[str]:
    """Return the clauses of the rule book in a folder, in order."""
    found = ANCHOR.findall((folder / "rulebook.md").read_text("utf-8"))
    assert all(anchor == shown for anchor, shown in found)
    return [anchor for anchor, _ in found]


def modules() -> list[ModuleType]:
    packages = [import_module(name) for name in ("games.core", *PACKAGES)]
    return [
        import_module(f"{package.__name__}.{info.name}")
        for package in packages
        for info in pkgutil.iter_modules(package.__path__)
        if not info.ispkg and not info.name.startswith("test")
    ]


@pytest.mark.parametrize("package", PACKAGES)
def test_the_clauses_of_a_rule_book_are_numbered_without_gaps(package: str) -> None:
    clauses = clauses_of(get_game_folder(package))
    word = clauses[0].partition("-")[0]
    assert clauses == [f"{word}-{number}" for number in range(1, len(clauses) + 1)]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_clause_that_a_game_cites_exists(package: str) -> None:
    known = {*clauses_of(get_game_folder(package)), *clauses_of(CORE)}
    cited = {
        clause for path in get_game_folder(package).glob("*.py") for clause in CLAUSE.findall(path.read_text("utf-8"))
    } - {"UTF-8"}
    assert cited
    assert cited <= known


def test_what_all_games_share_cites_only_the_clauses_of_every_game() -> None:
    cited = {clause for path in CORE.glob("*.py") for clause in CLAUSE.findall(path.read_text("utf-8"))}
    assert cited - {"UTF-8", "SHA-256"} <= set(clauses_of(CORE))


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_singular_and_plural_name_the_same_places_and_can_be_filled(module: ModuleType) -> None:
    for text in [value for value in vars(module).values() if isinstance(value, Text) and value.template]:
        places = set(PLACE.findall(text.template))
        assert text.template % defaultdict(str, dict.fromkeys(places, "x"))
        if text.plural is not None:
            assert set(PLACE.findall(text.plural)) == places
            assert text.count in places
