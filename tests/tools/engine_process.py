"""The built engine in Node, started once and called through a pipe."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tools.phone_engine.engine_build import BUILD_SCRIPTS
from tools.phone_engine.node import Node


class EngineError(Exception):
    """A call raised an error in the engine."""


class Engine:
    """A running engine, with its process id, its start time in milliseconds and whether a snapshot was restored."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.pid = process.pid
        reply = self._read()
        self.start_ms: float = reply["ms"]
        self.is_restored: bool = reply["isRestored"]
        self.last_ms = 0.0

    def call(self, name: str, text: str) -> str:
        """Call a function of `scorekeeper.offline.phone` and return its result; `last_ms` is the duration."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{json.dumps([name, text])}\n")
        self._process.stdin.flush()
        reply = self._read()
        self.last_ms = reply["ms"]
        if "error" in reply:
            raise EngineError(reply["error"])
        answer: str = reply["answer"]
        return answer

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise EngineError("the engine has stopped")
        reply: dict[str, Any] = json.loads(line)
        return reply


@contextmanager
def start_engine(home: Path, node: Node, snapshot: Path | None = None) -> Iterator[Engine]:
    """Start the engine of a build, and stop it at the end.

    Args:
        home: the folder of the build.
        node: the Node that runs it.
        snapshot: a file for a snapshot of the engine's memory, for the next start.
    """
    command = [node.program, BUILD_SCRIPTS / "run_engine.mjs", home, *([snapshot] if snapshot else [])]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=node.environment
    ) as process:
        try:
            yield Engine(process)
        finally:
            process.kill()
