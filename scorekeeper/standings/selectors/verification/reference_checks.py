"""Checks of what rows refer to: that it is there, and that it belongs to the same event or season.

Foreign keys cannot prevent it all: whoever edits a database by hand can switch them off, as `sqlite3` does by default,
and none of them says that the bike of an event is in a group of the same event.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.db import connection, models
from django.db.models import F

from scorekeeper.events.models import Event
from scorekeeper.scorecards.log_damage import LogDamage
from scorekeeper.standings.selectors.verification.raw_value_checks import get_column, list_own_models, report_rows

# References that lead to another event on purpose: from a practice event to its ride.
TO_OTHER_EVENTS = {("crew.CrewMember", "mirrors"), ("events.Event", "practice_of")}
SEASON = "seasons.Season"


def list_broken_references() -> Iterator[LogDamage]:
    """Return every row that refers to a row that is missing, or that belongs to another event or season."""
    for model in list_own_models():
        for field in _list_references(model):
            yield from _check_target_exists(model, field)
        for owner in (Event._meta.label, SEASON):  # noqa: SLF001
            yield from _check_same_owner(model, owner)


def _list_references(model: type[models.Model]) -> list[models.ForeignKey[models.Model, models.Model]]:
    return [field for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)]  # noqa: SLF001


def _check_target_exists(
    model: type[models.Model], field: models.ForeignKey[models.Model, models.Model]
) -> Iterator[LogDamage]:
    quote, meta, target = connection.ops.quote_name, model._meta, field.related_model._meta  # noqa: SLF001
    assert meta.pk is not None
    column, key = f"a.{quote(get_column(field))}", f"b.{quote(get_column(field.target_field))}"
    statement = (
        f"SELECT CAST(a.{quote(get_column(meta.pk))} AS TEXT), CAST({column} AS TEXT) FROM {quote(meta.db_table)} a "  # noqa: S608
        f"LEFT JOIN {quote(target.db_table)} b ON {column} = {key} WHERE {column} IS NOT NULL AND {key} IS NULL"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement)
        rows = cursor.fetchall()
    missing = ", ".join(sorted({str(value) for _row, value in rows})[:3])
    description = f"it refers to a row of {target.db_table} that is missing: {missing}"
    yield from report_rows(model, get_column(field), [row for row, _value in rows], description)


def _check_same_owner(model: type[models.Model], owner: str) -> Iterator[LogDamage]:
    paths = _find_paths(model, owner)
    if len(paths) < 2:
        return
    # The first that is never empty says where the row belongs.
    first = next((name for name in paths if not model._meta.get_field(name).null), next(iter(paths)))  # noqa: SLF001
    for name, path in paths.items():
        if name != first:
            rows = model._base_manager.filter(**{f"{path}__isnull": False}).exclude(**{paths[first]: F(path)})  # noqa: SLF001
            description = f"it belongs to another {owner.partition('.')[2].lower()} than its {first}"
            column = next(get_column(field) for field in _list_references(model) if field.name == name)
            yield from report_rows(model, column, list(rows.order_by("pk").values_list("pk", flat=True)), description)


def _find_paths(model: type[models.Model], owner: str) -> Mapping[str, str]:
    """Return, for each foreign key that leads to an owner, how it does: `group` → `group__event_id`."""
    found = {}
    for field in _list_references(model):
        if (model._meta.label, field.name) not in TO_OTHER_EVENTS:  # noqa: SLF001
            path = _find_path(field, owner, frozenset({model}))
            if path:
                found[field.name] = path
    return found


def _find_path(
    field: models.ForeignKey[models.Model, models.Model], owner: str, seen: frozenset[type[models.Model]]
) -> str:
    target = field.related_model
    if target._meta.label == owner:  # noqa: SLF001
        return field.attname
    if target in seen:  # of a row that refers to its own table, the owner is found by another key
        own = next((own for own in _list_references(target) if own.related_model not in seen and not own.null), None)
        further = "" if own is None else _find_path(own, owner, seen)
        return f"{field.name}__{further}" if further else ""
    for own in _list_references(target):
        if not own.null and own.related_model not in seen and (path := _find_path(own, owner, seen | {target})):
            return f"{field.name}__{path}"
    return ""
