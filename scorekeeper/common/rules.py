"""The door from the Django side to the games: which there are, and their texts in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.template import TemplateDoesNotExist, loader
from django.utils.translation import gettext, ngettext

from games.core.game import Game
from games.core.registry import find_games
from games.core.text import Params, Text


class _Active:
    """Django's translations for the language of the request, as the games' texts want them."""

    gettext = staticmethod(gettext)
    ngettext = staticmethod(ngettext)


ACTIVE = _Active()


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
    return _find_template(f"{folder}/{name}")


@cache
def _find_template(name: str) -> str | None:
    try:
        loader.get_template(name)
    except TemplateDoesNotExist:
        return None
    return name


def say(text: Text, params: Params | None = None) -> str:
    """Return a text of the games in the reader's language."""
    return text.fill(params, ACTIVE)
