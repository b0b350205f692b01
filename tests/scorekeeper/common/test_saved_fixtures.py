"""Rows and values of saved fixtures are copied to where they were made, and only there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection

from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.events.models import Event
from tests import saved_fixtures
from tests.saved_fixtures import saved
from tests.scorekeeper.api.conftest import rollback_at_end

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

calls: list[str] = []


@dataclass
class Crew:
    group: Group
    members: list[CrewMember]


@saved
def make_event(name: str = "May run") -> Event:
    calls.append(name)
    return Event.objects.create(name=name, slug=name, date="2026-06-20")


@saved
def make_crew(event: Event) -> Crew:
    calls.append("crew")
    event.name += "!"
    event.save()
    group = Group.objects.create(event=event, name="One", ordinal=1)
    return Crew(group, [CrewMember.objects.create(group=group, name=name, role="supervisor") for name in ("Bo", "Ed")])


@pytest.fixture(autouse=True)
def _nothing_is_saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(saved_fixtures, "_saved", {})
    calls.clear()
    yield
    saved_fixtures.start_test()


def in_a_test(do: Callable[[], object]) -> None:
    """Do this as a test of its own."""
    with rollback_at_end():
        saved_fixtures.start_test()
        do()


def make_both() -> Crew:
    return make_crew(make_event())


def test_another_test_gets_the_same_rows_and_the_function_does_not_run_again() -> None:
    rows: list[Any] = []

    def play() -> None:
        make_both()
        rows.append([list(model.objects.order_by("name").values()) for model in (Event, Group, CrewMember)])

    in_a_test(play)
    in_a_test(play)

    assert calls == ["May run", "crew"]
    assert rows[0] == rows[1]
    assert [row["name"] for row in rows[0][0]] == ["May run!"]
    assert [row["name"] for row in rows[0][2]] == ["Bo", "Ed"]
    assert not Event.objects.exists()


def test_copied_values_share_objects_as_the_originals_do_and_no_two_tests_share_any() -> None:
    seen: list[Crew] = []

    def play() -> None:
        event = make_event()
        crew = make_crew(event)
        assert crew.group.event is event
        assert [member.group for member in crew.members] == [crew.group] * 2
        assert crew.members[0].group is crew.group
        assert event.name == "May run!"
        crew.members[0].name = "nobody's"
        seen.append(crew)

    for _ in range(3):
        in_a_test(play)

    assert calls == ["May run", "crew"]
    assert len({id(crew.group) for crew in seen}) == 3


def test_after_other_writes_the_function_runs_again() -> None:
    def write_between() -> None:
        event = make_event()
        Event.objects.create(name="Another", slug="another", date="2026-06-21")
        assert make_crew(event).group.pk

    def write_before() -> None:
        Event.objects.create(name="Another", slug="another", date="2026-06-21")
        make_both()
        assert Event.objects.count() == 2

    in_a_test(make_both)
    in_a_test(write_between)
    in_a_test(write_before)

    assert calls == ["May run", "crew", "crew", "May run", "crew"]


def test_calls_with_other_arguments_are_saved_apart() -> None:
    names: list[str] = []

    def play() -> None:
        names.extend(make_event(name=name).name for name in ("May run", "June run"))

    in_a_test(play)
    in_a_test(play)

    assert calls == ["May run", "June run"]
    assert names == ["May run", "June run"] * 2


def test_what_a_saved_function_calls_is_part_of_it() -> None:
    @saved
    def make_nested() -> Crew:
        calls.append("nested")
        return make_both()

    in_a_test(make_nested)
    in_a_test(make_nested)
    in_a_test(make_both)

    assert calls == ["nested", "May run", "crew", "May run", "crew"]


def test_rows_that_a_function_deletes_are_deleted() -> None:
    @saved
    def remove_supervisor(crew: Crew) -> None:
        calls.append("remove")
        crew.members[0].delete()

    def play() -> None:
        remove_supervisor(make_both())
        assert [member.name for member in CrewMember.objects.all()] == ["Ed"]

    in_a_test(play)
    in_a_test(play)

    assert calls == ["May run", "crew", "remove"]


@pytest.mark.django_db(transaction=True)
def test_a_test_that_really_commits_makes_its_own_rows() -> None:
    make_both()
    assert not connection.in_atomic_block
    Event.objects.all().delete()
    make_both()

    assert calls == ["May run", "crew"] * 2
