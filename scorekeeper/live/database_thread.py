"""The thread in which a process queries the database for all its viewers, over one connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import Error, connection

P = ParamSpec("P")
T = TypeVar("T")


class DatabaseThread:
    """A thread that runs one job after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="live")

    async def run(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what the job returns, or raise what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: _run_job(job, *args, **kwargs))

    def release_connection(self) -> None:
        """Close the connection until the next job."""
        self._thread.submit(_close_connection)

    def stop(self) -> None:
        """Close the connection and end the thread, after the current jobs."""
        self.release_connection()
        self._thread.shutdown(wait=False)


def _run_job(job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return job(*args, **kwargs)
    except Error:
        # The connection may be broken, so the next job gets a new one.
        connection.close()
        raise


def _close_connection() -> None:
    connection.close()  # this thread's: Django has one connection per thread
