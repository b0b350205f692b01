"""What a run of the tests uses and leaves out.

Terms: a test marked `postgres` or `sqlite` says something about that database alone; one marked `redis` or `browser`
needs that service. What a run cannot use is deselected, never skipped in silence: the end of the run names it, and
with REQUIRE_ALL=1 fails for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
import redis as redis_client
from django.core.management import call_command
from django.db import connection

from scorekeeper.scorecards import append_only as log
from scorekeeper.standings import append_only as revisions
from tests import services
from tests.settings import PLACE


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unusable = {"sqlite", "postgres"} - {"sqlite" if connection.vendor == "sqlite" else "postgres"}
    unusable |= {name for name in ("redis", "browser") if services.FINDERS[name]() is None}
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in unusable)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for line in services.list_left_out():
        terminalreporter.write_line(line)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if exitstatus == pytest.ExitCode.OK and services.is_all_required() and services.list_left_out():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure() -> None:
    # A worker of a parallel run ends without the usual tidying up.
    PLACE.cleanup()


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The database of a real Redis that this test may empty; for tests marked `redis`."""
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
    """Collects the static files as they are served, so that a page naming a missing one fails."""
    call_command("collectstatic", interactive=False, verbosity=0)


@pytest.fixture(autouse=True)
def _log_can_be_emptied(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that really commits has its tables emptied afterwards, which the guards of log and revisions refuse.

    The guards are up while the test runs, and down only while pytest-django clears away after it.
    """
    marker = request.node.get_closest_marker("django_db")
    commits = {"transactional_db", "live_server"} & set(request.fixturenames)
    if not commits and not (marker and marker.kwargs.get("transaction")):
        yield
        return
    request.getfixturevalue("transactional_db")
    _run([*log.guard_statements(connection.vendor), *revisions.guard_statements(connection.vendor)])
    yield
    _run([*log.unguard_statements(connection.vendor), *revisions.unguard_statements(connection.vendor)])


def _run(statements: Sequence[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
