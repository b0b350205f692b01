"""Every column of an event's rows is declared, or is not for a reason (`scorekeeper.event_rows`)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db.models import ForeignKey, Model

from games.core.bundle.layout import SEAT_FIELDS, SECTIONS
from scorekeeper.event_rows import ELSEWHERE, EVENT_ROWS, FIRST_FORMAT, PHONE_ROWS, Rows, Shown
from scorekeeper.events.models import Event
from tests.scorekeeper.standings.verified_columns import FOREIGN_APPS

# Lines that are made of other rows: standings, parts of a revision, and columns with lines of their own.
MADE_SECTIONS = {
    *("bundle", "manifest", "odds", "prize_classes", "prize_rules", "sheet_rules", "standings", "stop_distances"),
    *("revision_rows", "revision_cards"),
}
# What a line has beside the columns of its row.
NESTED_FIELDS = {"crew": {"any_bike_at"}, "cards": {"seats"}}
FIRST_COLUMNS = 127  # that phones of the first formats can load; later ones need `since=OPEN_FORMAT`


def list_models_of_events() -> Iterator[type[Model]]:
    """Return every model with a path of foreign keys to an event."""
    found: set[type[Model]] = {Event}
    while True:
        more = {
            model
            for model in apps.get_models(include_auto_created=True)
            if model not in found and model._meta.app_label not in FOREIGN_APPS
            for field in model._meta.concrete_fields
            if isinstance(field, ForeignKey) and field.related_model in found
        }
        if not more:
            return iter(sorted(found, key=lambda model: model._meta.label))
        found |= more


def test_every_model_of_an_event_is_declared_or_has_a_reason_why_not() -> None:
    labels = [model._meta.label for model in list_models_of_events()]
    elsewhere = [label for found in ELSEWHERE.values() for label in found.split()]
    assert sorted([rows.label for rows in EVENT_ROWS] + elsewhere) == labels


@pytest.mark.parametrize("rows", EVENT_ROWS, ids=lambda rows: rows.label)
def test_every_column_is_declared_once(rows: Rows) -> None:
    columns = sorted(column.name for column in rows.columns)
    assert columns == sorted(field.name for field in rows.model._meta.concrete_fields)


@pytest.mark.parametrize("rows", EVENT_ROWS, ids=lambda rows: rows.label)
def test_the_lines_of_bundles_have_the_columns_that_are_declared(rows: Rows) -> None:
    assert bool(rows.section) != bool(rows.not_in_bundle)
    if rows.not_in_bundle:
        return
    fields = SEAT_FIELDS if rows.section == "cards.seats" else SECTIONS[rows.section]
    declared = {column.line or column.name for column, _field in rows.list_bundled()}
    assert declared | NESTED_FIELDS.get(rows.section, set()) == fields.keys()
    for section, columns in rows.list_bundled_apart().items():
        assert SECTIONS[section].keys() == {"id", *(column.line.partition(".")[2] for column, _field in columns)}


def test_every_section_of_bundles_is_declared() -> None:
    assert {rows.section for rows in EVENT_ROWS} - {"", "cards.seats"} == SECTIONS.keys() - MADE_SECTIONS


def test_older_phones_get_no_column_that_they_cannot_load() -> None:
    assert sum(len(rows.list_on_phone(FIRST_FORMAT)) for rows in PHONE_ROWS) == FIRST_COLUMNS


def test_no_name_of_a_person_is_shown_to_everyone() -> None:
    names = [column for rows in EVENT_ROWS for column in rows.columns if column.is_name]
    assert {column.shown for column in names} == {Shown.PERSON, Shown.NOBODY}
