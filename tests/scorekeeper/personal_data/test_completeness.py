"""The export has everything that is stored about a person, and nothing of anybody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.apps import apps
from django.db.models import Model

from scorekeeper.bikes.models import Bike
from scorekeeper.event_rows import EVENT_ROWS, Rows
from scorekeeper.ledger.models import Operation
from scorekeeper.personal_data.selectors import PersonExport, find_records, get_subject, make_person_export
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.scorecards.services.erasure import erase_name
from tests.browser.injections import OURS, TEXTS
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.personal_data.conftest import NAME, OTHER
from tests.scorekeeper.personal_data.exported_columns import EXPORTED_COLUMNS, NOT_EXPORTED
from tests.scorekeeper.standings.verified_columns import FOREIGN_APPS

pytestmark = pytest.mark.database

# What erasing makes anew, and nobody can read a name in.
RECOMPUTED = {"ledger.Operation.digest"}


def export_person(ride: Ride, name: str = NAME) -> PersonExport:
    subject = get_subject(ride.event, [record.key for record in find_records(ride.event, name)])
    assert subject is not None
    return make_person_export(subject)


def list_models() -> Iterator[type[Model]]:
    for model in apps.get_models(include_auto_created=True):
        if model._meta.app_label not in FOREIGN_APPS:
            yield model


def read_database() -> dict[tuple[str, Any, str], Any]:
    """Return every value of our tables, by model, row and column."""
    values: dict[tuple[str, Any, str], Any] = {}
    for model in list_models():
        label = model._meta.label
        for row in model._base_manager.values():
            values |= {(label, row[model._meta.pk.attname], column): value for column, value in row.items()}
    return values


def is_decided(label: str, column: str) -> bool:
    exported = EXPORTED_COLUMNS.get(label, {})
    return column in exported or "*" in exported or f"{label}.{column}" in NOT_EXPORTED or label in NOT_EXPORTED


def is_exported(label: str, column: str) -> bool:
    exported = EXPORTED_COLUMNS.get(label, {})
    return column in exported or "*" in exported


def test_every_column_is_exported_or_has_a_reason_why_not() -> None:
    columns = {(model._meta.label, field.name) for model in list_models() for field in model._meta.concrete_fields}
    undecided = sorted(f"{label}.{column}" for label, column in columns if not is_decided(label, column))
    assert undecided == []
    labels = {label for label, _column in columns}
    named = {*EXPORTED_COLUMNS, *(".".join(key.split(".")[:2]) for key in NOT_EXPORTED)}
    assert sorted(named - labels) == []


def list_name_columns() -> list[tuple[Rows, str]]:
    return [(rows, column.name) for rows in EVENT_ROWS for column in rows.columns if column.is_name]


def test_every_column_that_is_said_to_be_a_name_is_exported() -> None:
    assert [(rows.label, column) for rows, column in list_name_columns() if not is_exported(rows.label, column)] == []


def test_erasing_clears_every_column_that_is_said_to_be_a_name(full_ride: Ride) -> None:
    columns = list_name_columns()
    assert len(columns) >= 5
    for rows, column in columns:
        assert rows.query(full_ride.event).update(**{column: NAME})

    erase_name(full_ride.event, NAME)

    for rows, column in columns:
        assert not rows.query(full_ride.event).filter(**{column: NAME}).exists(), f"{rows.label}.{column}"


def test_every_text_that_people_type_is_exported_or_a_setting() -> None:
    by_table = {model._meta.db_table: model._meta.label for model in list_models()}
    typed = {(by_table[table], column) for table, (columns, _where) in TEXTS.items() for column in columns}
    assert sorted(column for column in typed if not is_decided(*column)) == []
    assert OURS  # the other texts, which nobody types


def test_the_sections_that_columns_are_said_to_be_in_exist_and_have_rows(full_ride: Ride) -> None:
    export = export_person(full_ride)
    rows = {section.key: section.rows for section in export.sections}
    named = {key for columns in EXPORTED_COLUMNS.values() for keys in columns.values() for key in keys.split()}

    assert sorted(named - rows.keys()) == []
    assert [key for key in rows if not rows[key]] == ["tokens", "passkeys", "sessions"]


def test_whatever_erasing_clears_is_in_the_export(full_ride: Ride) -> None:
    text = json.dumps(export_person(full_ride).to_data(), ensure_ascii=False)
    before = read_database()

    erase_name(full_ride.event, NAME)

    after = read_database()
    cleared = {key for key, value in before.items() if after.get(key, "") != value and isinstance(value, str)}
    with_name = {key for key in cleared if NAME in before[key]}
    assert len({(label, column) for label, _pk, column in with_name}) >= 9
    lost = {f"{label}.{column}" for label, _pk, column in cleared if not is_decided(label, column)}
    assert lost - RECOMPUTED == set()
    for label, _pk, column in with_name:
        assert is_exported(label, column), f"{label}.{column} is erased and not exported"
    # Other people's names are taken out of texts, so those are compared as far as they are about Ann.
    missing = [before[key] for key in with_name if OTHER not in before[key] and before[key] not in text]
    assert missing == []


def test_nothing_of_anybody_else_is_in_the_export(full_ride: Ride) -> None:
    export = export_person(full_ride)
    text = json.dumps(export.to_data(), ensure_ascii=False)
    own_bikes = {*Bike.objects.filter(players__name=NAME), *Bike.objects.filter(unchecked_people__rider=NAME)}
    own = {bike.pk for bike in own_bikes} | set(
        Bike.objects.filter(merged_into__in=own_bikes).values_list("pk", flat=True)
    )
    people = Player.objects.filter(event=full_ride.event).exclude(name=NAME).values_list("pk", flat=True)
    bikes = Bike.objects.filter(event=full_ride.event).exclude(pk__in=own).values_list("pk", flat=True)
    cards = Scorecard.objects.exclude(seats__bike__in=own).values_list("pk", flat=True)
    ids: set[UUID] = {*people, *bikes, *cards}

    assert OTHER not in text.replace(f"Make {OTHER}", "").replace(f"Model {OTHER}", "").replace(
        f"Paid to {OTHER}", ""
    ).replace(f"Dice of {OTHER}", "")
    assert "alice" not in text
    assert [str(pk) for pk in ids if str(pk) in text] == []
    assert len(ids) > 10
    actors = set(Operation.objects.exclude(actor_id=full_ride.rita.pk).values_list("actor_id", flat=True))
    former = {record.key.id for record in export.subject.records}
    assert [str(pk) for pk in actors - former if str(pk) in text] == []


def test_the_passenger_gets_the_bikes_scorecard_and_not_how_to_reach_the_rider(full_ride: Ride) -> None:
    export = export_person(full_ride, f"Zoe {OTHER}")
    sections = {section.key: section for section in export.sections}

    assert [row["number"] for row in sections["bikes"].rows] == ["2"]
    assert sections["log"].rows
    assert sections["sign_ups"].rows == []
    assert "555-0101" not in export.to_json()
