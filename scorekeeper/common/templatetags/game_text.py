"""The games' texts in a page, in the reader's language: `{{ text|translate }}`."""

from __future__ import annotations

from django import template

from scorekeeper.common.game_adapter import translate

register = template.Library()
register.filter("translate", translate)
