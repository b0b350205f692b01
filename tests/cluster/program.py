"""A program that runs beside the test: started, stopped, killed, frozen, and heard.

Invariants: it is started when it says that it is ready, in a line of its own words; it leads a process group, so that
what it starts goes with it; it is ended by its process id and by nothing else; it does not outlive the test.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from scorekeeper.common.supervisor import end_with_parent
from tests.programs import ROOT

TIMEOUT_SECONDS = 120  # seconds; many programs start at once, on a machine that may have other things to do


class Program:
    """One program, which may be started again and again.

    Attributes:
        name: what tests call it.
        lines: everything it ever wrote, its earlier lives included.
        said: notified of every line and of its end; programs may share one.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        ready: str,
        *,
        variables: Mapping[str, str] | None = None,
        user: str | None = None,
        stop_by: signal.Signals = signal.SIGTERM,
    ) -> None:
        """Args: ready: a pattern of the line by which it says that it is ready; user: who runs it, if someone else."""
        self.output_condition = threading.Condition()
        self.name = name
        self.lines: list[str] = []
        self._command = [str(part) for part in command]
        self._ready = re.compile(ready)
        self._variables = dict(variables or os.environ)
        self._user = user
        self._stop_by = stop_by
        self._life = 0
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    @property
    def pid(self) -> int:
        """Its process id while it runs."""
        assert self._process is not None, f"{self.name} does not run"
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> str:
        """Everything it ever wrote."""
        return "".join(self.lines)

    def start(self) -> None:
        """Start it and return when it says that it is ready."""
        self.launch()
        self.wait_until_ready()

    def launch(self, **variables: str) -> None:
        """Start it without waiting; the variables are in its environment for this life alone."""
        assert not self.is_running, f"{self.name} runs already"
        self._life = len(self.lines)
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            env=self._variables | variables,
            user=self._user,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            # Nothing else runs in the child before it is the program.
            preexec_fn=partial(end_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509
        )
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()

    def wait_until_ready(self) -> None:
        """Return when it has said, since it was started last, that it is ready."""
        self.wait_for(self._ready, self._life)

    def wait_for(self, pattern: str | re.Pattern[str], since: int = 0) -> re.Match[str]:
        """Return once a line fits that came after the first `since` lines."""
        wanted = re.compile(pattern)
        found: list[re.Match[str]] = []

        def is_there() -> bool:
            found[:] = filter(None, map(wanted.search, self.lines[since:]))
            return bool(found) or not self.is_running

        with self.output_condition:
            self.output_condition.wait_for(is_there, TIMEOUT_SECONDS)
        assert found, f"{self.name} never said {wanted.pattern!r}:\n{self.log[-6000:]}"
        return found[0]

    def stop(self, by: signal.Signals | None = None) -> None:
        """Ask it to end, by a signal of its own or another, and wait until it and all it started have."""
        self.signal(by or self._stop_by)
        self._wait()

    def ask_to_end(self) -> None:
        """Ask it to end, without waiting."""
        self.signal(self._stop_by)

    def kill(self) -> None:
        """Take it down with all it started, without a word."""
        with_all = os.getpgid(self.pid)
        assert with_all == self.pid
        os.killpg(with_all, signal.SIGKILL)
        self._wait()

    def freeze(self) -> None:
        """Hold it still, with its connections open."""
        os.killpg(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        os.killpg(self.pid, signal.SIGCONT)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program itself."""
        os.kill(self.pid, number)

    def end(self) -> None:
        """Make sure that it does not run, whatever was done to it. It has been asked to end, or is asked now."""
        if not self.is_running:
            return
        self.thaw()
        try:
            self.stop()
        except subprocess.TimeoutExpired:
            self.kill()

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                with self.output_condition:
                    self.lines.append(line)
                    self.output_condition.notify_all()
        with self.output_condition:
            process.wait()
            self.output_condition.notify_all()

    def _wait(self) -> None:
        assert self._process is not None
        assert self._reader is not None
        self._process.wait(TIMEOUT_SECONDS)
        # Whoever still holds the other end keeps the reader; it is over when all have ended.
        self._reader.join(TIMEOUT_SECONDS)
        assert not self._reader.is_alive(), f"{self.name} left somebody behind"
