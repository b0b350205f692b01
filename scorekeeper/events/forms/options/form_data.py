"""Option values as form data, and the keys of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.http import QueryDict

from games.core.options import FlagOption, NumbersOption, Option, RecordOption, RowsOption

ROOT = "options"
PLANNED_TURNS = "planned_turns"  # how many turns a preset is for, until turns are assigned to stops

# Keys are made here. Anything else was made by hand and belongs to no row.
_MAX_KEY_DIGITS = 6


class OptionsEdit(NamedTuple):
    """The form after one of its buttons changed it. Nothing is validated: all other input stays as it is.

    Attributes:
        draft: the new content of the form.
        focus: what gets the focus: the name of a field or the value of a button.
        announcement: what happened, for screen readers.
    """

    draft: QueryDict
    focus: str = ""
    announcement: str = ""


def make_draft(declared: Sequence[Option], values: Mapping[str, Any]) -> QueryDict:
    """Return the draft for parsed values."""
    draft = QueryDict(mutable=True)
    for option in declared:
        write_value(draft, option, f"{ROOT}.{option.name}", values[option.name])
    return draft


def write_value(draft: QueryDict, option: Option, name: str, value: Any) -> None:
    """Replace the option's value in the draft with a parsed value."""
    for old in [key for key in draft if key == name or key.startswith(f"{name}.")]:
        del draft[old]
    match option:
        case RecordOption():
            for field in option.fields:
                write_value(draft, field, f"{name}.{field.name}", value[field.name])
        case RowsOption():
            draft.setlist(name, [str(key) for key in range(len(value))])
            for key, row in enumerate(value):
                write_value(draft, option.row, f"{name}.{key}", row)
        case FlagOption():
            if value:  # a browser sends nothing for a box that is not ticked
                draft[name] = "on"
        case NumbersOption():
            draft[name] = ", ".join(map(str, value))
        case _:
            draft[name] = "" if value is None else str(value)


def list_row_keys(draft: QueryDict, name: str) -> tuple[str, ...]:
    """Return the keys of the rows with this name, in order."""
    keys = dict.fromkeys(draft.getlist(name))
    return tuple(key for key in keys if key.isascii() and key.isdecimal() and len(key) <= _MAX_KEY_DIGITS)


def is_default_value(draft: QueryDict, option: Option, name: str) -> bool:
    """Return whether the draft has the option's default value."""
    default = QueryDict(mutable=True)
    write_value(default, option, name, option.default)
    return _list_texts(draft, option, name) == _list_texts(default, option, name)


def _list_texts(draft: QueryDict, option: Option, name: str) -> list[Any]:
    """Return the option's texts in order, without the keys of rows."""
    match option:
        case RecordOption():
            return [_list_texts(draft, field, f"{name}.{field.name}") for field in option.fields]
        case RowsOption():
            return [_list_texts(draft, option.row, f"{name}.{key}") for key in list_row_keys(draft, name)]
        case _:
            return draft.getlist(name)
