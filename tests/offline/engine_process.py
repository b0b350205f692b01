"""The built engine in Node, started once and asked through a pipe."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scorekeeper.offline.engine_build import BUILD_SCRIPTS
from scorekeeper.offline.node import Node


class EngineError(Exception):
    """What was asked raised an error in the engine."""


class Engine:
    """An engine that runs, the milliseconds that it took until it was ready, and whether a snapshot was restored."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        told = self._read()
        self.start_ms: float = told["ms"]
        self.is_restored: bool = told["isRestored"]
        self.last_ms = 0.0

    def call(self, question: str, text: str) -> str:
        """Return what a function of `scorekeeper.offline.phone` answers; `last_ms` is the time it took."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{json.dumps([question, text])}\n")
        self._process.stdin.flush()
        told = self._read()
        self.last_ms = told["ms"]
        if "error" in told:
            raise EngineError(told["error"])
        answer: str = told["answer"]
        return answer

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise EngineError("the engine has stopped")
        told: dict[str, Any] = json.loads(line)
        return told


@contextmanager
def start_engine(home: Path, node: Node, snapshot: Path | None = None) -> Iterator[Engine]:
    """Start the engine that was built into a folder, and stop it at the end.

    Args:
        home: the folder.
        node: what runs it.
        snapshot: the file that keeps the engine's memory for the next start; without it none is kept.
    """
    command = [node.program, BUILD_SCRIPTS / "ask.mjs", home, *([snapshot] if snapshot else [])]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=node.environment
    ) as process:
        try:
            yield Engine(process)
        finally:
            process.kill()
