"""Encodes the database rows of a ride as JSON, and loads them into the phone's database.

The payload consists of parts, which are joined to tables. Columns have their names in the database, and models have
labels that every version of the app knows:
`{"scorecards.Turn": {"columns": ["id", ...], "rows": [["...", ...], ...]}}`. A part has only the rows:
`{"scorecards.Turn": [["...", ...], ...]}`.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connection, models
from django.db.models.fields.json import JSONField

RowTable = dict[str, Any]


# The rows or facts of one part, by the name of the model or the fact.
PartContent = dict[str, Any]

# A model that was renamed or moved keeps its label here, because phones with an older app read it.
REASON_LABEL = "scorecards.Note"
OPERATION_LABEL = "scorecards.Operation"
PAYLOAD_LABELS = {
    "ledger.Chain": "scorecards.Chain",
    "ledger.Operation": OPERATION_LABEL,
    "ledger.Entry": "scorecards.Entry",
    "ledger.OperationReason": REASON_LABEL,
    "ledger.ReviewItem": "scorecards.ReviewItem",
}
MODEL_LABELS = {label: model for model, label in PAYLOAD_LABELS.items()}

OTHERS_OPERATION_LABEL = f"{OPERATION_LABEL}/others"  # with fewer columns
OTHERS_DEFAULTS: Mapping[str, Any] = {"digest": "", "body": {}, "receipt": {}, "device_id": None}


def _encode_value(value: Any) -> str:
    match value:
        case UUID():  # the most frequent
            return str(value)
        case dt.datetime():
            return value.astimezone(dt.UTC).isoformat()
        case dt.date() | dt.time():
            return value.isoformat()
        case Decimal():
            return str(value)
        case _:
            raise TypeError(value)


_ENCODER = json.JSONEncoder(default=_encode_value, separators=(",", ":"), ensure_ascii=False, check_circular=False)


def get_label(model: type[models.Model]) -> str:
    """Return a model's label in the payload."""
    label = model._meta.label  # noqa: SLF001 - Django's documented way to a model's name
    return PAYLOAD_LABELS.get(label, label)


def dump_rows(value: Any) -> str:
    """Return a value that contains rows as JSON."""
    return _ENCODER.encode(value)


def join_parts(contents: Iterable[PartContent]) -> tuple[dict[str, Any], dict[str, RowTable]]:
    """Return the facts by name, and the tables by the label of their model.

    Args:
        contents: the contents of all parts. The first column of a table is its key; duplicate rows are merged.
    """
    facts: dict[str, Any] = {}
    rows_of: dict[str, dict[Any, Sequence[Any]]] = defaultdict(dict)
    for content in contents:
        for name, found in content.items():
            if isinstance(found, dict):
                facts[name] = found
            else:
                rows_of[name].update((row[0], row) for row in found)
    columns = facts.pop("columns")
    _merge_others_operations(rows_of, columns)
    return facts, {
        label: {"columns": names, "rows": [rows_of[label][key] for key in sorted(rows_of[label])]}
        for label, names in columns.items()
        if label != OTHERS_OPERATION_LABEL
    }


def _merge_others_operations(
    rows_of: dict[str, dict[Any, Sequence[Any]]], columns: Mapping[str, Sequence[str]]
) -> None:
    """Add others' operations to the phone's own."""
    operations = rows_of[OPERATION_LABEL]
    for key, row in rows_of.pop(OTHERS_OPERATION_LABEL, {}).items():
        values = {**OTHERS_DEFAULTS, **dict(zip(columns[OTHERS_OPERATION_LABEL], row, strict=True))}
        operations.setdefault(key, [values[name] for name in columns[OPERATION_LABEL]])


def load_rows(tables: Mapping[str, RowTable]) -> None:
    """Insert the rows of a ride into the database. Models and columns that a later server added are skipped."""
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for label, table in tables.items():
            model = _find_model(label)
            if model is not None:
                _insert_rows(cursor, model, *_drop_unknown(model, table["columns"], table["rows"]))


def _find_model(label: str) -> type[models.Model] | None:
    with suppress(LookupError):
        return apps.get_model(MODEL_LABELS.get(label, label))
    return None


def _drop_unknown(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    known = {field.column for field in model._meta.concrete_fields}  # noqa: SLF001 - documented
    if known.issuperset(columns):
        return columns, rows
    kept = [index for index, name in enumerate(columns) if name in known]
    return [columns[index] for index in kept], [[row[index] for index in kept] for row in rows]


def _insert_rows(cursor: Any, model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    fields_by_column: dict[str | None, Any] = {field.column: field for field in model._meta.concrete_fields}  # noqa: SLF001 - documented
    # Columns that a ride omits get the default of a new row.
    omitted = [field for name, field in fields_by_column.items() if name not in columns and not field.primary_key]
    fields = [*(fields_by_column[name] for name in columns), *omitted]
    defaults = [field.get_default() for field in omitted]
    name = connection.ops.quote_name
    into = ", ".join(name(field.column) for field in fields)
    values = ", ".join("%s" for _ in fields)
    statement = f"INSERT INTO {name(model._meta.db_table)} ({into}) VALUES ({values})"  # noqa: S608, SLF001 - our tables
    cursor.executemany(
        statement, [[_to_db_value(f, v) for f, v in zip(fields, [*row, *defaults], strict=True)] for row in rows]
    )


def _to_db_value(field: Any, value: Any) -> Any:
    if isinstance(field, JSONField):
        return field.get_db_prep_save(value, connection)
    return field.get_db_prep_save(field.to_python(value), connection)
