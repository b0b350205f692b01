"""WSGI servers on loopback, all started alike, so that arms differ in nothing but what they serve."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.cluster.ports import find_port

HOME = Path(__file__).resolve().parents[2]
WORKERS = 8
START_TIMEOUT = 30.0  # seconds until a server must answer


@contextmanager
def serve(application: str, environment: Mapping[str, str], log: Path) -> Iterator[int]:
    """Serve a WSGI application, as `module:name`, with a process for each client; give the port.

    Threads of one process would wait for each other's interpreter at every answer of the database.
    """
    port = find_port()
    command = [sys.executable, "-m", "gunicorn", application, "--bind", f"127.0.0.1:{port}", "--log-level", "error"]
    command += ["--worker-class", "sync", "--workers", str(WORKERS), "--no-control-socket"]
    with log.open("ab") as out:
        server = subprocess.Popen(command, cwd=HOME, env={**os.environ, **environment}, stdout=out, stderr=out)
    try:
        _wait_for(port, server)
        yield port
    finally:
        server.terminate()
        server.wait(START_TIMEOUT)


def run_code(code: str, database: str) -> None:
    """Run a line in a process of its own, since it needs settings of its own."""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=HOME, env={**os.environ, "DATABASE_URL": database})


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_TIMEOUT
    while time.monotonic() < until and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise SystemExit("a server did not start; see its log")
