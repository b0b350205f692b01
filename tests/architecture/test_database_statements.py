"""The tests for PostgreSQL are chosen by what they run, so that every kind of statement is run there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, connection, transaction

from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_event
from tests import database_statements
from tests.database_statements import Recorded, Recorder, choose_tests, describe_value, normalize


@pytest.fixture
def product_recorder(db: None) -> Iterator[Recorder]:
    recording = Recorder()
    yield recording
    recording.stop()


@pytest.fixture
def recorder(product_recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """A recorder that takes these tests for the product."""
    monkeypatch.setattr(database_statements, "TESTS", "/no/such/folder/")
    return product_recorder


def get_kinds(recorder: Recorder, run: Callable[[], object]) -> set[str]:
    """Return the kinds of what a function runs."""
    recorder.start("one")
    run()
    return recorder.kinds.pop("one", set())


def test_values_and_the_lengths_of_lists_do_not_matter() -> None:
    short = normalize('SELECT "id" FROM "a" WHERE "n" IN (%s) LIMIT 1')

    assert normalize('SELECT "id" FROM "a" WHERE "n" IN (%s, %s, %s) LIMIT 21') == short
    assert normalize('SELECT "id" FROM "a" WHERE "m" IN (%s) LIMIT 1') != short
    assert normalize("INSERT INTO a VALUES (%s, NULL), (%s, %s)") == normalize("INSERT INTO a VALUES (%s, %s)")
    assert normalize("a = %s OR a = %s OR a = %s OR b = %s") == normalize("a = %s OR a = %s OR b = %s")
    assert normalize(f"CASE{' WHEN a THEN %s' * 3} END") == normalize(f"CASE{' WHEN a THEN %s' * 2} END")
    assert normalize("SELECT 'it''s' AS x") == normalize("SELECT 'is' AS x")


@pytest.mark.parametrize(
    ("value", "described"),
    [
        ("Ann", None),
        (7, None),
        (True, None),
        (None, "null"),
        ("", None),
        ("Zoë", "not ASCII"),
        ("a\0", "NUL"),
        ('{"name": "a\\u0000"}', "NUL"),
        ("a" * 101, "long"),
        (2**31, "large"),
        (float("nan"), "not finite"),
    ],
)
def test_values_that_databases_treat_differently_matter(value: object, described: str | None) -> None:
    assert describe_value(value) == described


def test_a_statement_is_the_same_kind_with_other_values_and_another_one_with_unusual_values(recorder: Recorder) -> None:
    def find(name: str) -> Callable[[], object]:
        return lambda: User.objects.filter(username=name).first()

    usual = get_kinds(recorder, find("ann"))

    assert len(usual) == 1
    assert get_kinds(recorder, find("ben")) == usual
    assert get_kinds(recorder, find("Zoë")) > usual
    assert get_kinds(recorder, lambda: User.objects.filter(email="ann").first()).isdisjoint(usual)


def test_what_a_test_asks_itself_does_not_matter(product_recorder: Recorder) -> None:
    assert get_kinds(product_recorder, Event.objects.first) == set()
    assert len(get_kinds(product_recorder, lambda: get_open_event("a-ride"))) == 1


def test_locking_is_another_kind_on_every_database(recorder: Recorder) -> None:
    users = User.objects.filter(username="ann")
    kinds = [
        get_kinds(recorder, lambda rows=rows: list(rows))  # type: ignore[misc]
        for rows in (users, users.select_for_update(), users.select_for_update(of=("self",)))
    ]

    assert all(len(found) == 1 for found in kinds)
    assert len(set().union(*kinds)) == 3


def test_an_error_and_what_runs_after_it_in_the_transaction_are_other_kinds(recorder: Recorder) -> None:
    User.objects.create(username="ann")
    usual = get_kinds(recorder, lambda: User.objects.create(username="ben"))

    def fail() -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.create(username="ann")

    assert get_kinds(recorder, fail) - usual

    def count_after_an_error() -> None:
        connection.savepoint()
        with suppress(DatabaseError), connection.cursor() as cursor:
            cursor.execute("SELECT nothing FROM nowhere")
        with suppress(DatabaseError):  # on PostgreSQL
            User.objects.count()

    assert get_kinds(recorder, User.objects.count).isdisjoint(get_kinds(recorder, count_after_an_error))


def record(**tests: str) -> dict[str, Recorded]:
    """Return tests by name, each with a kind for every letter, and as many statements."""
    return {name: Recorded(frozenset(kinds), len(kinds)) for name, kinds in tests.items()}


def test_every_kind_is_run_as_often_as_asked_or_as_it_can_be() -> None:
    recorded = record(one="abc", two="ab", three="a", four="d", five="a")

    assert choose_tests(recorded, (), sorted(recorded), repeats=1) == {"one", "four"}
    assert choose_tests(recorded, (), sorted(recorded), repeats=2) == {"one", "two", "four"}


def test_a_long_test_is_chosen_only_for_what_no_other_runs() -> None:
    long = Recorded(frozenset("abc"), 2_000)

    assert choose_tests({"long": long, **record(one="ab")}, (), ["long", "one"]) == {"long", "one"}
    assert choose_tests({"long": long, **record(one="abc")}, (), ["long", "one"]) == {"one"}


def test_tests_that_run_anyway_count() -> None:
    recorded = record(one="abc", two="ab", three="d")

    assert choose_tests(recorded, {"one", "not recorded"}, ["two", "three"], repeats=1) == {"three"}


def test_the_choice_depends_on_nothing_else() -> None:
    recorded = record(**{f"test_{number}": "abcdefgh"[number % 5 : number % 7 + 2] for number in range(40)})

    chosen = choose_tests(recorded, (), sorted(recorded))

    assert choose_tests(dict(reversed(recorded.items())), (), sorted(recorded)) == chosen
    for letter in set().union(*(found.kinds for found in recorded.values())):
        having = {name for name, found in recorded.items() if letter in found.kinds}
        assert len(having & chosen) >= min(2, len(having))
