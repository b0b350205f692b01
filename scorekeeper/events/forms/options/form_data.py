"""Values of options as a form sends them, and the keys of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.http import QueryDict

from games.core.options import FlagOption, NumbersOption, Option, RecordOption, RowsOption

ROOT = "options"

# A key is ours; anything else was made by hand and names no row.
_MAX_KEY_DIGITS = 6


class OptionsEdit(NamedTuple):
    """What a button of the form came to. Nothing is judged: what else was typed stays as it is, right or wrong.

    Attributes:
        draft: what stands in the form now.
        focus: where the person goes on: the name of a field or the value of a button.
        said: what happened, for those who do not see it.
    """

    draft: QueryDict
    focus: str = ""
    announcement: str = ""


def make_draft(declared: Sequence[Option], values: Mapping[str, Any]) -> QueryDict:
    """Return the draft of values that were read."""
    draft = QueryDict(mutable=True)
    for option in declared:
        write_value(draft, option, f"{ROOT}.{option.name}", values[option.name])
    return draft


def write_value(draft: QueryDict, option: Option, name: str, value: Any) -> None:
    """Put a value that was read into the draft, in place of what stood there."""
    for old in [given for given in draft if given == name or given.startswith(f"{name}.")]:
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
            if value:  # a browser sends nothing of a box that is not ticked
                draft[name] = "on"
        case NumbersOption():
            draft[name] = ", ".join(map(str, value))
        case _:
            draft[name] = "" if value is None else str(value)


def list_row_keys(draft: QueryDict, name: str) -> tuple[str, ...]:
    """Return the keys of the rows of that name, in their order."""
    given = dict.fromkeys(draft.getlist(name))
    return tuple(key for key in given if key.isascii() and key.isdecimal() and len(key) <= _MAX_KEY_DIGITS)


def is_default_value(draft: QueryDict, option: Option, name: str) -> bool:
    """Say whether nothing but the default stands there."""
    filled = QueryDict(mutable=True)
    write_value(filled, option, name, option.default)
    return _list_texts(draft, option, name) == _list_texts(filled, option, name)


def _list_texts(draft: QueryDict, option: Option, name: str) -> list[Any]:
    """Return what stands there in its order, whatever the keys."""
    match option:
        case RecordOption():
            return [_list_texts(draft, field, f"{name}.{field.name}") for field in option.fields]
        case RowsOption():
            return [_list_texts(draft, option.row, f"{name}.{key}") for key in list_row_keys(draft, name)]
        case _:
            return draft.getlist(name)
