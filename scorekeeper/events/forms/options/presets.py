"""The buttons that fill in options: the rule book's defaults, and sets of options that a game suggests."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from games.core.game import Game
from games.core.options import Preset, read_options
from games.core.text import gettext_noop
from scorekeeper.common.game_adapter import translate
from scorekeeper.events.forms.options.form_data import ROOT, OptionsEdit, write_value
from scorekeeper.events.options_summary import list_editable_options

RULE_BOOK_PRESET = Preset(
    "rule_book", gettext_noop("As in the rule book"), gettext_noop("Every option as in the rule book."), {}
)


def list_presets(game: Game[Any]) -> list[Preset]:
    """Return the presets, the rule book's first; none for a game without options."""
    return [RULE_BOOK_PRESET, *game.presets] if list_editable_options(game) else []


def apply_preset(game: Game[Any], draft: QueryDict, key: str) -> OptionsEdit:
    """Return the draft with a preset filled in. Options that the preset does not mention keep their input."""
    after = draft.copy()
    preset = next((preset for preset in list_presets(game) if preset.key == key), None)
    if preset is None:
        return OptionsEdit(after)
    declared = list_editable_options(game)
    values = read_options(declared, dict(preset.options))
    for option in declared:
        if preset is RULE_BOOK_PRESET or option.name in preset.options:
            write_value(after, option, f"{ROOT}.{option.name}", values[option.name])
    return OptionsEdit(after, key, _("Filled in: %(preset)s.") % {"preset": translate(preset.label)})
