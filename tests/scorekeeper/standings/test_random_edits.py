"""`manage.py verify` finds every change made past the database's guards, without false alarms."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection

from scorekeeper.events.models import Event
from scorekeeper.standings.selectors.verification import LogDamage, list_damage, list_database_damage
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.standings.tampering import NothingToAlter, alter_database
from tests.scorekeeper.standings.verified_columns import (
    FOREIGN_APPS,
    MADE_AGAIN,
    UNVERIFIED_COLUMNS,
    VERIFIED_COLUMNS,
    list_edited_rows,
)

pytestmark = pytest.mark.database

EDITS = scaled(1_000, 20)
SEED = 20


def test_every_column_is_verified_or_excluded_for_a_reason() -> None:
    missing: list[str] = []
    duplicates: list[str] = []
    for model in apps.get_models():
        label = model._meta.label
        if model._meta.app_label in FOREIGN_APPS or model._meta.proxy:
            continue
        for field in model._meta.concrete_fields:
            is_verified = field.name in VERIFIED_COLUMNS.get(model, "").split()
            is_excluded = label in UNVERIFIED_COLUMNS or f"{label}.{field.name}" in UNVERIFIED_COLUMNS
            if is_verified == is_excluded:
                (duplicates if is_verified else missing).append(f"{label}.{field.name}")
    assert not missing
    assert not duplicates


def find_all() -> list[str]:
    return [f"{damage.location}: {damage.description}" for damage in list_all()]


def is_found() -> bool:
    return next(list_all(), None) is not None


def list_all() -> Iterator[LogDamage]:
    yield from list_database_damage()
    for event in Event.objects.all():
        yield from list_damage(event)


@pytest.mark.timeout(1200)
@pytest.mark.usefixtures("without_guards", "played_event")
@pytest.mark.slow
def test_every_edit_of_a_verified_column_is_found_and_nothing_else(figures: Figures) -> None:
    assert find_all() == []
    chance, edits, missed = random.Random(SEED), Counter[str](), []
    columns = [(model, name) for model, names in VERIFIED_COLUMNS.items() for name in ["", *names.split()]]
    for model in MADE_AGAIN:
        columns.remove((model, ""))
    columns.remove((Event, ""))  # with all that refers to it, nothing is left that could be wrong
    chance.shuffle(columns)  # a short run does not come to all of them
    tried = 0
    while sum(edits.values()) < EDITS:
        model, column = columns[tried % len(columns)]
        tried += 1
        rows = list_edited_rows(model, column)
        try:
            with alter_database(chance, rows, column) as description:
                edits[model.__name__] += 1
                if not is_found():
                    missed.append(description)
        except NothingToAlter:
            continue
    assert not missed, "\n".join(missed)
    assert find_all() == []
    figures.add(
        f"20 · columns altered, rows deleted and values swapped in data derived from the log, on {connection.vendor}",
        f"{sum(edits.values()):,} random edits in {len(edits)} tables: each found, none falsely",
    )
