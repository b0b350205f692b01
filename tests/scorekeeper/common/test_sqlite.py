"""SQLite is set up so that what is acknowledged is on the disk, and writers queue up instead of failing."""

import threading

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections, transaction

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db(transaction=True)]

FULL = 2


@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", FULL), ("foreign_keys", 1)])
def test_a_connection_is_safe_against_a_crash(pragma: str, value: str | int) -> None:
    with connection.cursor() as cursor:
        assert cursor.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_writers_that_read_first_wait_for_each_other_and_lose_nothing() -> None:
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
        except Exception as error:  # noqa: BLE001 - told to the test's own thread
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
