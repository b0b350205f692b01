"""Which kinds of SQL statements each test runs, so that a run on PostgreSQL can leave out tests that add none.

With the option --statements=FILE, a run on SQLite writes there what its tests ran, and a run on PostgreSQL reads it and
chooses. What differs on SQLite, differs on PostgreSQL too, since both databases' statements are made from one query.

Terms: a kind is a statement of the product without its values, together with all that databases treat differently: the
rows it locks, the error it ends in, whether an error came before it in its transaction, and unusual values
(`describe_value`). How many values a list has or rows an insertion does not matter, nor does what tests ask themselves.

Invariants:
- A test that SQLite did not run runs, as do those that really commit. One that ran nothing of the product's does not.
- Every kind that was recorded is run by at least one test, and by REPEATS if there are as many that are not long.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models.sql.compiler import SQLCompiler

from scorekeeper.common.sqlite import base as sqlite_base
from tests.programs import ROOT

OPTION = "--statements"
# A test can run a statement and look at nothing that it returns, so a single one would not be enough.
REPEATS = 2
LONG_TEST = 1_000  # statements; a longer test is chosen only for kinds that no other runs

FRAME = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")
_LIST = re.compile(r"\((?:%s|NULL)(?:, (?:%s|NULL))*\)(?:, \((?:%s|NULL)(?:, (?:%s|NULL))*\))*")
_LITERAL = re.compile(r"'(?:[^']|'')*'|\b\d+\b")
LONG_TEXT = 100
PRODUCT, TESTS = f"{ROOT}/scorekeeper/", f"{ROOT}/tests/"
SQLITE_WRAPPER = sqlite_base.__file__  # on the stack of every statement there
LARGE_NUMBER = 2**31 - 1


class Recorded(NamedTuple):
    """What a test ran: the kinds, by short hashes, and how many statements that were."""

    kinds: frozenset[str]
    statements: int


@lru_cache(maxsize=50_000)
def normalize(sql: str) -> str:
    """Return a statement without its literals and without the lengths of its lists."""
    for word in (" OR ", " WHEN "):
        parts = sql.split(word)
        sql = word.join(part for part, before in zip(parts, ["", *parts], strict=False) if part != before)
    return _LITERAL.sub("?", _LIST.sub("(…)", sql))


def describe_value(value: object) -> str | None:
    """Return what is unusual about a value of a statement, or None."""
    match value:
        case bool() | bytes():
            return None
        case None:
            return "null"
        case int() if abs(value) > LARGE_NUMBER:
            return "large"
        case float() if value != value or abs(value) == float("inf"):
            return "not finite"
        case str():
            if "\0" in value or "\\u0000" in value:
                return "NUL"
            if not value.isascii():
                return "not ASCII"
            return "long" if len(value) > LONG_TEXT else None
    return None


@lru_cache(maxsize=100_000)
def _name_kind(*parts: object) -> str:
    return blake2b(repr(parts).encode("utf-8", "backslashreplace"), digest_size=6).hexdigest()


def _is_run_by_test() -> bool:
    """Return whether a statement is run by a test itself: the nearest code of the project is not the product's."""
    frame = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(PRODUCT) and file != SQLITE_WRAPPER:
            return False
        if file.startswith(TESTS) and file != __file__:
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


class Recorder:
    """Records the statements of one process, in all its threads, for the test that is named at the moment."""

    def __init__(self) -> None:
        self.kinds: defaultdict[str, set[str]] = defaultdict(set)
        self.statements: Counter[str] = Counter()
        self._test = ""
        self._here = threading.local()
        connection_created.connect(self._add_to_connection)
        self._compile_sql: Callable[..., tuple[str, Any]] = SQLCompiler.as_sql
        self._wrap_compiler()

    def stop(self) -> None:
        """Record nothing more in this thread's connection and in new ones."""
        connection_created.disconnect(self._add_to_connection)
        connection.execute_wrappers.remove(self._run)
        SQLCompiler.as_sql = self._compile_sql  # type: ignore[method-assign]

    def start(self, test: str) -> None:
        """Count what runs from now on as the test's."""
        self._test = test
        self.kinds[test].clear()  # it is known even if it runs nothing
        self._here.failed = False
        self._add_to_connection(connection=connection)

    def _wrap_compiler(self) -> None:
        # SQLite's statements do not say which rows they lock.
        def as_sql(compiler: SQLCompiler, *args: Any, **options: Any) -> tuple[str, Any]:
            compiled = self._compile_sql(compiler, *args, **options)
            query = compiler.query
            if query.select_for_update:
                locked = (query.select_for_update_nowait, query.select_for_update_skip_locked)
                self._here.locked = (compiled[0], *locked, *query.select_for_update_of)
            return compiled

        SQLCompiler.as_sql = as_sql  # type: ignore[assignment]

    def _add_to_connection(self, connection: BaseDatabaseWrapper, **signal: object) -> None:
        if self._run not in connection.execute_wrappers:
            connection.execute_wrappers.append(self._run)

    def _run(self, execute: Callable[..., Any], sql: Any, parameters: Any, many: bool, context: Any) -> Any:
        here, error = self._here, ""
        try:
            return execute(sql, parameters, many, context)
        except Exception as raised:
            error = type(raised).__name__
            raise
        finally:
            self._note(str(sql), parameters, many, error)
            here.failed = bool(error) or (getattr(here, "failed", False) and not sql.startswith(("ROLLBACK", "COMMIT")))

    def _note(self, sql: str, parameters: Any, many: bool, error: str) -> None:
        if not self._test or sql.startswith(FRAME) or _is_run_by_test():
            return
        kinds, statement = self.kinds[self._test], normalize(sql)
        locked = getattr(self._here, "locked", ("",))
        kinds.add(
            _name_kind(statement, locked[1:] if locked[0] == sql else (), error, getattr(self._here, "failed", False))
        )
        self.statements[self._test] += 1
        rows: Iterable[Any] = (parameters or ()) if many else (parameters or (),)
        values = {
            described
            for row in rows
            for value in (row.values() if isinstance(row, Mapping) else row)
            if (described := describe_value(value))
        }
        kinds.update(_name_kind(statement, described) for described in values)


def write_recorded(recorder: Recorder, folder: Path) -> None:
    """Write what this process recorded into a folder that all processes of the run share."""
    recorded = {test: [recorder.statements[test], *sorted(kinds)] for test, kinds in recorder.kinds.items()}
    (folder / f"statements-{os.getpid()}.json").write_text(json.dumps(recorded), "utf-8")


def merge_recorded(folder: Path, file: Path) -> None:
    """Write what all processes recorded into one file."""
    merged: dict[str, list[Any]] = {}
    for part in sorted(folder.glob("statements-*.json")):
        merged |= json.loads(part.read_text("utf-8"))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(merged, sort_keys=True), "utf-8")


def read_recorded(file: Path) -> Mapping[str, Recorded]:
    """Return what each test ran."""
    tests = json.loads(file.read_text("utf-8"))
    return {test: Recorded(frozenset(kinds), statements) for test, (statements, *kinds) in tests.items()}


def choose_tests(
    recorded: Mapping[str, Recorded], always: Collection[str], candidates: Collection[str], repeats: int = REPEATS
) -> frozenset[str]:
    """Return the candidates to run so that all of their kinds are run often enough. The same input has the same result.

    Args:
        recorded: what each test runs.
        always: tests that run anyway.
        candidates: tests to choose from.
        repeats: how many tests have to run each kind, if there are as many with at most `LONG_TEST` statements.
    """
    done: Counter[str] = Counter(kind for test in always if test in recorded for kind in recorded[test].kinds)
    chosen: set[str] = set()
    _add_tests(chosen, done, recorded, candidates, 1)
    rest = [test for test in candidates if test not in chosen and recorded[test].statements <= LONG_TEST]
    _add_tests(chosen, done, recorded, rest, repeats)
    return frozenset(chosen)


def _add_tests(
    chosen: set[str], done: Counter[str], recorded: Mapping[str, Recorded], candidates: Iterable[str], repeats: int
) -> None:
    """Add the tests with the most new kinds for their statements, until every kind is run often enough.

    Args:
        done: how many tests run each kind; updated.
    """

    def rate(test: str) -> float:
        new = sum(done[kind] < repeats for kind in recorded[test].kinds)
        return -new / (recorded[test].statements + 20)  # a test costs something even without statements

    # Ratings only ever get worse, so one that is still the best after an update is right.
    waiting = [(rate(test), test) for test in candidates]
    heapify(waiting)
    while waiting:
        rating, test = heappop(waiting)
        now = rate(test)
        if now > rating:
            heappush(waiting, (now, test))
        elif now:
            chosen.add(test)
            done.update(recorded[test].kinds)


class StatementRecording:
    """The hooks of a run on SQLite that records statements.

    Args:
        folder: the folder that all processes of the run share.
        file: what all of them recorded, in the end.
        is_worker: whether another process has started this one.
    """

    def __init__(self, folder: Path, file: Path, *, is_worker: bool) -> None:
        self._folder, self._file, self._is_worker = folder, file, is_worker
        self._recorder = Recorder()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Record what the set-up, the test and its tear-down run."""
        self._recorder.start(item.nodeid)
        return (yield)

    def pytest_sessionfinish(self) -> None:
        """Write what this process recorded; the process that started all others merges it."""
        write_recorded(self._recorder, self._folder)
        if not self._is_worker:
            merge_recorded(self._folder, self._file)
