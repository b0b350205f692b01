"""Random tampering with the database by someone with full access: alters a column, swaps values, or deletes a row.

With a row, everything that refers to it is deleted, so that no foreign key gives the deletion away.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, models, transaction

Rows = models.QuerySet[Any]

FOREIGN_ID = "0b0e7a66-6f1d-4c3b-9f5e-3f3a3f3a3f3a"


class NothingToAlter(Exception):
    """The table has no row, or no two rows, for which this is possible."""


@contextmanager
def alter_database(chance: random.Random, rows: Rows, column: str) -> Iterator[str]:
    """Alter the database, and restore it afterwards; yields a description of the change.

    Args:
        rows: the rows to choose from.
        column: the column to alter; "" deletes a row.

    Raises:
        NothingToAlter: it is not possible, or the database refuses it.
    """
    with transaction.atomic():
        try:
            with transaction.atomic():
                description = _alter(chance, rows, column) if column else _delete(chance, rows)
        except IntegrityError as error:
            raise NothingToAlter from error
        yield description
        transaction.set_rollback(True)


def _list_values(rows: Rows, column: str) -> list[tuple[Any, Any]]:
    """Return the keys of all rows, each with the value of a column."""
    values = list(rows.order_by("pk").values_list("pk", column))
    if not values:
        raise NothingToAlter
    return values


def _delete(chance: random.Random, rows: Rows) -> str:
    model = rows.model
    pk, _pk = chance.choice(_list_values(rows, "pk"))
    deleted = _delete_with_references(model, {pk})
    return f"{model.__name__} {pk} deleted, with {deleted - 1} rows that refer to it"


def _delete_with_references(model: type[models.Model], keys: set[Any]) -> int:
    """Delete rows, and all rows that refer to them, however indirectly; return how many."""
    count = len(keys)
    model._default_manager.filter(pk__in=keys)._raw_delete("default")
    for relation in model._meta.related_objects:
        related: type[models.Model] = relation.related_model
        found = related._default_manager.filter(**{f"{relation.field.name}__in": keys})
        if referring := set(found.values_list("pk", flat=True)):
            count += _delete_with_references(related, referring)
    return count


def _alter(chance: random.Random, rows: Rows, column: str) -> str:
    model = rows.model
    field = next(field for field in model._meta.concrete_fields if field.name == column)
    name = field.attname
    values = _list_values(rows, name)
    pk, old = chance.choice(values)
    others = [(other, value) for other, value in values if value != old]
    if others and not field.primary_key and chance.random() < 0.3:
        other, value = chance.choice(others)
        _swap(model, name, (pk, old), (other, value))
        return f"{name} of {model.__name__} {pk} and {other} swapped"
    new = _change(chance, field, old, [value for _other, value in others])
    _set_value(model, pk, name, new)
    return f"{name} of {model.__name__} {pk}: {old!r:.200} → {new!r:.200}"


def _set_value(model: type[models.Model], pk: Any, name: str, value: Any) -> None:
    model._default_manager.filter(pk=pk).update(**{name: value})


def _swap(model: type[models.Model], name: str, first: tuple[Any, Any], second: tuple[Any, Any]) -> None:
    # Where the column is unique, the first row needs a temporary value.
    if isinstance(first[1], int) and not isinstance(first[1], bool):
        _set_value(model, first[0], name, 30_000)
    elif isinstance(first[1], UUID):
        _set_value(model, first[0], name, uuid4())
    _set_value(model, second[0], name, first[1])
    _set_value(model, first[0], name, second[1])


def _change(chance: random.Random, field: Any, old: Any, others: Sequence[Any]) -> Any:
    """Return a different value that the column could contain."""
    if field.is_relation or isinstance(field, models.UUIDField):
        return _choose(
            chance, [*others, *([None] if field.null else []), *([] if field.is_relation else [uuid4()])], old
        )
    if field.choices:
        return _choose(chance, [*(value for value, _label in field.choices), *([""] if field.blank else [])], old)
    if field.null and old is not None and chance.random() < 0.2:
        return None
    return alter_value(chance, _example(field) if old is None else old)


def _choose(chance: random.Random, values: Sequence[Any], old: Any) -> Any:
    new = [value for value in values if value != old]
    if not new:
        raise NothingToAlter
    return chance.choice(new)


def _example(field: Any) -> Any:
    if isinstance(field, models.DateTimeField):
        return dt.datetime(2026, 6, 20, tzinfo=dt.UTC)
    return 0 if isinstance(field, models.IntegerField) else "chance"


def alter_value(chance: random.Random, old: Any) -> Any:
    """Return a similar value of the same type."""
    match old:
        case bool():
            return not old
        case int():
            return old + chance.choice([1, 2, 5, 10])
        case float():
            return old + 1
        case str():
            return _other_text(chance, old)
        case dt.datetime():
            return old + dt.timedelta(seconds=chance.choice([-3600, -1, 1, 60]), microseconds=chance.randrange(2))
        case bytes() | memoryview():
            altered = bytearray(old)
            altered[chance.randrange(len(altered))] ^= 1
            return bytes(altered)
        case list():
            return _other_list(chance, old)
        case dict():
            return _other_object(chance, old)
    return FOREIGN_ID


def _other_text(chance: random.Random, old: str) -> str:
    if not old:
        return "x"
    index = chance.randrange(len(old))
    new = chance.choice([sign for sign in "0123456789abcdef" if sign != old[index]])
    return old[:index] + new + old[index + 1 :]


def _other_list(chance: random.Random, old: list[Any]) -> list[Any]:
    new = list(old)
    if not new:
        return [1]
    position = chance.randrange(len(new))
    change = chance.choice(["alter", "drop", "swap"])
    if change == "swap" and (different := [i for i, value in enumerate(new) if value != new[position]]):
        there = chance.choice(different)
        new[position], new[there] = new[there], new[position]
    elif change == "drop":
        del new[position]
    else:
        new[position] = alter_value(chance, new[position])
    return new


def _other_object(chance: random.Random, old: dict[str, Any]) -> dict[str, Any]:
    if not old:
        return {"more": 1}
    name = chance.choice(sorted(old))
    if chance.random() < 0.2:
        return {key: value for key, value in old.items() if key != name}
    return {**old, name: alter_value(chance, old[name])}
