"""Pages of lists. A cursor names the last row of the page before, so that no row is skipped or repeated, whatever was
added in the meantime.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.utils.translation import gettext as _

from scorekeeper.api.problems import refuse_value

M = TypeVar("M", bound=Model)
T = TypeVar("T")
Page = tuple[Sequence[T], str | None]  # the rows, and the cursor of the next page if there is one


def paginate_rows(rows: QuerySet[M], order: Sequence[str], query: Mapping[str, Any]) -> Page[M]:
    """Return one page of rows from the database.

    Args:
        order: the columns that the rows are ordered by, the last one unique; with "-" in front, the highest first.
        query: the values of `PageParameters`.
    """
    fields = [rows.model._meta.get_field(name.removeprefix("-")) for name in order]  # noqa: SLF001 - documented
    rows = rows.order_by(*order)
    if query.get("cursor"):
        texts = _read_cursor(query["cursor"], len(order))
        try:
            values = [field.to_python(text) for field, text in zip(fields, texts, strict=True)]  # type: ignore[union-attr]
        except ValidationError:
            raise _refuse_cursor() from None
        if None in values:
            raise _refuse_cursor()
        rows = rows.filter(_comes_after(order, values))
    found = list(rows[: query["limit"] + 1])
    page = found[: query["limit"]]
    if len(found) == len(page):
        return page, None
    return page, _write_cursor([field.value_to_string(page[-1]) for field in fields])  # type: ignore[union-attr]


def paginate_list(rows: Sequence[T], get_key: Callable[[T], tuple[str, ...]], query: Mapping[str, Any]) -> Page[T]:
    """Return one page of rows in memory, in the order of their keys."""
    rows = sorted(rows, key=get_key)
    if query.get("cursor") and rows:
        after = tuple(_read_cursor(query["cursor"], len(get_key(rows[0]))))
        rows = [row for row in rows if get_key(row) > after]
    page = rows[: query["limit"]]
    return page, _write_cursor(list(get_key(page[-1]))) if len(rows) > len(page) else None


def _comes_after(order: Sequence[str], values: Sequence[Any]) -> Q:
    """Return the condition that a row comes after one with these values."""
    condition, same = Q(), Q()
    for name, value in zip(order, values, strict=True):
        column = name.removeprefix("-")
        condition |= same & Q(**{f"{column}__{'lt' if name.startswith('-') else 'gt'}": value})
        same &= Q(**{column: value})
    return condition


def _write_cursor(values: Sequence[str]) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode()


def _read_cursor(cursor: str, length: int) -> list[str]:
    try:
        values = json.loads(base64.b64decode(cursor, altchars=b"-_", validate=True).decode())
    except (ValueError, binascii.Error, RecursionError):
        raise _refuse_cursor() from None
    if not isinstance(values, list) or len(values) != length or not all(isinstance(value, str) for value in values):
        raise _refuse_cursor()
    if any("\0" in value for value in values):  # no text in the database has it
        raise _refuse_cursor()
    return values


def _refuse_cursor() -> Exception:
    return refuse_value("cursor", "invalid_cursor", _("Invalid cursor. Start again without one."))
