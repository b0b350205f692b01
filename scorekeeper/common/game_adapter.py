"""The door from the Django side to the games: which there are, and their texts in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.template import TemplateDoesNotExist, loader
from django.utils.translation import gettext, ngettext

from games.core.game import Game, Ruleset
from games.core.registry import find_games
from games.core.text import Params, Text


class GameFragment(NamedTuple):
    """A template that a game brings along, and what it draws."""

    template: str
    data: Mapping[str, Any]


class _ActiveTranslations:
    """Django's translations for the language of the request, as the games' texts want them."""

    gettext = staticmethod(gettext)
    ngettext = staticmethod(ngettext)


ACTIVE_TRANSLATIONS = _ActiveTranslations()


def list_games() -> Mapping[str, Game[Any]]:
    """Return every game by key: our own and those of the setting EXTRA_GAMES."""
    return find_games(tuple(settings.EXTRA_GAMES))


def get_game(key: str) -> Game[Any]:
    """Return the game, or raise KeyError."""
    return list_games()[key]


def find_fragment(game: Game[Any], name: str) -> str | None:
    """Return the template a game brings along under this name, such as "display.html"; None without one.

    It lies in the game's folder, under `templates/<folder>/`.
    """
    folder = type(game).__module__.split(".")[-2]
    try:
        loader.get_template(f"{folder}/{name}")
    except TemplateDoesNotExist:
        return None
    return f"{folder}/{name}"


def get_display(game: Game[Any], state: Any) -> GameFragment | None:
    """Return the game's picture of a play as it stands; None where the game has none.

    The template also wants the `names` of the seats, which no game knows.
    """
    template, data = find_fragment(game, "display.html"), game.display(state)
    return GameFragment(template, data) if template and data is not None else None


def get_preview(ruleset: Ruleset) -> GameFragment | None:
    """Return the drawing of a ruleset's options; None where the game has none."""
    template = find_fragment(ruleset.game, "preview.html")
    data = ruleset.game.preview(ruleset.setup) if template else None
    return GameFragment(template, data) if template and data is not None else None


def translate(text: Text, params: Params | None = None) -> str:
    """Return a text of the games in the reader's language."""
    return text.fill(params, ACTIVE_TRANSLATIONS)
