"""Statements that are compiled once have the same effect as Django's own."""

from __future__ import annotations

from inspect import signature
from uuid import UUID, uuid4

import pytest
from django.db import DEFAULT_DB_ALIAS, IntegrityError, connection, transaction
from django.db.models.query import get_related_populators
from django.test.utils import CaptureQueriesContext

from scorekeeper.common.bulk_insert import BulkInsert, insert_rows
from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.crew.models import CrewMember, DiceSet, Group
from tests.scorekeeper.conftest import Ride

pytestmark = pytest.mark.database

SETS = CompiledQuery(
    lambda group, name: DiceSet.objects.select_related("group__event").filter(group=group, name=name),
    {"group": UUID(int=1), "name": "a name"},
)


def test_a_compiled_query_returns_the_same_models_as_its_queryset(ride: Ride) -> None:
    for group in (ride.group_one, ride.group_two):
        with CaptureQueriesContext(connection) as queries:
            (fetched,) = SETS.fetch(group=group.pk, name="Third")
            assert fetched.group.event == ride.event
        assert len(queries) == 1
        assert fetched == DiceSet.objects.get(group=group, name="Third")
    assert SETS.fetch(group=uuid4(), name="Third") == []
    assert SETS.fetch(group=ride.group_one.pk, name="'; DROP TABLE") == []


def test_bulk_insert_stores_the_same_values_as_django(ride: Ride) -> None:
    rows = [DiceSet(group=ride.group_one, name=f"Set {number} % 'x'", ordinal=number) for number in range(9, 12_009)]

    insert_rows(BulkInsert(rows))

    assert DiceSet.objects.filter(pk__in=[rows[0].pk, rows[-1].pk]).count() == 2
    assert DiceSet.objects.get(pk=rows[7].pk).name == rows[7].name
    insert_rows(BulkInsert([]))


def test_an_existing_row_is_an_error_or_is_updated(ride: Ride) -> None:
    group = Group.objects.get(pk=ride.group_one.pk)
    group.name, group.ordinal = "Group 1", 7

    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(BulkInsert([group]))
    insert_rows(BulkInsert([group], update_fields=("name",)))

    group.refresh_from_db()
    assert (group.name, group.ordinal) == ("Group 1", 1)
    assert CrewMember.objects.filter(group=group).count() == 3


def test_the_private_parts_of_django_that_this_uses_are_still_the_same() -> None:
    """After an upgrade of Django, compare each with the new code before changing this test."""
    query = DiceSet.objects.select_related("group").filter(name="Third").query
    compiler = query.get_compiler(DEFAULT_DB_ALIAS)
    sql, parameters = compiler.as_sql()
    related = get_related_populators(compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]

    assert list(signature(get_related_populators).parameters) == ["klass_info", "select", "db"]
    assert list(signature(type(compiler).get_converters).parameters) == ["self", "expressions"]
    assert list(signature(type(compiler).apply_converters).parameters) == ["self", "rows", "converters"]
    assert list(signature(DiceSet.from_db).parameters) == ["db", "field_names", "values"]
    assert (sql.count("%s"), parameters) == (1, ("Third",))
    assert compiler.klass_info["model"] is DiceSet
    own = compiler.klass_info["select_fields"]
    assert own == list(range(len(DiceSet._meta.concrete_fields)))
    assert [column.target.attname for column, *_ in compiler.select[: len(own)]] == [
        field.attname for field in DiceSet._meta.concrete_fields
    ]
    assert compiler.annotation_col_map == {}
    assert [list(signature(populator.populate).parameters) for populator in related] == [["row", "from_obj"]]
