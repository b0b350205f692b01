"""The making of a large document, put into the database of a running server at some moment of it."""

from __future__ import annotations

import datetime as dt
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.demo_data import DATABASE

READING = 1  # the step while results are collected
COLUMNS = (
    "id, event_id, contest_id, kind, paper, holder, is_public, step, attempts, problem, file_id, created_at, step_at"
)


def add_print_job(
    data: Path, slug: str, job_id: str, *, is_public: bool, problem: str = "", age: dt.timedelta = dt.timedelta()
) -> None:
    """Add a job that prints the scorecards of a ride's first contest.

    Args:
        data: the folder of the server.
        job_id: as 32 hexadecimal digits.
        age: how long ago it was heard of.
    """
    moment = (dt.datetime.now(dt.UTC) - age).strftime("%Y-%m-%d %H:%M:%S")
    with closing(sqlite3.connect(data / DATABASE, timeout=30)) as database, database:
        (event,) = database.execute("SELECT id FROM events_event WHERE slug = ?", [slug]).fetchone()
        first = "SELECT id FROM events_contest WHERE event_id = ? ORDER BY ordinal, name"
        (contest,) = database.execute(first, [event]).fetchone()
        values = [
            job_id,
            event,
            contest,
            "scorecards",
            "a4",
            None,
            is_public,
            READING,
            0,
            problem,
            None,
            moment,
            moment,
        ]
        marks = ", ".join("?" * len(values))
        database.execute(f"INSERT INTO prints_printjob ({COLUMNS}) VALUES ({marks})", values)
