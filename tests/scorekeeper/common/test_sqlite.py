"""SQLite is set up so that acknowledged data is on disk, and writers queue instead of failing."""

import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection, connections, transaction

from scorekeeper.common.database_unavailable import is_database_unavailable
from scorekeeper.common.sqlite.write_queue import WriteQueue, get_write_queue
from tests.faults.servers import wait_until
from tests.programs import ROOT, TIMEOUT_SECONDS

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db(transaction=True)]

FULL = 2


@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", FULL), ("foreign_keys", 1)])
def test_a_connection_is_safe_against_a_crash(pragma: str, value: str | int) -> None:
    with connection.cursor() as cursor:
        assert cursor.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_writers_that_read_first_wait_for_each_other_and_lose_no_updates() -> None:
    # With a deferred BEGIN, all but one would fail with "database is locked" at their first write.
    user = User.objects.create(username="counter", first_name="0")
    together = threading.Barrier(8)
    failed: list[Exception] = []

    def add_ten() -> None:
        together.wait()
        try:
            for _ in range(10):
                with transaction.atomic():
                    count = int(User.objects.get(pk=user.pk).first_name)
                    User.objects.filter(pk=user.pk).update(first_name=str(count + 1))
        except Exception as error:  # noqa: BLE001 - reported in the test's own thread
            failed.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=add_ten) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    user.refresh_from_db()
    assert failed == []
    assert user.first_name == "80"


def write_queue() -> WriteQueue:
    return get_write_queue(Path(f"{connection.settings_dict['NAME']}-queue"))


def start_writer(write: Callable[[], object]) -> threading.Thread:
    """Start a thread that writes; return once it waits for another writer."""

    def run() -> None:
        try:
            write()
        finally:
            connections.close_all()

    before = len(write_queue()._waiting)
    thread = threading.Thread(target=run)
    thread.start()
    wait_until(lambda: len(write_queue()._waiting) > before, "it waits")
    return thread


def test_transactions_and_single_statements_write_in_the_order_of_arrival() -> None:
    user = User.objects.create(username="counter")
    order: list[int] = []

    def write_by_transaction(number: int) -> None:
        with transaction.atomic():
            order.append(number)

    def write_by_statement(number: int) -> None:
        User.objects.filter(pk=user.pk).update(first_name=str(number))
        order.append(number)

    with transaction.atomic():
        threads = [
            start_writer(lambda number=number, write=write: write(number))  # type: ignore[misc]
            for number, write in enumerate([write_by_transaction, write_by_statement] * 4)
        ]
    for thread in threads:
        thread.join()

    # A single statement is reported after the next writer was woken.
    assert [number for number in order if number % 2 == 0] == [0, 2, 4, 6]
    assert User.objects.get(pk=user.pk).first_name == "7"


def test_a_writer_whose_wait_times_out_gets_an_error_and_delays_nobody() -> None:
    errors: list[Exception] = []

    def write() -> None:
        options = {**connection.settings_dict["OPTIONS"], "timeout": 0.1}
        connection.settings_dict = {**connection.settings_dict, "OPTIONS": options}
        try:
            User.objects.create(username="late")
        except OperationalError as error:
            errors.append(error)

    with transaction.atomic():
        start_writer(write).join()

    assert [is_database_unavailable(error) for error in errors] == [True]
    assert User.objects.create(username="next").pk


def test_a_transaction_that_fails_or_loses_its_connection_releases_the_queue() -> None:
    for lose in (lambda: None, connection.close):
        with suppress(ZeroDivisionError), transaction.atomic():
            lose()
            raise ZeroDivisionError

        assert not write_queue()._is_taken


def test_writers_wait_for_other_processes_but_not_for_killed_ones(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys; from scorekeeper.common.sqlite.write_queue import WriteQueue;"
        "WriteQueue(pathlib.Path(sys.argv[1])).acquire(1); print('mine', flush=True); sys.stdin.read()"
    )
    queue = WriteQueue(tmp_path / "queue")
    done = threading.Event()

    def write() -> None:
        queue.acquire(TIMEOUT_SECONDS)
        done.set()
        queue.release()

    command = [sys.executable, "-c", code, str(tmp_path / "queue")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, **pipes) as other:  # type: ignore[call-overload]
        assert other.stdout.readline() == "mine\n"
        thread = threading.Thread(target=write)
        thread.start()
        wait_until(lambda: queue._is_taken, "it waits")
        assert not done.is_set()
        other.kill()
        assert done.wait(TIMEOUT_SECONDS)
        thread.join()
