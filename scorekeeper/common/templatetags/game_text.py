"""The template filters for the games: `{{ text|translate }}` is a text in the reader's language, and
`{{ total|show_total:game }}` what a page shows of a total.
"""

from __future__ import annotations

from typing import Any

from django import template

from games.core.game import Game
from scorekeeper.common import game_adapter

register = template.Library()
register.filter("translate", game_adapter.translate)


@register.filter
def show_total(total: int, game: Game[Any]) -> int | str:
    """Return what a page shows of a total."""
    return game_adapter.show_total(game, total)
