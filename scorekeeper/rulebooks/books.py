"""Finds a game's rule book and caches its page.

A rule book is the file `rulebook.md` in its game's folder, in English; translations such as `rulebook.de.md` may be
next to it. The clauses that apply to every game are in the core folder and end every page, so a translation is used
only if both files exist. Each page is rendered once per process.
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
    """A rendered rule book.

    Attributes:
        language: the code of the language it is written in.
    """

    language: str
    page: RuleBookPage


def get_book(game: Game[Any]) -> RuleBook:
    """Return the rule book of a game, in the reader's language if there is a translation."""
    return _get_cached_book(type(game).__module__.rpartition(".")[0], get_language() or ENGLISH)


@cache
def _get_cached_book(package: str, language: str) -> RuleBook:
    return read_book(files(package), files("games.core"), language)


def read_book(own: Traversable, shared: Traversable, language: str) -> RuleBook:
    """Read and render a rule book.

    Args:
        own: the folder of the game.
        shared: the folder with the clauses of every game.
        language: the requested code, such as "de-ch", which falls back to "de".
    """
    for code in (language, language.partition("-")[0]):
        name = f"rulebook.{code}.md"
        if (own / name).is_file() and (shared / name).is_file():
            return _render(own / name, shared / name, code)
    return _render(own / "rulebook.md", shared / "rulebook.md", ENGLISH)


def _render(own: Traversable, shared: Traversable, language: str) -> RuleBook:
    return RuleBook(language, render_page(own.read_text("utf-8"), shared.read_text("utf-8")))
