"""Settings and fixtures of all tests, and the choice of the tests that a run can execute.

Terms: a test marked `postgres` or `sqlite` is about that database only. A test marked `redis`, `browser`, `node`,
`cluster`, `deploy`, `poppler` or `hosting` needs that service or those programs. If they are missing, its tests are
deselected, but never silently: the end of the run lists them, and with REQUIRE_ALL=1 the run fails. Tests marked
`hosting` run only if `-m hosting` asks for them. A test that measures a figure of `docs/reliability.md` uses the
fixture `figures` and so gets the mark `figure`; with FAULTS=full it runs in full length.
"""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Collection, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import hypothesis
import pytest
import redis as redis_client
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.db import connection
from django.template import Context, Template
from django.test import TransactionTestCase
from django.utils.safestring import SafeString
from pytest_django.plugin import blocking_manager_key
from xdist.remote import Producer

from scorekeeper.common.static_files import collect_static_files
from tests import guards, saved_fixtures, services
from tests.call_stack import call_in_large_chunk
from tests.database_statements import OPTION, StatementRecording, choose_tests, read_recorded
from tests.demo_data import copy_database, copy_static, make_empty_data
from tests.early_imports import import_share
from tests.faults.figures import Figures
from tests.faults.scale import FULL, scaled
from tests.groups import GroupScheduling, check_groups, includes_browsers, is_long
from tests.memory_folder import move_to_memory
from tests.postgres_template import drop_template, make_template, name_template
from tests.run_times import list_times
from tests.settings import DATA_DIR
from tests.shared_folder import get_shared_folder, open_shared_folder

# The duration of an example depends on the load of the machine, so it must not fail a test.
hypothesis.settings.register_profile("tailgunner", deadline=None, max_examples=scaled(100, 30))
hypothesis.settings.load_profile("tailgunner")


IN_MEMORY = pytest.StashKey[Path | None]()
SHARED = pytest.StashKey[Path]()
PREPARING = pytest.StashKey[Thread]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        OPTION,
        type=Path,
        metavar="FILE",
        help="on SQLite: write which statements each test runs. On PostgreSQL: read that, and leave out tests whose "
        "statements others run",
    )


def pytest_configure(config: pytest.Config) -> None:
    is_worker = hasattr(config, "workerinput")
    if not is_worker:
        is_parallel = bool(config.getoption("numprocesses", None))
        if is_parallel and not FULL:
            config.stash[IN_MEMORY] = move_to_memory()
        config.stash[SHARED] = open_shared_folder()
        if is_parallel:
            _run_in_batches()
            # While the processes collect: later they would wait for the first of them to make it.
            make = make_empty_data if connection.vendor == "sqlite" else make_template
            config.stash[PREPARING] = Thread(target=make)
            config.stash[PREPARING].start()
    file: Path | None = config.getoption(OPTION)
    if file and connection.vendor == "sqlite":
        config.pluginmanager.register(StatementRecording(get_shared_folder(), file, is_worker=is_worker))


def _run_in_batches() -> None:
    """Ask Linux to let this process, and all that it starts, work on while others wake up.

    More processes run than there are cores, and the data of each fill the caches. With fewer switches between them, a
    run takes a twentieth less time.
    """
    if hasattr(os, "SCHED_BATCH"):
        with suppress(PermissionError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def pytest_unconfigure(config: pytest.Config) -> None:
    if PREPARING in config.stash:
        config.stash[PREPARING].join()
        if connection.vendor == "postgresql":
            drop_template()
    if SHARED in config.stash:
        shutil.rmtree(config.stash[SHARED], ignore_errors=True)
    if folder := config.stash.get(IN_MEMORY, None):
        shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    import_share(session.config)


DATABASE_FIXTURES = {"db", "transactional_db", "live_server"}


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return as many processes as there are cores, and one more if tests with browsers are run.

    Those wait for a third of their time. Without them, one process more would only take the caches from the others.
    """
    has_browsers = services.FINDERS["browser"]() is not None and includes_browsers(config.rootpath, config.args)
    return (os.cpu_count() or 1) + has_browsers


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> GroupScheduling:
    return GroupScheduling(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unusable = {"sqlite", "postgres"} - {"sqlite" if connection.vendor == "sqlite" else "postgres"}
    unusable |= {
        name
        for name in ("redis", "browser", "node", "cluster", "deploy", "poppler", "hosting")
        if services.FINDERS[name]() is None
    }
    skipped = {item for item in items if any(item.get_closest_marker(name) for name in unusable)}
    if connection.vendor == "postgresql":
        # Tests that do not use the database have the same result on every database, and run on SQLite.
        usable = [item for item in items if item not in skipped and _is_about_a_database(item)]
        file: Path | None = config.getoption(OPTION)
        chosen = _choose_by_statements(usable, file) if file else {item.nodeid for item in usable}
        skipped = {item for item in items if item in skipped or item.nodeid not in chosen}
    if skipped:
        config.hook.pytest_deselected(items=list(skipped))
        items[:] = [item for item in items if item not in skipped]
    check_groups(items)
    items.sort(key=_rank)
    for item in items:
        if "figures" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.figure)


def pytest_collection_finish() -> None:
    # The collected tests and the loaded program live until the end. Looking for garbage among them after every
    # thousand new objects took a sixth of the CPU time of the page tests.
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


def _rank(item: pytest.Item) -> int:
    """Return when a test runs: the lowest first.

    Tests of the database stay first: a browser's event loop, once started, runs until the end of its process. Of those,
    the ones that really commit stay last, because pytest-django orders them so.
    """
    if _is_about_a_database(item):
        return 0 if not _really_commits(item) else 1 if is_long(item) else 2
    return 3 if is_long(item) else 4


def _choose_by_statements(items: list[pytest.Item], file: Path) -> Collection[str]:
    """Return the ids of the tests whose statements are not all run by others."""
    recorded = read_recorded(file)
    always = {item.nodeid for item in items if item.nodeid not in recorded or _needs_postgres(item)}
    return always | choose_tests(recorded, always, {item.nodeid for item in items} - always)


def _needs_postgres(item: pytest.Item) -> bool:
    """Return whether a test shows what statements alone do not: locks and transactions that meet."""
    return bool(item.get_closest_marker("postgres")) or _really_commits(item)


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


def _is_one_of_several(config: pytest.Config) -> bool:
    """Return whether this process starts with copies of what another process of its run has made."""
    return hasattr(config, "workerinput")


@pytest.fixture(scope="session", autouse=True)
def static_files(pytestconfig: pytest.Config) -> None:
    """Collects the static files as in production, so that a page that names a missing file fails."""
    if _is_one_of_several(pytestconfig):
        copy_static(DATA_DIR, make_template() if connection.vendor == "postgresql" else None)
        # Whatever was imported before may have asked for the URL of a file already.
        assert isinstance(staticfiles_storage, ManifestFilesMixin)
        staticfiles_storage.hashed_files, staticfiles_storage.manifest_hash = staticfiles_storage.load_manifest()
    collect_static_files()


@pytest.fixture(scope="session")
def django_db_keepdb(pytestconfig: pytest.Config, django_db_modify_db_settings: None) -> bool:
    """Start one of several processes with a copy of the database that was migrated for all of them.

    Overrides pytest-django's fixture, which says whether there is a database already.
    """
    if _is_one_of_several(pytestconfig):
        if connection.vendor == "sqlite":
            copy_database(Path(connection.settings_dict["TEST"]["NAME"]))
            return True
        make_template()
        connection.settings_dict["TEST"]["TEMPLATE"] = name_template()
    return bool(pytestconfig.getoption("reuse_db"))


@pytest.fixture(scope="session", autouse=True)
def _record_only_whole_templates(django_test_environment: None) -> Iterator[None]:
    """Lets the test client record the context of each page, and not that of every template that the page includes.

    A page includes up to a hundred, and copying their contexts took a twentieth of the time of the page tests.
    """
    record = vars(Template)["_render"]

    def render(template: Template, context: Context) -> SafeString:
        return record(template, context) if context.template is template else template.nodelist.render(context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(scope="session", autouse=True)
def _empty_only_tables_with_rows(django_test_environment: None) -> Iterator[None]:
    """On SQLite, empties only the tables that a test which really commits has filled, in a fifth of the time."""
    with pytest.MonkeyPatch.context() as patch:
        if connection.vendor == "sqlite":
            patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: guards.empty_tables())
        yield


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


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> object:
    # pytest's own implementation, which is asked no more.
    runner = item.config.pluginmanager.get_plugin("runner")
    assert runner is not None
    return call_in_large_chunk(runner.pytest_runtest_protocol, item, nextitem)


def pytest_runtest_setup() -> None:
    saved_fixtures.start_test()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    yield
    if _really_commits(item) and nextitem is not None:  # after the last test the database no longer exists
        with item.config.stash[blocking_manager_key].unblock():
            guards.install_guards()
