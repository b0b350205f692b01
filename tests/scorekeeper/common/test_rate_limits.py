"""Counting in the database, by several processes at once, and counting reads in batches."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from scorekeeper.common import read_limits
from scorekeeper.common.models import UseCount
from scorekeeper.common.rate_limits import (
    RateLimit,
    RateLimited,
    clear_uses,
    count_use,
    delete_expired_counts,
    give_back_use,
)
from scorekeeper.common.read_limits import BATCHES, ReadCounter, clear_read_counts, count_read
from tests.scorekeeper.statements import list_statements

pytestmark = [pytest.mark.django_db, pytest.mark.database]

LIMIT = RateLimit("test", 3, 60)
READS = RateLimit("reads", 200, 60)
NOW = 1_795_000_000.0


@pytest.fixture(autouse=True)
def _no_reads_of_other_tests() -> Iterator[None]:
    clear_read_counts()
    yield
    clear_read_counts()


def use(times: int, subject: str = "one", now: float = NOW, limit: RateLimit = LIMIT) -> None:
    for _time in range(times):
        count_use(limit, subject, now)


def test_once_too_often_says_how_long_to_wait() -> None:
    use(2)
    use(1, now=NOW + 10)
    with pytest.raises(RateLimited) as refused:
        use(1, now=NOW + 20.5)
    assert refused.value.wait == 40
    use(2, now=NOW + 60)
    with pytest.raises(RateLimited) as refused:
        use(1, now=NOW + 60)
    assert refused.value.wait == 10


def test_what_is_refused_does_not_extend_the_wait() -> None:
    use(3)
    for second in range(60):
        with pytest.raises(RateLimited):
            use(1, now=NOW + second)
    use(3, now=NOW + 60)


def test_each_subject_and_each_name_is_counted_by_itself() -> None:
    use(3, "one")
    use(3, "two")
    use(1, "two", limit=RateLimit("other", 1, 60))
    with pytest.raises(RateLimited):
        use(1, "two")


def test_zero_is_no_limit() -> None:
    use(50, limit=RateLimit("test", 0, 60))
    assert not UseCount.objects.exists()


def test_a_use_can_be_given_back_and_counting_can_start_anew() -> None:
    use(3)
    assert give_back_use(LIMIT, "one", NOW)
    use(1)
    with pytest.raises(RateLimited):
        use(1)
    clear_uses(LIMIT, "one")
    assert not give_back_use(LIMIT, "one", NOW)
    use(3)


def test_a_transaction_that_is_rolled_back_has_counted_nothing() -> None:
    with transaction.atomic():
        use(3)
        transaction.set_rollback(True)
    use(3)


def test_a_row_identifies_nobody_and_is_deleted_when_it_has_expired() -> None:
    count_use(LIMIT, "203.0.113.7")
    use(1, "long ago")
    assert "203.0.113" not in str(UseCount.objects.values())
    assert {len(row.key) for row in UseCount.objects.all()} == {64}
    UseCount.objects.filter(pk=UseCount.objects.order_by("expires_at")[0].pk).update(expires_at="2026-01-01T00:00Z")

    delete_expired_counts()

    assert UseCount.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_uses_at_the_same_moment_count_each_other() -> None:
    start, outcomes = threading.Barrier(6), []

    def run() -> None:
        start.wait()
        try:
            count_use(LIMIT, "one")
            outcomes.append("accepted")
        except RateLimited:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["accepted"] * 3 + ["refused"] * 3


class TestReads:
    def test_the_limit_holds_and_says_how_long_to_wait(self) -> None:
        for _read in range(READS.most):
            count_read(READS, "one", NOW)
        with pytest.raises(RateLimited) as refused:
            count_read(READS, "one", NOW + 15)
        assert refused.value.wait == 45
        count_read(READS, "two", NOW + 15)
        count_read(READS, "one", NOW + 60)

    def test_most_reads_take_no_statement(self) -> None:
        with CaptureQueriesContext(connection) as queries:
            for _read in range(READS.most // BATCHES - 1):
                count_read(READS, "one", NOW)
            assert list_statements(queries) == []
            count_read(READS, "one", NOW)
        assert len(list_statements(queries)) == 4, "there is no row yet"
        with CaptureQueriesContext(connection) as queries:
            for _read in range(READS.most // BATCHES):
                count_read(READS, "one", NOW)
        assert list_statements(queries) == ["SELECT common_usecount", "UPDATE common_usecount"]

    def test_refused_reads_take_no_statement(self) -> None:
        for _read in range(READS.most):
            count_read(READS, "one", NOW)
        with CaptureQueriesContext(connection) as queries:
            for _read in range(50):
                with pytest.raises(RateLimited):
                    count_read(READS, "one", NOW)
        assert list_statements(queries) == []

    @pytest.mark.parametrize("seed", range(4))
    def test_processes_together_let_through_a_batch_each_beyond_the_limit(self, seed: int) -> None:
        chance = random.Random(seed)
        processes = [ReadCounter() for _process in range(4)]
        now, accepted = NOW, []
        for _read in range(2_500):
            now += chance.choice((0, 0, 0.01, 0.1))
            try:
                chance.choice(processes).count(READS, "one", now)
                accepted.append(now)
            except RateLimited:
                pass
        most = READS.most + len(processes) * READS.most // BATCHES
        assert len(accepted) > READS.most
        assert all(end - begin >= READS.window for begin, end in zip(accepted, accepted[most:], strict=False))

    def test_a_small_limit_is_exact_across_processes(self) -> None:
        few = RateLimit("reads", 5, 60)
        for _read in range(5):
            ReadCounter().count(few, "one", NOW)
        with pytest.raises(RateLimited):
            ReadCounter().count(few, "one", NOW)

    def test_a_process_remembers_no_more_subjects_than_it_has_room_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(read_limits, "MAX_SUBJECTS", 5)
        counter = ReadCounter()
        for number in range(50):
            counter.count(READS, str(number), NOW)
        assert len(counter._counts) == 5
