"""Jobs that a process repeats."""

from __future__ import annotations

import datetime as dt
from io import StringIO
from itertools import count

import pytest
import time_machine
from django.db import OperationalError

from scorekeeper.common.periodic_jobs import PeriodicJob, run_periodically

pytestmark = [pytest.mark.django_db, pytest.mark.database]

PAUSE = 0.01  # seconds


class Enough(BaseException):
    """The test has seen enough. A BaseException, like the end of a process, so that no job handles it."""


class Calls:
    """A job that counts its calls and stops the test after enough of them."""

    def __init__(self, enough: int, error: Exception | None = None) -> None:
        self.number = 0
        self._enough = enough
        self._error = error

    def __call__(self) -> None:
        self.number += 1
        if self.number == self._enough:
            raise Enough
        if self._error is not None:
            raise self._error


@pytest.mark.parametrize("hours", [-48, 48])
def test_setting_the_clock_forward_or_back_stops_no_job(hours: int) -> None:
    steps = count()
    with time_machine.travel(dt.datetime(2026, 6, 20, tzinfo=dt.UTC)) as clock:

        def put_clock() -> None:
            clock.shift(dt.timedelta(hours=hours))
            if next(steps) == 3:
                raise Enough

        with pytest.raises(Enough):
            run_periodically([PeriodicJob("look", PAUSE, put_clock)])


def test_a_rare_job_does_not_delay_a_frequent_one() -> None:
    seldom, often = Calls(enough=2), Calls(enough=5)

    with pytest.raises(Enough):
        run_periodically([PeriodicJob("seldom", 60, seldom), PeriodicJob("often", PAUSE, often)])

    assert (seldom.number, often.number) == (1, 5)


def test_a_job_that_fails_is_logged_and_retried_and_stops_no_other(log_lines: StringIO) -> None:
    failing, other = Calls(enough=0, error=ValueError("no luck")), Calls(enough=3)

    with pytest.raises(Enough):
        run_periodically([PeriodicJob("unlucky", PAUSE, failing), PeriodicJob("other", PAUSE, other)])

    assert failing.number >= 2
    assert "job_failed" in log_lines.getvalue()
    assert "ValueError: no luck" in log_lines.getvalue()


def test_while_the_database_is_unavailable_a_job_logs_one_line_and_continues(log_lines: StringIO) -> None:
    with pytest.raises(Enough):
        run_periodically(
            [
                PeriodicJob("look", PAUSE, Calls(enough=100, error=OperationalError("gone"))),
                PeriodicJob("end", PAUSE, Calls(3)),
            ]
        )

    assert "database_unavailable" in log_lines.getvalue()
    assert "Traceback" not in log_lines.getvalue()
