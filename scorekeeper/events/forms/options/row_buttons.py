"""The buttons that add, remove and move the rows of a list.

The value of a button is a verb, the name of the rows and the key of the button's row, as in
`down options.course.segments 3`. The button below the rows has no key.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext as _

from games.core.game import Game
from games.core.options import Option, RecordOption
from scorekeeper.events.forms.options.form_data import OptionsEdit, write_value
from scorekeeper.events.forms.options.layout import RowListPart, RowPart, build_parts, walk_parts
from scorekeeper.events.options_summary import list_editable_options


class RowButton(NamedTuple):
    """A button of a row. It is disabled where it could do nothing."""

    value: str
    icon: str
    label: str
    is_disabled: bool


def list_row_buttons(rows: RowListPart, row: RowPart) -> list[RowButton]:
    """Return the buttons of the row: always the same ones in the same order, so that they are easy to find."""
    target = f"{rows.name} {row.key}"
    return [
        RowButton(f"up {target}", "arrow-up", _("Move up"), row.number == 1),
        RowButton(f"down {target}", "arrow-down", _("Move down"), row.number == len(rows.children)),
        RowButton(f"add {target}", "plus", _("Add a row below"), rows.is_full),
        RowButton(f"remove {target}", "close", _("Remove"), rows.is_at_minimum),
    ]


def apply_row_button(game: Game[Any], draft: QueryDict, value: str) -> OptionsEdit:
    """Return the draft after the button with this value was pressed. An unknown value changes nothing."""
    verb, _space, target = value.partition(" ")
    name, _space, key = target.partition(" ")
    after = draft.copy()
    for rows in walk_parts(build_parts(list_editable_options(game), draft)):
        if isinstance(rows, RowListPart) and rows.name == name and key in ("", *rows.keys):
            if verb == "add" and not rows.is_full:
                return _add_row(after, rows, key)
            if verb == "remove" and key and not rows.is_at_minimum:
                return _remove_row(after, rows, key)
            if verb in ("up", "down") and key:
                return _move_row(after, rows, key, verb)
    return OptionsEdit(after)


def _add_row(draft: QueryDict, rows: RowListPart, key: str) -> OptionsEdit:
    """Add a row below the row with this key; without a key, below all rows. Its first field gets the focus."""
    keys = rows.keys
    new = str(max(map(int, keys), default=-1) + 1)
    at = keys.index(key) + 1 if key else len(keys)
    draft.setlist(rows.name, [*keys[:at], new, *keys[at:]])
    row = rows.option.row
    write_value(draft, row, f"{rows.name}.{new}", row.default)
    announcement = _("Row %(number)s has been added.") % {"number": at + 1}
    return OptionsEdit(draft, _find_first_field(row, f"{rows.name}.{new}"), announcement)


def _remove_row(draft: QueryDict, rows: RowListPart, key: str) -> OptionsEdit:
    """Remove the row. The "Remove" button of the next row gets the focus if that row can be removed too."""
    keys = rows.keys
    at = keys.index(key)
    remaining = [*keys[:at], *keys[at + 1 :]]
    draft.setlist(rows.name, remaining)
    announcement = _("Row %(number)s has been removed.") % {"number": at + 1}
    if len(remaining) > rows.option.lengths[0]:
        focus = f"remove {rows.name} {remaining[min(at, len(remaining) - 1)]}"
    else:
        focus = f"add {rows.name}"
    return OptionsEdit(draft, focus, announcement)


def _move_row(draft: QueryDict, rows: RowListPart, key: str, verb: str) -> OptionsEdit:
    """Swap the row with its neighbour. At either end the focus goes to the button for the other direction."""
    keys = rows.keys
    at = keys.index(key)
    to = at - 1 if verb == "up" else at + 1
    if not 0 <= to < len(keys):
        return OptionsEdit(draft)
    keys[at], keys[to] = keys[to], keys[at]
    draft.setlist(rows.name, keys)
    next_verb = {0: "down", len(keys) - 1: "up"}.get(to, verb)
    return OptionsEdit(draft, f"{next_verb} {rows.name} {key}", _("It is now row %(number)s.") % {"number": to + 1})


def _find_first_field(option: Option, name: str) -> str:
    while isinstance(option, RecordOption):
        option = option.fields[0]
        name = f"{name}.{option.name}"
    return name
