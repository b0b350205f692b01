"""A program that a test runs: it can be started, stopped, killed and frozen, and its output is read.

Invariants:
- It counts as started when it writes its line that says so.
- It leads a process group, so that its children end with it.
- It is stopped by its process id only.
- It does not outlive the test.
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
    """A program, which can be restarted.

    Attributes:
        name: its name in tests.
        lines: all lines it has ever written, in all runs.
        output_condition: notified of every line and of the program's end; programs may share one.
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
        """Args: ready: the pattern of the line that says it is ready; user: the user to run it as, if another one."""
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
        """Everything it has ever written."""
        return "".join(self.lines)

    def start(self) -> None:
        """Start it and return when it is ready."""
        self.launch()
        self.wait_until_ready()

    def launch(self, **variables: str) -> None:
        """Start it without waiting; the variables are in its environment for this run only."""
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
            # Nothing else runs in the child before the program.
            preexec_fn=partial(end_with_parent, os.getpid(), signal.SIGTERM),  # noqa: PLW1509
        )
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()

    def wait_until_ready(self) -> None:
        """Return when it has written its ready line in this run."""
        self.wait_for(self._ready, self._life)

    def wait_for(self, pattern: str | re.Pattern[str], since: int = 0) -> re.Match[str]:
        """Return the match of a line after the first `since` lines, once there is one."""
        compiled = re.compile(pattern)
        found: list[re.Match[str]] = []

        def is_there() -> bool:
            found[:] = filter(None, map(compiled.search, self.lines[since:]))
            return bool(found) or not self.is_running

        with self.output_condition:
            self.output_condition.wait_for(is_there, TIMEOUT_SECONDS)
        assert found, f"{self.name} never wrote {compiled.pattern!r}:\n{self.log[-6000:]}"
        return found[0]

    def stop(self, by: signal.Signals | None = None) -> None:
        """Send it its stop signal, or another, and wait until it and its children have ended."""
        self.signal(by or self._stop_by)
        self._wait()

    def ask_to_end(self) -> None:
        """Send it its stop signal, without waiting."""
        self.signal(self._stop_by)

    def kill(self) -> None:
        """Kill it and its children, without warning."""
        group = os.getpgid(self.pid)
        assert group == self.pid
        os.killpg(group, signal.SIGKILL)
        self._wait()

    def freeze(self) -> None:
        """Pause it, with its connections open."""
        os.killpg(self.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it continue."""
        os.killpg(self.pid, signal.SIGCONT)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the program itself."""
        os.kill(self.pid, number)

    def end(self) -> None:
        """Make sure that it does not run, in whatever state it is; send its stop signal if it still runs."""
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
        # The reader ends when all processes that hold the pipe have ended.
        self._reader.join(TIMEOUT_SECONDS)
        assert not self._reader.is_alive(), f"{self.name} left a process behind"
