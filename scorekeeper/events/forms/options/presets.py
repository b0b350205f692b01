"""The buttons that fill options in: the rule book's defaults, and choices that a game says go well together."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from games.core.game import Game
from games.core.options import Preset, read_options
from games.core.text import gettext_noop
from scorekeeper.common.rules import say
from scorekeeper.events.chosen import list_asked
from scorekeeper.events.forms.options.draft import ROOT, Change, write

BY_THE_BOOK = Preset(
    "rule_book", gettext_noop("By the rule book"), gettext_noop("Every option as the rules have it."), {}
)


def list_presets(game: Game[Any]) -> list[Preset]:
    """Return what can be filled in, the rule book first; nothing for a game without options."""
    return [BY_THE_BOOK, *game.presets] if list_asked(game) else []


def fill_in(game: Game[Any], draft: QueryDict, key: str) -> Change:
    """Return the draft with a preset in it. Options that the preset does not speak of stay as they were typed."""
    after = draft.copy()
    preset = next((preset for preset in list_presets(game) if preset.key == key), None)
    if preset is None:
        return Change(after)
    declared = list_asked(game)
    values = read_options(declared, dict(preset.options))
    for option in declared:
        if preset is BY_THE_BOOK or option.name in preset.options:
            write(after, option, f"{ROOT}.{option.name}", values[option.name])
    return Change(after, key, _("Filled in: %(preset)s.") % {"preset": say(preset.label)})
