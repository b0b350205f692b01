"""Fixtures whose rows are made once in each process, and copied for every other test.

A fixture that records two dozen turns takes a fifth of a second, and a hundred tests use it. `@saved` below
`@pytest.fixture` remembers which rows the function wrote and what it returned. The next test gets the same rows by
plain SQL, and a copy of the value, which shares objects with the copies of other fixtures as the originals do.

Invariant: rows are copied only to where they were made: all that the test has written until then came from the same
saved fixtures in the same order. Otherwise, in tests that really commit, and on PostgreSQL, the function runs as usual.

So a saved function depends on saved fixtures and their rows alone: not on settings, nor on the time. A helper can be
saved as well. Calls with different texts, numbers, booleans or rows as arguments are saved separately.
"""

from __future__ import annotations

import copy
import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, ParamSpec, TypeVar

from django.db import connection
from django.db.models import Model

P = ParamSpec("P")
T = TypeVar("T")

# Of each table, its rows by their ids.
Rows = Mapping[str, Mapping[int, Mapping[str, Any]]]
# A function, and the arguments that distinguish its calls.
Step = tuple[object, ...]
Statement = tuple[str, list[list[Any]]]


class SavedFixture(NamedTuple):
    """What a fixture made.

    Attributes:
        statements: SQL that writes its rows, each with its parameters.
        changes: the fields that it changed of what other saved fixtures returned, each object with its new values.
        value: a copy of what it returned, which no test gets.
    """

    statements: list[Statement]
    changes: Sequence[tuple[Model, Mapping[str, Any]]]
    value: Any


class _Objects:
    """Pairs of objects: those of the saved values, and their copies in the current test."""

    def __init__(self) -> None:
        self._copies: dict[int, Any] = {}
        self._originals: dict[int, Any] = {}
        self._pairs: list[tuple[Any, Any]] = []

    def copy(self, value: T) -> T:
        """Return a copy of a saved value for the current test."""
        memo = dict(self._copies)
        made = copy.deepcopy(value, memo)
        self._remember((original, memo[id(original)]) for original in memo.get(id(memo), []))
        return made

    def save(self, value: T) -> T:
        """Return a copy of a test's value, to be saved."""
        memo = dict(self._originals)
        made = copy.deepcopy(value, memo)
        self._remember((memo[id(own)], own) for own in memo.get(id(memo), []))
        return made

    def _remember(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        for original, own in pairs:
            self._copies[id(original)] = own
            self._originals[id(own)] = original
            self._pairs.append((original, own))

    def read_fields(self) -> list[tuple[Model, Mapping[str, Any]]]:
        """Return the originals of all rows, each with the current values of its copy."""
        return [
            (original, {name: copy.deepcopy(value) for name, value in vars(own).items() if not name.startswith("_")})
            for original, own in self._pairs
            if isinstance(own, Model)
        ]

    def change(self, original: Model, values: Mapping[str, Any]) -> None:
        """Set fields of the copy of a row."""
        for name, value in values.items():
            setattr(self._copies[id(original)], name, copy.deepcopy(value))


_saved: dict[tuple[Step, ...], SavedFixture] = {}


class _Test:
    """How far the current test has got with saved fixtures.

    Attributes:
        chain: the functions that it has called, with arguments; None as soon as something else has written.
        objects: what they returned.
        is_making: whether the function of one of them is running.
    """

    def __init__(self) -> None:
        self.chain: tuple[Step, ...] | None = ()
        self.objects = _Objects()
        self.is_making = False
        self._written = _count_writes()

    @contextmanager
    def making(self) -> Iterator[None]:
        """While a fixture is made."""
        self.is_making = True
        try:
            yield
        finally:
            self.is_making = False

    def notice_other_writes(self) -> None:
        """End the chain if rows were written since the last saved fixture, or if the rows can't be rolled back."""
        if not connection.in_atomic_block or _count_writes() != self._written:
            self.chain = None

    def extend(self, step: Step) -> None:
        """Add a fixture that has just written its rows."""
        assert self.chain is not None
        self.chain += (step,)
        self._written = _count_writes()


_test = None


def start_test() -> None:
    """Forget what the previous test has used."""
    global _test  # noqa: PLW0603
    _test = _Test() if connection.vendor == "sqlite" else None
    for clear in _list_id_caches():
        clear()


def stop() -> None:
    """Make everything anew until the current test ends: it changes the code, or keeps what it knows by ids."""
    global _test  # noqa: PLW0603
    _test = None


@functools.cache
def _list_id_caches() -> Sequence[Callable[[], None]]:
    """Return what clears the product's caches by ids of rows: two tests have rows with the same ids."""
    from scorekeeper.results import place_chart, preview
    from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache
    from scorekeeper.seasons.selectors import finishes
    from scorekeeper.standings.selectors import leaderboard_presenter

    modules = (place_chart, preview, finishes, leaderboard_presenter)
    caches = [
        value.cache_clear for module in modules for value in vars(module).values() if hasattr(value, "cache_clear")
    ]
    return [clear_contest_rules_cache, *caches]


def saved(make: Callable[P, T]) -> Callable[P, T]:
    """Decorate a fixture's function, so that it runs once in each process for each state of the database."""

    @functools.wraps(make)
    def get(*args: P.args, **kwargs: P.kwargs) -> T:
        if _test is None or _test.is_making:  # what a saved function calls is part of it
            return make(*args, **kwargs)
        _test.notice_other_writes()
        if _test.chain is None:
            return make(*args, **kwargs)
        step = (make, *(_identify(each) for each in (*args, *kwargs, *kwargs.values())))
        known = _saved.get((*_test.chain, step))
        value: T
        if known is None:
            rows, fields = _read_rows(), _test.objects.read_fields()
            with _test.making():
                value = make(*args, **kwargs)
            changes = [
                (original, {name: now for name, now in new.items() if name not in old or old[name] != now})
                for (original, old), (_, new) in zip(fields, _test.objects.read_fields(), strict=True)
                if old != new
            ]
            statements = list(_list_statements(rows, _read_rows()))
            _saved[(*_test.chain, step)] = SavedFixture(statements, changes, _test.objects.save(value))
        else:
            for sql, parameters in known.statements:
                connection.connection.executemany(sql, parameters)
            for original, values in known.changes:
                _test.objects.change(original, values)
            value = _test.objects.copy(known.value)
        _test.extend(step)
        return value

    return get


def _identify(argument: object) -> object:
    """Return the part of a key for an argument of a saved function: None if it is another fixture."""
    if isinstance(argument, Model):
        return (type(argument), argument.pk)
    return argument if isinstance(argument, str | int | bool) else None


def _count_writes() -> tuple[int, int]:
    """Return a pair that is another one after every write, and for every connection."""
    database = connection.connection
    return (id(database), database.total_changes) if database else (0, 0)


def _read_rows() -> Rows:
    """Return all rows of the database, with their values as they are stored."""
    database = connection.connection
    rows = {}
    # SQLite writes its own tables, such as that of the last ids, when rows are inserted.
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    for (table,) in database.execute(tables).fetchall():
        columns = [column for _, column, *_ in database.execute(f'PRAGMA table_info("{table}")')]
        # Without the plus, dates would become objects.
        values = ", ".join(f'+"{column}"' for column in columns)
        found = database.execute(f'SELECT rowid, {values} FROM "{table}"')
        rows[table] = {key: {"rowid": key, **dict(zip(columns, row, strict=True))} for key, *row in found}
    return rows


def _list_statements(before: Rows, after: Rows) -> Iterator[Statement]:
    """Yield the SQL that turns the rows before into those after."""
    for table, rows in after.items():
        old = before[table]
        if gone := [[key] for key in old.keys() - rows.keys()]:
            yield f'DELETE FROM "{table}" WHERE rowid = ?', gone
        new = [row for key, row in rows.items() if key not in old]
        if new:
            columns = [*new[0]]
            names = ", ".join(f'"{column}"' for column in columns)
            marks = ", ".join("?" for _ in columns)
            yield f'INSERT INTO "{table}" ({names}) VALUES ({marks})', [list(row.values()) for row in new]
        changed: defaultdict[tuple[str, ...], list[list[Any]]] = defaultdict(list)
        for key, row in rows.items():
            if key in old and row != old[key]:
                different = tuple(column for column in row if row[column] != old[key][column])
                changed[different].append([*(row[column] for column in different), key])
        for different, values in changed.items():
            assignments = ", ".join(f'"{column}" = ?' for column in different)
            yield f'UPDATE "{table}" SET {assignments} WHERE rowid = ?', values
