"""A supervisor that keeps a few processes running together, and stops them together.

Terms: a *child* is one of the processes. It leads a process group of its own: so the processes it starts end with it,
and Ctrl-C reaches only the supervisor, which then stops everything in order.

Invariant: nothing here polls. The supervisor sleeps until a child ends, a signal arrives or a delay has passed.
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
STABLE_AFTER = 30.0  # seconds after which a child counts as stable
STOP_TIMEOUT = 10.0  # seconds that a child has to stop by itself
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>


@dataclass(frozen=True)
class ChildProcess:
    """A process to run: its name in the log, its command line, and the open files that it inherits."""

    name: str
    command: Sequence[str]
    pass_fds: Sequence[int] = ()


async def supervise(children: Sequence[ChildProcess], environment: Mapping[str, str]) -> None:
    """Run the children and restart those that die; return when all have ended after SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await asyncio.gather(*(_keep_running(child, environment, stop) for child in children))


async def _keep_running(child: ChildProcess, environment: Mapping[str, str], stop: asyncio.Event) -> None:
    """Run a child until the stop; wait before each restart, longer each time while it does not become stable."""
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
    """Wait for the first of the events, and cancel the others."""
    tasks = [asyncio.create_task(event) for event in events]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()


async def _stop_child(process: asyncio.subprocess.Process) -> None:
    """Ask a child to stop; kill it if it does not."""
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_TIMEOUT)
    except TimeoutError:
        _kill_group(process)
        await process.wait()


def _kill_group(process: asyncio.subprocess.Process) -> None:
    """Kill what a child may have left behind: a child that was killed cannot stop the processes it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def end_with_parent(parent: int, number: signal.Signals) -> None:
    """Have the calling process sent a signal when its parent process ends (Linux only).

    Args:
        parent: the id of the process that started this one. If it has ended already, the signal is sent at once.
        number: the signal to send.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os.kill(os.getpid(), number)
