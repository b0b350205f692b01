"""Django as a phone needs it: its templates and nothing else. No database, no apps, no addresses, one language."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from django.apps import apps
from django.conf import settings

from games.core.registry import game_packages


def set_up(templates: str, extra_games: Sequence[str]) -> None:
    """Set Django up in an interpreter that does nothing else.

    Args:
        templates: the folder of the pages' templates; games bring their own along.
        extra_games: packages of further games, as in the setting EXTRA_GAMES.
    """
    sys.set_int_max_str_digits(0)  # as `python -m games`: a sum may be longer than the longest number that is read
    folders = [templates, *_list_folders(extra_games)]
    backend = "django.template.backends.django.DjangoTemplates"
    settings.configure(
        EXTRA_GAMES=list(extra_games),
        TEMPLATES=[{"BACKEND": backend, "DIRS": folders}],
        USE_I18N=False,
    )
    apps.populate(())


def _list_folders(extra_games: Sequence[str]) -> list[str]:
    specs = [find_spec(package) for package in game_packages(extra_games)]
    homes = [home for spec in specs if spec for home in spec.submodule_search_locations or ()]
    return [str(Path(home, "templates")) for home in homes]
