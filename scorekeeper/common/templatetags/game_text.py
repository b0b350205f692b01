"""The template filter for the games' texts: `{{ text|translate }}` is the text in the reader's language."""

from __future__ import annotations

from django import template

from scorekeeper.common.game_adapter import translate

register = template.Library()
register.filter("translate", translate)
