"""The options of a contest: which of them can be edited, and a summary of their values for pages that only show them.

In the summary, a list of records is a table. Everything else is a label and a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.core.game import Game, Ruleset
from games.core.options import ChoiceOption, FlagOption, NumberOption, NumbersOption, Option, RecordOption, RowsOption
from scorekeeper.common.game_adapter import translate


class OptionValue(NamedTuple):
    """An option and its value, as text."""

    label: str
    value: str


class OptionRows(NamedTuple):
    """A list of records: each row has a labelled value for each column."""

    label: str
    head: list[str]
    rows: list[list[OptionValue]]


def list_editable_options(game: Game[Any]) -> list[Option]:
    """Return the options that an organiser can edit: all but the one that is derived from the slots."""
    return [option for option in game.declared_options if option.name != game.slot_option]


def describe_options(ruleset: Ruleset) -> list[OptionValue | OptionRows]:
    """Return a summary of the editable options; the turns at the stops have a page of their own."""
    options = list_editable_options(ruleset.game)
    return [item for option in options for item in _describe(option, ruleset.options[option.name], "")]


def _describe(option: Option, value: Any, heading: str) -> Iterator[OptionValue | OptionRows]:
    label = translate(option.label)
    if heading:
        label = _("%(heading)s: %(label)s") % {"heading": heading, "label": label}
    match option:
        case RecordOption():
            for field in option.fields:
                yield from _describe(field, value[field.name], translate(option.label))
        case RowsOption():
            yield OptionRows(label, _list_headings(option.row), [list(_list_cells(option.row, row)) for row in value])
        case _:
            yield OptionValue(label, _format_value(option, value))


def _list_headings(option: Option) -> list[str]:
    if isinstance(option, RecordOption):
        return [head for field in option.fields for head in _list_headings(field)]
    return [translate(option.label)]


def _list_cells(option: Option, value: Any) -> Iterator[OptionValue]:
    match option:
        case RecordOption():
            for field in option.fields:
                yield from _list_cells(field, value[field.name])
        case RowsOption():
            lines = [", ".join(cell.value for cell in _list_cells(option.row, row)) for row in value]
            yield OptionValue(translate(option.label), "; ".join(lines))
        case _:
            yield OptionValue(translate(option.label), _format_value(option, value))


def _format_value(option: Option, value: Any) -> str:
    """Return the value of an option that is not made of other options, as text."""
    match option:
        case NumberOption() if value is None:
            return pgettext("the number of an option", "none") if option.without is None else translate(option.without)
        case FlagOption():
            return _("yes") if value else _("no")
        case ChoiceOption():
            return translate(dict(option.choices)[value])
        case NumbersOption():
            return ", ".join(map(str, value))
        case _:
            return str(value)
