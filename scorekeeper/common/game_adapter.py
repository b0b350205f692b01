"""The Django side's access to the games: their list, their templates, and their texts in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.template import TemplateDoesNotExist, loader
from django.utils.translation import gettext, ngettext, pgettext

from games.core.game import Game, Ruleset
from games.core.registry import find_games
from games.core.sheet import Cell, LineKind
from games.core.text import Params, Text


class GameFragment(NamedTuple):
    """A template of a game, and the data it renders."""

    template: str
    data: Mapping[str, Any]


class _ActiveTranslations:
    """Django's translations for the language of the request, with the interface that the games' texts use."""

    gettext = staticmethod(gettext)
    pgettext = staticmethod(pgettext)
    ngettext = staticmethod(ngettext)


ACTIVE_TRANSLATIONS = _ActiveTranslations()


def list_games() -> Mapping[str, Game[Any]]:
    """Return every game by its key: our own and those in the setting EXTRA_GAMES."""
    return find_games(tuple(settings.EXTRA_GAMES))


def get_game(key: str) -> Game[Any]:
    """Return the game.

    Raises:
        KeyError: there is no game with this key.
    """
    return list_games()[key]


def find_fragment(game: Game[Any], name: str) -> str | None:
    """Return the path of a game's template, such as "display.html", or None if the game has none.

    The template is in the game's folder, under `templates/<folder>/`.
    """
    folder = type(game).__module__.split(".")[-2]
    try:
        loader.get_template(f"{folder}/{name}")
    except TemplateDoesNotExist:
        return None
    return f"{folder}/{name}"


def get_display(game: Game[Any], state: Any) -> GameFragment | None:
    """Return the game's display of a current state, or None if the game has none.

    The template also needs the `names` of the seats, which the game does not know.
    """
    template, data = find_fragment(game, "display.html"), game.display(state)
    return GameFragment(template, data) if template and data is not None else None


def get_preview(ruleset: Ruleset) -> GameFragment | None:
    """Return the game's preview of a ruleset's options, or None if the game has none."""
    template = find_fragment(ruleset.game, "preview.html")
    data = ruleset.game.preview(ruleset.setup) if template else None
    return GameFragment(template, data) if template and data is not None else None


def translate(text: Text, params: Params | None = None) -> str:
    """Return a game's text in the reader's language."""
    return text.fill(params, ACTIVE_TRANSLATIONS)


def show_cell(cell: Cell) -> int | str | None:
    """Return what a cell of a score sheet shows: its words in the reader's language, or its points."""
    return cell.points if cell.words is None else translate(cell.words, cell.params)


def show_total(game: Game[Any], total: int) -> int | str:
    """Return what pages show of a total: what the game says instead of the number, in the reader's language, or it."""
    described = game.describe_total(total)
    return total if described is None else translate(*described)


def show_line_points(game: Game[Any], kind: LineKind, points: int | None) -> int | str | None:
    """Return what pages show of the points of a line of a score sheet; None for an empty one.

    A total line shows what the game says instead of the total. What the other lines count stays a number.
    """
    return show_total(game, points) if kind == "total" and points is not None else points
