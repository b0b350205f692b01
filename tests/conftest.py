"""Settings and fixtures of all tests, and the choice of the tests that a run can execute.

Terms: a test marked `postgres` or `sqlite` is about that database only. A test marked `redis`, `browser`, `node`,
`cluster`, `deploy`, `poppler` or `hosting` needs that service or those programs. If they are missing, its tests are
deselected, but never silently: the end of the run lists them, and with REQUIRE_ALL=1 the run fails. Tests marked
`hosting` run only if `-m hosting` asks for them. A test that measures a figure of `docs/reliability.md` uses the
fixture `figures` and so gets the mark `figure`; with FAULTS=full it runs in full length.
"""

from __future__ import annotations

import gc
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest
import redis as redis_client
from django.db import connection
from pytest_django.plugin import blocking_manager_key
from xdist.remote import Producer

from scorekeeper.common.static_files import collect_static_files
from tests import guards, services
from tests.faults.figures import Figures
from tests.faults.scale import FULL
from tests.groups import GroupScheduling, check_groups
from tests.run_times import list_times
from tests.shared_folder import open_shared_folder

# The duration of an example depends on the load of the machine, so it must not fail a test.
hypothesis.settings.register_profile("tailgunner", deadline=None)
hypothesis.settings.load_profile("tailgunner")


SHARED = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.stash[SHARED] = open_shared_folder()


def pytest_unconfigure(config: pytest.Config) -> None:
    if SHARED in config.stash:
        shutil.rmtree(config.stash[SHARED], ignore_errors=True)


DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> GroupScheduling:
    return GroupScheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unusable = {"sqlite", "postgres"} - {"sqlite" if connection.vendor == "sqlite" else "postgres"}
    unusable |= {
        name
        for name in ("redis", "browser", "node", "cluster", "deploy", "poppler", "hosting")
        if services.FINDERS[name]() is None
    }
    skipped = [item for item in items if any(item.get_closest_marker(name) for name in unusable)]
    if connection.vendor == "postgresql":
        # Tests that do not use the database have the same result on every database, and run on SQLite.
        skipped = [
            item for item in items if item in skipped or _has_no_own_statements(item) or not _is_about_a_database(item)
        ]
    if skipped:
        config.hook.pytest_deselected(items=skipped)
        items[:] = [item for item in items if item not in skipped]
    check_groups(items)
    for item in items:
        if "figures" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.figure)


def pytest_collection_finish() -> None:
    # The collected tests and the loaded program live until the end. Looking for garbage among them after every
    # thousand new objects took a sixth of the CPU time of the page tests.
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


# Files whose statements all run on PostgreSQL in other tests: test_number_of_queries.py opens every page there, the
# services below the pages and the demo have their own tests, and the cluster of tests/faults streams from PostgreSQL.
RUN_BY_OTHERS = (
    *("*/test_pages_*.py", "*/offline/*.py", "*/test_demo*.py", "*/live/test_stream.py"),
    "*/test_contest_machines.py",
)


def _has_no_own_statements(item: pytest.Item) -> bool:
    return not item.get_closest_marker("postgres") and any(item.path.match(pattern) for pattern in RUN_BY_OTHERS)


def _is_about_a_database(item: pytest.Item) -> bool:
    marked = item.get_closest_marker("django_db") or item.get_closest_marker("postgres")
    return bool(marked) or not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.section("time per folder")
    for line in list_times(report for reports in terminalreporter.stats.values() for report in reports):
        terminalreporter.write_line(line)
    for line in services.list_skipped():
        terminalreporter.write_line(line)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if exitstatus == pytest.ExitCode.OK and services.is_all_required() and services.list_skipped():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def figures() -> Iterator[Figures]:
    """The figures that this run measures; a full run writes them into the documents."""
    measured = Figures()
    yield measured
    if FULL:
        measured.write()


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The URL of a real Redis database that a test marked `redis` may empty."""
    url = services.find_redis()
    assert url is not None
    return url


@pytest.fixture
def redis(redis_url: str) -> Iterator[redis_client.Redis]:
    """A client of that Redis, empty before and after."""
    with redis_client.Redis.from_url(redis_url) as client:
        client.flushdb()
        yield client
        client.flushdb()


@pytest.fixture(scope="session", autouse=True)
def static_files() -> None:
    """Collects the static files as in production, so that a page that names a missing file fails."""
    collect_static_files()


def _really_commits(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    fixtures = {"transactional_db", "live_server"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures or (marker and marker.kwargs.get("transaction")))


# The append-only guards of log and revisions are installed while tests run. They are removed only while pytest-django
# empties the tables after a test that really commits; all other tests are rolled back.
@pytest.fixture(autouse=True)
def _log_can_be_emptied(request: pytest.FixtureRequest) -> Iterator[None]:
    if not _really_commits(request.node):
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    guards.remove_guards()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    yield
    if _really_commits(item) and nextitem is not None:  # after the last test the database no longer exists
        with item.config.stash[blocking_manager_key].unblock():
            guards.install_guards()
