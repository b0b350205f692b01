"""Keeping a few processes alive together, and ending them together.

Terms: a *child* is one of the processes; it leads a process group of its own, so that what it starts ends with it, and
so that Ctrl-C reaches the supervisor alone, which then ends everything in order.
Invariant: nothing here polls; the supervisor sleeps until a child ends, a signal comes or a pause is over.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog

log = structlog.get_logger("tailgunner.serve")

MIN_RESTART_DELAY = 0.2
MAX_RESTART_DELAY = 10.0
STABLE_AFTER = 30.0  # seconds after which a child counts as well again
STOP_TIMEOUT = 10.0  # seconds a child has for ending by itself
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


@dataclass(frozen=True)
class ChildProcess:
    """What to run: a name for the log, the command line, and open files it is to inherit."""

    name: str
    command: Sequence[str]
    pass_fds: Sequence[int] = ()


async def supervise(children: Sequence[ChildProcess], environment: Mapping[str, str]) -> None:
    """Run the children, start again whichever dies, and return once SIGINT or SIGTERM came and all have ended."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await asyncio.gather(*(_keep_running(child, environment, stop) for child in children))


async def _keep_running(child: ChildProcess, environment: Mapping[str, str], stop: asyncio.Event) -> None:
    """Run one child until the stop; pause before each new start, longer while it dies young."""
    loop = asyncio.get_running_loop()
    pause = MIN_RESTART_DELAY
    while not stop.is_set():
        started = loop.time()
        process = await asyncio.create_subprocess_exec(
            *child.command,
            env=environment,
            pass_fds=child.pass_fds,
            stdin=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=partial(end_with_parent, os.getpid(), signal.SIGTERM),
        )
        log.info("started", child=child.name, pid=process.pid)
        await _wait_for_first(process.wait(), stop.wait())
        if process.returncode is None:
            await _stop_child(process)
        _kill_group(process)
        if stop.is_set():
            break
        if loop.time() - started > STABLE_AFTER:
            pause = MIN_RESTART_DELAY
        log.warning("died", child=child.name, pid=process.pid, status=process.returncode, again_in=pause)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), pause)
        pause = min(pause * 2, MAX_RESTART_DELAY)
    log.info("stopped", child=child.name)


async def _wait_for_first(*events: Coroutine[Any, Any, object]) -> None:
    """Wait for whichever comes first, and forget the others."""
    tasks = [asyncio.create_task(event) for event in events]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()


async def _stop_child(process: asyncio.subprocess.Process) -> None:
    """Ask a child to end; take it down when it does not."""
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_TIMEOUT)
    except TimeoutError:
        _kill_group(process)
        await process.wait()


def _kill_group(process: asyncio.subprocess.Process) -> None:
    """End what a child may have left behind: one that was killed cannot take along what it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def end_with_parent(parent: int, number: signal.Signals) -> None:
    """Let the process that calls this be sent a signal when the one that started it is gone (Linux).

    Args:
        parent: the process that started this one. It may be gone already, and is then not waited for.
        number: what is sent.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os.kill(os.getpid(), number)
