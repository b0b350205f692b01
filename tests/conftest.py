"""Settings and fixtures of all tests, and which of them a run executes.

Terms: a test is *quick*, so that `make test` runs it, if it is in `tests/games`, `tests/architecture` or
`tests/scorekeeper` and has none of the marks in `FULL_RUN_ONLY`; or if it is marked `smoke`. `make test-all` runs all
others.

A test marked `redis`, `browser`, `node`, `cluster`, `deploy`, `poppler` or `hosting` needs that service or
those programs. If they are missing, its tests are left out, but never silently: the end of the run lists them, and with
REQUIRE_ALL=1 the run fails. A test that measures a figure of `docs/reliability.md` uses the fixture `figures` and so
gets the mark `figure`; with FAULTS=full it runs in full length.
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import hypothesis
import pytest
import redis as redis_client
from django.db import connection
from django.utils import translation
from pytest_django.plugin import blocking_manager_key

from scorekeeper.common.static_files import collect_static_files
from tests import guards, services
from tests.faults.figures import Figures
from tests.faults.scale import FULL, scaled
from tests.shared_folder import open_shared_folder

# The duration of an example depends on the load of the machine, so it must not fail a test.
hypothesis.settings.register_profile("tailgunner", deadline=None, max_examples=scaled(100, 30))
hypothesis.settings.load_profile("tailgunner")

HERE = Path(__file__).parent
QUICK_FOLDERS = ("architecture", "games", "scorekeeper")
FULL_RUN_ONLY = ("slow", "program", "postgres", *services.FINDERS)
DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}

SHARED = pytest.StashKey[Path]()


@pytest.fixture(autouse=True)
def _language_of_the_installation() -> Iterator[None]:
    """End each test in the usual language: a request leaves its language to what comes after it."""
    yield
    translation.deactivate()


def pytest_configure(config: pytest.Config) -> None:
    if not _is_worker(config):
        config.stash[SHARED] = open_shared_folder()


def pytest_unconfigure(config: pytest.Config) -> None:
    if SHARED in config.stash:
        shutil.rmtree(config.stash[SHARED], ignore_errors=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "figures" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.figure)
        if _is_quick(item):
            item.add_marker(pytest.mark.quick)
        if _really_commits(item):
            item.add_marker(pytest.mark.database)
    left_out = [item for item in items if not _is_usable(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def _is_quick(item: pytest.Item) -> bool:
    if item.get_closest_marker("smoke"):
        return True
    folder = item.path.relative_to(HERE).parts[0] if item.path.is_relative_to(HERE) else ""
    return folder in QUICK_FOLDERS and not any(item.get_closest_marker(name) for name in FULL_RUN_ONLY)


def _is_usable(item: pytest.Item) -> bool:
    """Return whether a test is about the database of this run, and finds the programs that it needs."""
    if connection.vendor == "postgresql":
        # Tests that do not use the database have the same result on every database, and run on SQLite.
        if item.get_closest_marker("sqlite") or not _uses_database(item):
            return False
    elif item.get_closest_marker("postgres"):
        return False
    needed = services.FINDERS.keys() - {"postgres"}
    return all(services.FINDERS[name]() is not None for name in needed if item.get_closest_marker(name))


def _uses_database(item: pytest.Item) -> bool:
    marked = item.get_closest_marker("django_db") or item.get_closest_marker("postgres")
    return bool(marked) or not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


def _really_commits(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    fixtures = {"transactional_db", "live_server"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures or (marker and marker.kwargs.get("transaction")))


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in services.list_skipped():
        terminalreporter.write_line(line)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if _is_worker(session.config) or not services.list_skipped():
        return
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:  # all of them need what is missing
        session.exitstatus = exitstatus = pytest.ExitCode.OK
    if exitstatus == pytest.ExitCode.OK and services.is_all_required():
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
