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
CORE = "games.core"

_added: dict[tuple[str, str], str] = {}


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
    return read_book(type(game).__module__.rpartition(".")[0], get_language() or ENGLISH)


@cache
def read_book(package: str, language: str) -> RuleBook:
    """Read and render a rule book.

    Args:
        package: the package of the game.
        language: the requested code, such as "de-ch", which falls back to "de".
    """
    for code in (language, language.partition("-")[0]):
        own, shared = read_translation(package, code), read_translation(CORE, code)
        if own is not None and shared is not None:
            return RuleBook(code, render_page(own, shared))
    own, shared = ((files(folder) / "rulebook.md").read_text("utf-8") for folder in (package, CORE))
    return RuleBook(ENGLISH, render_page(own, shared))


def read_translation(package: str, code: str) -> str | None:
    """Return the rule book in the folder of a package in a language; None if it is not translated."""
    return _added.get((package, code)) or _read(files(package) / f"rulebook.{code}.md")


def add_translation(package: str, code: str, text: str) -> None:
    """Add a translation that is in no folder, as on a phone, which has only those of its language."""
    _added[package, code] = text
    read_book.cache_clear()


def _read(file: Traversable) -> str | None:
    return file.read_text("utf-8") if file.is_file() else None
