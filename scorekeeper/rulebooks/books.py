"""Finding a game's rule book and keeping its page.

A rule book lies in its game's folder as `rulebook.md`, in English; beside it there may be translations, such as
`rulebook.de.md`. The clauses of every game lie in the folder of the core and end every page, so a translation is used
once both are there. A page is rendered once in a process.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from django.utils.translation import get_language

from games.core.game import Game
from scorekeeper.rulebooks.page_renderer import RuleBookPage, render_page

ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class RuleBook:
    """A rule book as it is shown.

    Attributes:
        language: the code of the language it is written in.
    """

    language: str
    page: RuleBookPage


def get_book(game: Game[Any]) -> RuleBook:
    """Return the rule book of a game, in the reader's language where there is a translation."""
    return _get_cached_book(type(game).__module__.rpartition(".")[0], get_language() or ENGLISH)


@cache
def _get_cached_book(package: str, language: str) -> RuleBook:
    return read_book(files(package), files("games.core"), language)


def read_book(own: Traversable, shared: Traversable, language: str) -> RuleBook:
    """Read and render a rule book.

    Args:
        own: the folder of the game.
        shared: the folder with the clauses of every game.
        language: the code wanted, such as "de-ch"; "de" will do for it.
    """
    for code in (language, language.partition("-")[0]):
        name = f"rulebook.{code}.md"
        if (own / name).is_file() and (shared / name).is_file():
            return _render(own / name, shared / name, code)
    return _render(own / "rulebook.md", shared / "rulebook.md", ENGLISH)


def _render(own: Traversable, shared: Traversable, language: str) -> RuleBook:
    return RuleBook(language, render_page(own.read_text("utf-8"), shared.read_text("utf-8")))
