"""The time after which a calculation gives up: processor time of its thread, and nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from games.core.odds import Wanted
from games.core.time_limit import CLOCK, OutOfTime, TimeLimit, find_clock


class Clock:
    """A clock that is set by hand, for each thread."""

    def __init__(self) -> None:
        self._now = threading.local()

    def __call__(self) -> float:
        return getattr(self._now, "seconds", 0.0)

    def add(self, seconds: float) -> None:
        self._now.seconds = self() + seconds


def run_in_thread(work: Callable[[], None]) -> list[BaseException]:
    """Run the work in a thread of its own; return what it raised."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except OutOfTime as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return raised


def test_it_gives_up_once_more_than_the_time_is_used() -> None:
    clock = Clock()
    limit = TimeLimit(5, clock)
    clock.add(5)
    limit.check()
    clock.add(0.1)
    with pytest.raises(OutOfTime):
        limit.check()


def test_time_in_which_the_thread_does_not_calculate_does_not_count() -> None:
    """A busy machine lets a thread wait, which is the same for its clock as sleeping."""
    limit = TimeLimit(0.2)
    time.sleep(0.5)
    limit.check()


def test_time_in_which_it_calculates_counts() -> None:
    limit = TimeLimit(0.05)

    def calculate() -> None:
        while True:
            limit.check()

    with pytest.raises(OutOfTime):
        calculate()


def test_what_other_threads_use_does_not_count() -> None:
    limit = TimeLimit(0.2)
    before = time.process_time()

    def calculate() -> None:
        while time.process_time() < before + 0.5:
            pass

    run_in_thread(calculate)
    limit.check()


def test_another_thread_that_checks_the_limit_has_all_of_its_time() -> None:
    clock = Clock()
    clock.add(1000)
    limit = TimeLimit(5, clock)

    def calculate() -> None:
        limit.check()  # its clock is far behind the first one's
        clock.add(5)
        limit.check()
        clock.add(1)
        limit.check()

    assert len(run_in_thread(calculate)) == 1
    limit.check()


def test_a_question_without_a_limit_of_its_own_has_the_clock_of_its_thread() -> None:
    assert CLOCK is time.thread_time
    assert Wanted().limit._clock is time.thread_time


@pytest.mark.parametrize("problem", [None, OSError, RuntimeError])
def test_where_no_thread_has_a_clock_it_is_time_on_the_wall(
    monkeypatch: pytest.MonkeyPatch, problem: type[Exception] | None
) -> None:
    """So it is in some browsers."""

    def fail() -> float:
        assert problem is not None
        raise problem

    if problem is None:
        monkeypatch.delattr(time, "thread_time")
    else:
        monkeypatch.setattr(time, "thread_time", fail)
    assert find_clock() is time.monotonic
