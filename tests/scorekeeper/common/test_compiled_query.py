"""Statements that are compiled once have the same effect as Django's own."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from scorekeeper.common.bulk_insert import BulkInsert, insert_rows
from scorekeeper.common.compiled_query import CompiledQuery
from scorekeeper.crew.models import CrewMember, DiceSet, Group
from tests.scorekeeper.conftest import Ride

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
