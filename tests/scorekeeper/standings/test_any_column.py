"""`manage.py verify` names an edit or a deletion of any column of any table that decides or shows anything.

The edits are made by SQL, in the tables and columns that the database itself lists, with its constraints off. What need
not be named is listed with its reason in `verified_columns`:

- what decides and shows nothing, such as counters, times of last use and queues;
- what a person may edit in the program, without a trace in the log.

Of these columns, only edits are tried that no person can make: values of another type, words that are no choice,
references to rows that are missing.
"""

from __future__ import annotations

import datetime as dt
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import FieldError
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.utils import timezone

from scorekeeper.audience.services import freeze_standings, reveal_to_step, show_draw, start_reveal
from scorekeeper.dice.models import DiceAudit
from scorekeeper.dice.services import count_dice
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import StaleCard
from scorekeeper.prints.models import PrintFile
from scorekeeper.standings.management.commands.verify import UNREADABLE
from scorekeeper.standings.models import ChancesReport
from scorekeeper.standings.selectors.verification import LogDamage, list_damage, list_database_damage
from scorekeeper.standings.selectors.verification.raw_value_checks import list_own_models
from scorekeeper.standings.services.luck_computation import compute_luck
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.standings.raw_edits import execute, without_constraints
from tests.scorekeeper.standings.tampering import alter_value
from tests.scorekeeper.standings.verified_columns import (
    MADE_AGAIN,
    VERIFIED_COLUMNS,
    list_edited_rows,
)

pytestmark = pytest.mark.database

EDITS = scaled(500, 25)
SEED = 42
# Before a column: sqlite3 converts values by the type of their column, which an expression does not have.
PLAIN = "+" if connection.vendor == "sqlite" else ""
# The ways from a row to its event.
OF_EVENT = (
    "event",
    "contest__event",
    "group__event",
    "member__group__event",
    "webhook__event",
    "message__event",
    "topic__event",
)
EXAMPLES: Sequence[tuple[type[Any], Any]] = (
    (models.DateTimeField, timezone.now),
    (models.BooleanField, False),
    (models.IntegerField, 9),
    (models.JSONField, dict),
    (models.BinaryField, b"x"),
    (models.DateField, dt.date(2026, 6, 20)),
    (models.UUIDField, uuid4),
)
# What the log has to explain.
FOLDED = {model for model in VERIFIED_COLUMNS if model not in MADE_AGAIN}
Column = tuple[type[models.Model], "models.Field[Any, Any] | None"]  # None: the whole row


@pytest.fixture
def shown_event(played_event: Event) -> Event:
    """The played event, with everything beside its log that the audience or the organisers see of it."""
    contest = played_event.contests.get(game_key="rock-yahtzee")
    compute_luck(contest.pk)
    DiceAudit.objects.create(event=played_event, requested_at=timezone.now())
    count_dice(played_event.pk)
    ChancesReport.objects.create(contest=contest, chances={str(uuid4()): [0.5, 0.75]}, places=2)
    PrintFile.objects.create(
        event=played_event, digest="d" * 64, name="x.pdf", content=b"%PDF-", made_at=timezone.now()
    )
    show_draw(contest, [])
    freeze_standings(played_event)
    start_reveal(played_event, [contest])
    reveal_to_step(played_event, 1)
    fill_empty_tables(played_event)
    return played_event


def fill_empty_tables(event: Event) -> None:
    """Insert a row into each table that has none, with values as the program stores them."""
    for _again in range(3):  # a table may refer to another that was empty
        for model in list_own_models():
            # With a stale card, the standings of its contest would not be compared.
            if model not in FOLDED and model is not StaleCard and not model._base_manager.exists():
                with suppress(DatabaseError, LookupError), transaction.atomic():
                    values = {field.attname: make_value(field, event) for field in model._meta.concrete_fields}
                    model(**values).save(force_insert=True)


def make_value(field: models.Field[Any, Any], event: Event) -> Any:
    if isinstance(field, models.ForeignKey):
        return None if field.null else find_key(field, event)
    if field.has_default():
        return field.get_default()
    if field.choices:
        return field.flatchoices[0][0]
    if isinstance(field, models.AutoField):
        return None
    example = next((example for kind, example in EXAMPLES if isinstance(field, kind)), None if field.null else "x")
    return example() if callable(example) else example


def find_key(field: models.ForeignKey[Any, Any], event: Event) -> Any:
    """Return the key of a row that a foreign key can name, of the event if it belongs to one."""
    rows = field.related_model._base_manager.order_by("pk")
    path = next((path for path in OF_EVENT if is_path(field.related_model, path)), None)
    if field.related_model is Event:
        rows = rows.filter(pk=event.pk)
    elif path is not None:
        rows = rows.filter(**{path: event})
    return rows.values_list(field.target_field.attname, flat=True)[0]


def is_path(model: type[models.Model], path: str) -> bool:
    try:
        model._base_manager.filter(**{f"{path}__isnull": False})
    except FieldError:
        return False
    return True


def list_everything() -> list[LogDamage]:
    """Return all damage, as the command does."""
    found = list(list_database_damage())
    try:
        for event in Event.objects.order_by("pk"):
            found += list_damage(event)
    except UNREADABLE as error:
        found.append(LogDamage("The events", str(error)))
    return found


def test_the_tables_of_the_database_are_those_of_the_models(played_event: Event) -> None:
    prefixes = tuple({model._meta.db_table.partition("_")[0] + "_" for model in list_own_models()})
    own = {name for name in connection.introspection.table_names() if name.startswith(prefixes)}
    assert own == {model._meta.db_table for model in list_own_models()}
    with connection.cursor() as cursor:
        for model in list_own_models():
            columns = {
                column.name for column in connection.introspection.get_table_description(cursor, model._meta.db_table)
            }
            assert columns == {field.column for field in model._meta.concrete_fields}


def is_verified(model: type[models.Model], name: str) -> bool:
    return name in VERIFIED_COLUMNS.get(model, "").split()


def list_columns() -> Iterator[Column]:
    """Yield every column, and every table whose rows must not vanish."""
    for model in list_own_models():
        if model in VERIFIED_COLUMNS and model not in MADE_AGAIN:
            yield model, None
        for field in model._meta.concrete_fields:
            yield model, field


def to_raw(model: type[models.Model], pk: Any) -> Any:
    return model._meta.pk.get_db_prep_value(pk, connection)


def list_new_values(
    chance: random.Random, model: type[models.Model], field: models.Field[Any, Any], old: Any
) -> list[Any]:
    """Return SQL values in random order. Those that a person could store come only where the log has the column."""
    target = field.target_field if isinstance(field, models.ForeignKey) else field
    strange = [*list_impossible_values(target)] if connection.vendor == "sqlite" else []
    if field.choices:
        strange.append("nil" if isinstance(field, models.CharField) else 99)
    if target is not field:
        strange.append(-7 if isinstance(target, models.IntegerField) else uuid4().hex)
    if is_verified(model, field.name):
        strange += list_plausible_values(chance, model, field, old)
    chance.shuffle(strange)
    return strange


def list_impossible_values(field: models.Field[Any, Any]) -> Sequence[Any]:
    """Return values that only SQLite stores, or only without its constraints."""
    match field:
        case models.AutoField() | models.BigAutoField():
            return []  # also SQLite stores numbers only
        case models.BooleanField():
            return [-1, 2, "yes"]
        case models.IntegerField():
            low = BaseDatabaseOperations.integer_field_ranges[field.get_internal_type()][0]
            return ["many", 2.5, *([-7] if low == 0 else [])]
        case models.UUIDField():
            return [str(uuid4()).upper(), "x"]
        case models.DateTimeField() | models.DateField() | models.TimeField():
            return ["soon", 7, "2026-02-30 10:00:00"]
        case models.DecimalField():
            return ["north", 10**9]
        case models.BinaryField():
            return ["text", 7]
        case models.JSONField():
            return ["{", memoryview(b"[]")]
    return [memoryview(b"\x00\x01")]


def list_plausible_values(
    chance: random.Random, model: type[models.Model], field: models.Field[Any, Any], old: Any
) -> list[Any]:
    """Return values that the column could have: those of other rows, and similar ones."""
    if isinstance(field, models.BooleanField):
        return [not old] if connection.vendor == "postgresql" else [1 - int(old)]
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT DISTINCT {PLAIN}"{field.column}" FROM "{model._meta.db_table}" ORDER BY 1')
        found = [value for (value,) in cursor.fetchall() if value != old and value is not None]
    values = chance.sample(found, min(3, len(found)))
    if isinstance(field, models.JSONField):
        return [json.dumps(alter_value(chance, json.loads(old)))] if old is not None else values
    if isinstance(old, int):
        values.append(old + 1)
    elif isinstance(old, str) and old and not field.choices and not isinstance(field, models.ForeignKey):
        values.append(old[:-1] + ("1" if old[-1] == "0" else "0") if old[-1].isdigit() else old + " ")
    if field.null and old is not None:
        values.append(None)
    return values


def read_raw(model: type[models.Model], field: models.Field[Any, Any], pk: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(
            f'SELECT {PLAIN}"{field.column}" FROM "{model._meta.db_table}" WHERE "{model._meta.pk.column}" = %s',
            [to_raw(model, pk)],
        )
        return cursor.fetchall()[0][0]


def change(chance: random.Random, model: type[models.Model], field: models.Field[Any, Any] | None, pk: Any) -> str:
    """Change one row; return what was done, "" if the database stores none of the values."""
    table, key = f'"{model._meta.db_table}"', f'"{model._meta.pk.column}"'
    if field is None:
        return f"{table} {pk} deleted" if execute(f"DELETE FROM {table} WHERE {key} = %s", [to_raw(model, pk)]) else ""
    old = read_raw(model, field, pk)
    for value in list_new_values(chance, model, field, old):
        try:
            with transaction.atomic():
                execute(f'UPDATE {table} SET "{field.column}" = %s WHERE {key} = %s', [value, to_raw(model, pk)])
                where_is_it = pk if field is not model._meta.pk else value
                if field is model._meta.pk or read_raw(model, field, where_is_it) != old:
                    return f"{table} {pk}, {field.column}: {old!r:.80} → {value!r:.80}"
        except (DatabaseError, ValueError, TypeError, OverflowError):
            continue
    return ""


@pytest.mark.timeout(3000)
@pytest.mark.usefixtures("without_guards", "shown_event")
@pytest.mark.slow
def test_every_edit_and_deletion_of_what_decides_or_shows_anything_is_found(figures: Figures) -> None:
    assert [f"{damage.location}: {damage.description}" for damage in list_everything()] == []
    chance, edits, missed, named = random.Random(SEED), Counter[str](), [], 0
    columns = list(list_columns())
    chance.shuffle(columns)  # a short run does not come to all of them
    tried = 0
    while sum(edits.values()) < EDITS and tried < 4 * EDITS + len(columns):
        model, field = columns[tried % len(columns)]
        tried += 1
        edited = list_edited_rows(model, "" if field is None else field.name)
        rows = list(edited.order_by("pk").values_list("pk", flat=True))
        if not rows:
            continue
        with without_constraints():
            if description := change(chance, model, field, chance.choice(rows)):
                edits[model._meta.db_table] += 1
                found = list_everything()
                named += any(damage.table == model._meta.db_table for damage in found)
                if not found:
                    missed.append(description)
    assert not missed, "\n".join(missed)
    assert sum(edits.values()) == EDITS
    assert list_everything() == []
    call_command("verify", stdout=StringIO())
    figures.add(
        f"42 · columns of any table edited and rows deleted by SQL, its constraints off, on {connection.vendor}",
        f"{sum(edits.values()):,} random edits in {len(edits)} tables of {len(list_own_models())}, raw values, orphans "
        f"and event rows among them: each found, {named:,} with the table that was edited",
    )
