"""Checks of every value of every table of ours, as the database stores it: its type, its range, and its choices.

- The values are read by SQL. Through the models, a damaged value would be converted, or would hide its row: a flag that
  is −1 is neither true nor false to a query, and SQLite accepts a text in a column of dates.
- PostgreSQL refuses values of another type, but not those that only the program refuses.
- Nothing here depends on an event, so this also finds what belongs to none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from django.apps import apps
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import connection, models
from django.db.backends.base.operations import BaseDatabaseOperations

from scorekeeper.bikes.number_fields import BikeNumberColumn
from scorekeeper.scorecards.log_damage import LogDamage

OWN_PACKAGE = "scorekeeper."
MAX_ROWS = 20  # named for each column

# The number of a bike, as `bikes.numbers` writes it.
_BIKE_NUMBER = {
    "sqlite": "typeof({0}) = 'text' AND substr({0}, 1, 5) GLOB '[0-9][0-9][0-9][0-9][0-9]' AND length({0}) <= 7 "
    "AND substr({0}, 6) NOT GLOB '*[^A-Z]*' AND substr({0}, 1, 5) <> '00000'",
    "postgresql": "{0} ~ '^[0-9]{{5}}[A-Z]{{0,2}}$' AND substr({0}, 1, 5) <> '00000'",
}
_DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
_TIME = "[0-9][0-9]:[0-9][0-9]:[0-9][0-9]"
# Django writes six digits of a second, SQLite's own clock three. It begins at the character with this number.
_FRACTION = (
    "(substr({{0}}, {0}) = '' OR substr({{0}}, {0}) GLOB '.[0-9]*' "
    "AND substr({{0}}, {0} + 1) NOT GLOB '*[^0-9]*' AND length({{0}}) <= {0} + 6)"
)


# How SQLite stores a value of each kind of field, as conditions. Without a modifier, its functions for times take the
# 30th of February as it is.
_SQLITE_TYPES: Sequence[tuple[type[models.Field[Any, Any]], str]] = (
    (models.BooleanField, "typeof({0}) = 'integer' AND {0} IN (0, 1)"),
    (models.IntegerField, "typeof({0}) = 'integer'"),
    (models.FloatField, "typeof({0}) IN ('real', 'integer')"),
    (models.DecimalField, "typeof({0}) IN ('real', 'integer')"),
    (models.UUIDField, "typeof({0}) = 'text' AND length({0}) = 32 AND {0} NOT GLOB '*[^0-9a-f]*'"),
    (
        models.DateTimeField,  # before DateField, of which it is a kind
        f"typeof({{0}}) = 'text' AND {{0}} GLOB '{_DAY} {_TIME}*' AND {_FRACTION.format(20)} "
        # Without the fraction: SQLite rounds to thousandths, and 23:59:59.9996 would become the next day.
        "AND strftime('%%Y-%%m-%%d %%H:%%M:%%S', substr({0}, 1, 19), '+0 days') = substr({0}, 1, 19)",
    ),
    (models.DateField, f"typeof({{0}}) = 'text' AND {{0}} GLOB '{_DAY}' AND date({{0}}, '+0 days') = {{0}}"),
    (
        models.TimeField,
        f"typeof({{0}}) = 'text' AND {{0}} GLOB '{_TIME}*' AND {_FRACTION.format(9)} "
        "AND time(substr({0}, 1, 8)) = substr({0}, 1, 8)",
    ),
    (models.JSONField, "typeof({0}) = 'text' AND json_valid({0})"),
    (models.BinaryField, "typeof({0}) = 'blob'"),
    (models.CharField, "typeof({0}) = 'text'"),
    (models.TextField, "typeof({0}) = 'text'"),
)


class Condition(NamedTuple):
    """An SQL expression that is true for a good value, and its parameters. `{0}` is the column."""

    sql: str
    params: Sequence[Any] = ()


def list_own_models() -> list[type[models.Model]]:
    """Return the models of all tables of ours, by table."""
    found = [model for model in apps.get_models(include_auto_created=True) if model.__module__.startswith(OWN_PACKAGE)]
    tables = [model for model in found if not model._meta.proxy]  # noqa: SLF001
    return sorted(tables, key=lambda model: model._meta.db_table)  # noqa: SLF001


def get_column(field: models.Field[Any, Any]) -> str:
    """Return the name of a field's column."""
    assert field.column is not None, "only concrete fields are checked"
    return field.column


def list_invalid_values() -> Iterator[LogDamage]:
    """Return every stored value that the program cannot have stored."""
    for model in list_own_models():
        yield from _check_table(model)


def _check_table(model: type[models.Model]) -> Iterator[LogDamage]:
    meta, quote = model._meta, connection.ops.quote_name  # noqa: SLF001
    checked, expressions, params = [], [], []
    for field in meta.concrete_fields:
        conditions = list(_list_conditions(field))
        if conditions:
            column = quote(get_column(field))
            both = " AND ".join(f"({condition.sql.format(column)})" for condition in conditions)
            checked.append(field)
            # A column that cannot be empty has a constraint against it.
            expressions.append(f"({column} IS NULL OR ({both}) IS TRUE)")
            params += [value for condition in conditions for value in condition.params]
    if not checked:
        return
    assert meta.pk is not None
    columns, is_good = ", ".join(expressions), " AND ".join(expressions)
    # Without a column of its own, sqlite3 does not convert the key: it may be what is damaged.
    key = f"CAST({quote(get_column(meta.pk))} AS TEXT)"
    statement = f"SELECT {key}, {columns} FROM {quote(meta.db_table)} WHERE NOT ({is_good})"  # noqa: S608 - our names
    with connection.cursor() as cursor:
        cursor.execute(statement, [*params, *params])
        rows = cursor.fetchall()
    for index, field in enumerate(checked, 1):
        bad = [row[0] for row in rows if not row[index]]
        yield from report_rows(
            model, get_column(field), bad, f"it is not a value that the program stores there ({_describe(field)})"
        )


def report_rows(
    model: type[models.Model], column: str, rows: Sequence[object], description: str
) -> Iterator[LogDamage]:
    """Return a damage for each row in which a column is damaged; a single one for those that are too many."""
    table = model._meta.db_table  # noqa: SLF001
    for row in islice(rows, MAX_ROWS):
        yield LogDamage(f"{table} {row}, {column}", description, table, str(row), column)
    if (more := len(rows) - MAX_ROWS) > 0:
        yield LogDamage(f"{table}, {column}", f"{more} more rows: {description}", table, "", column)


def _describe(field: models.Field[Any, Any]) -> str:
    return f"{'one of a few words' if field.choices else type(field).__name__}"


def _list_conditions(field: models.Field[Any, Any]) -> Iterator[Condition]:
    """Yield what must be true of a value that is not NULL."""
    if isinstance(field, models.ForeignKey | models.OneToOneField):
        yield from _list_conditions(field.target_field)
        return
    if connection.vendor == "sqlite":
        yield from _list_type_conditions(field)
    yield from _list_range_conditions(field)
    if field.choices:
        values = [value for value, _label in field.flatchoices]
        if field.blank or field.default == "":
            values.append("")
        yield Condition(f"{{0}} IN ({', '.join(['%s'] * len(values))})", [getattr(v, "value", v) for v in values])


def _list_range_conditions(field: models.Field[Any, Any]) -> Iterator[Condition]:
    """Yield what the program checks, and PostgreSQL does not."""
    if isinstance(field, models.IntegerField):
        low, high = BaseDatabaseOperations.integer_field_ranges.get(field.get_internal_type(), (None, None))
        for validator in field.validators:
            limit = validator.limit_value if isinstance(validator, MinValueValidator | MaxValueValidator) else None
            if isinstance(validator, MinValueValidator) and isinstance(limit, int):
                low = limit if low is None else max(low, limit)
            elif isinstance(validator, MaxValueValidator) and isinstance(limit, int):
                high = limit if high is None else min(high, limit)
        if low is not None and high is not None:
            yield Condition(f"{{0}} BETWEEN {low} AND {high}")
    if isinstance(field, BikeNumberColumn):
        yield Condition(_BIKE_NUMBER[connection.vendor])


def _list_type_conditions(field: models.Field[Any, Any]) -> Iterator[Condition]:
    """Yield what SQLite does not check, whatever the declared type of a column is."""
    sql = next((sql for kind, sql in _SQLITE_TYPES if isinstance(field, kind)), None)
    if sql is not None:
        yield Condition(sql)
    if isinstance(field, models.DecimalField):
        yield Condition(f"abs({{0}}) < {10 ** (field.max_digits - field.decimal_places)}")
    if isinstance(field, models.CharField) and field.max_length is not None:
        yield Condition(f"length({{0}}) <= {field.max_length}")
