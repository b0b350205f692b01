"""The buttons that fill in options: the rule book's defaults, and sets of options that a game suggests."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.game import Game
from games.core.options import Preset, read_options
from games.core.text import gettext_noop
from scorekeeper.common.game_adapter import translate
from scorekeeper.events.forms.options.form_data import PLANNED_TURNS, ROOT, OptionsEdit, write_value
from scorekeeper.events.models import Contest
from scorekeeper.events.options_summary import list_editable_options

RULE_BOOK_PRESET = Preset(
    "rule_book", gettext_noop("As in the rule book"), gettext_noop("Every option as in the rule book."), {}
)


class PresetButton(NamedTuple):
    """A button that fills in options.

    Attributes:
        turns: for how many turns it is; "" where it does not say.
    """

    key: str
    label: str
    help: str
    turns: str


def list_presets(game: Game[Any]) -> list[Preset]:
    """Return the presets, the rule book's first; none for a game without options.

    A game that has a name for the options of its rule book needs no other button for them.
    """
    if not list_editable_options(game):
        return []
    names_rule_book = any(_is_rule_book(game, preset) for preset in game.presets)
    return list(game.presets) if names_rule_book else [RULE_BOOK_PRESET, *game.presets]


def _is_rule_book(game: Game[Any], preset: Preset) -> bool:
    is_whole = {option.name for option in list_editable_options(game)} <= preset.options.keys() | {"ties"}
    return is_whole and game.ruleset(dict(preset.options)).options == game.ruleset().options


def list_preset_buttons(contest: Contest) -> list[PresetButton]:
    """Return the presets as a page shows them, with the turns that they need at the stops."""
    return [
        PresetButton(preset.key, translate(preset.label), translate(preset.help), _describe_turns(contest, preset))
        for preset in list_presets(contest.game)
    ]


def _describe_turns(contest: Contest, preset: Preset) -> str:
    turns = preset.options.get(contest.game.slot_option or "")
    if turns is None:
        return ""
    text = ngettext("For %(count)s turn at the stops.", "For %(count)s turns at the stops.", turns) % {"count": turns}
    assigned = contest.slots.count()
    if assigned in (0, turns):
        return text
    now = ngettext(
        "They have %(count)s now; change that under “Turns at the stops”.",
        "They have %(count)s now; change that under “Turns at the stops”.",
        assigned,
    )
    return f"{text} {now % {'count': assigned}}"


def apply_preset(game: Game[Any], draft: QueryDict, key: str) -> OptionsEdit:
    """Return the draft with a preset filled in. Options that the preset does not mention keep their input."""
    after = draft.copy()
    preset = next((preset for preset in list_presets(game) if preset.key == key), None)
    if preset is None:
        return OptionsEdit(after)
    declared = list_editable_options(game)
    values = read_options(game.declared_options, dict(preset.options))
    for option in declared:
        if preset is RULE_BOOK_PRESET or option.name in preset.options:
            write_value(after, option, f"{ROOT}.{option.name}", values[option.name])
    if game.slot_option is not None and game.slot_option in preset.options:
        after[PLANNED_TURNS] = str(values[game.slot_option])
    return OptionsEdit(after, key, _("Filled in: %(preset)s.") % {"preset": translate(preset.label)})
