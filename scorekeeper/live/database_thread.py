"""The one thread of a process in which the database is asked on behalf of those who watch, by one connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import Error, connection

P = ParamSpec("P")
T = TypeVar("T")


class DatabaseThread:
    """A thread that does one job after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="live")

    async def run(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what the job returns, or raise what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: _run_job(job, *args, **kwargs))

    def release_connection(self) -> None:
        """Give the connection back, until there is work again."""
        self._thread.submit(_close_connection)

    def stop(self) -> None:
        """Give the connection back and end the thread, once it is done."""
        self.release_connection()
        self._thread.shutdown(wait=False)


def _run_job(job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    try:
        return job(*args, **kwargs)
    except Error:
        # Whatever is wrong with the connection, the next job gets a new one.
        connection.close()
        raise


def _close_connection() -> None:
    connection.close()  # this thread's own: every thread has another
