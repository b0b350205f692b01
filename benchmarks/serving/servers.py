"""WSGI servers on loopback, all started in the same way, so that arms differ only in the application."""

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

ROOT = Path(__file__).resolve().parents[2]
WORKERS = 8
START_TIMEOUT = 30.0  # seconds until a server must accept connections


@contextmanager
def serve(application: str, environment: Mapping[str, str], log: Path) -> Iterator[int]:
    """Serve a WSGI application, given as `module:name`, with a process for each client; yield the port.

    Threads of one process would compete for the interpreter lock after every database response.
    """
    port = find_port()
    command = [sys.executable, "-m", "gunicorn", application, "--bind", f"127.0.0.1:{port}", "--log-level", "error"]
    command += ["--worker-class", "sync", "--workers", str(WORKERS), "--no-control-socket"]
    with log.open("ab") as out:
        server = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment}, stdout=out, stderr=out)
    try:
        _wait_for(port, server)
        yield port
    finally:
        server.terminate()
        server.wait(START_TIMEOUT)


def run_code(code: str, database: str) -> None:
    """Run a line of code in a separate process, since it needs other settings."""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, env={**os.environ, "DATABASE_URL": database})


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
