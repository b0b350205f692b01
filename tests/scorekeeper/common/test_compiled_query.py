"""Statements that are put together once say what Django's own would."""

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


def test_a_prepared_select_gives_the_models_that_its_queryset_gives(ride: Ride) -> None:
    for group in (ride.group_one, ride.group_two):
        with CaptureQueriesContext(connection) as queries:
            (asked,) = SETS.fetch(group=group.pk, name="Third")
            assert asked.group.event == ride.event
        assert len(queries) == 1
        assert asked == DiceSet.objects.get(group=group, name="Third")
    assert SETS.fetch(group=uuid4(), name="Third") == []
    assert SETS.fetch(group=ride.group_one.pk, name="'; DROP TABLE") == []


def test_rows_are_inserted_as_their_fields_write_them(ride: Ride) -> None:
    rows = [DiceSet(group=ride.group_one, name=f"Set {number} % 'x'", ordinal=number) for number in range(9, 12_009)]

    insert_rows(BulkInsert(rows))

    assert DiceSet.objects.filter(pk__in=[rows[0].pk, rows[-1].pk]).count() == 2
    assert DiceSet.objects.get(pk=rows[7].pk).name == rows[7].name
    insert_rows(BulkInsert([]))


def test_a_row_that_is_there_is_an_error_or_brought_up_to_date(ride: Ride) -> None:
    group = Group.objects.get(pk=ride.group_one.pk)
    group.name, group.ordinal = "Group 1", 7

    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows(BulkInsert([group]))
    insert_rows(BulkInsert([group], update_fields=("name",)))

    group.refresh_from_db()
    assert (group.name, group.ordinal) == ("Group 1", 1)
    assert CrewMember.objects.filter(group=group).count() == 3
