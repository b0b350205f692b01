"""How a web process stops: gunicorn with the settings of deploy/, and what of gunicorn they depend on."""

from __future__ import annotations

import os
import signal
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cluster.ports import find_port
from tests.cluster.program import Program
from tests.programs import ROOT

ANSWER_SECONDS = 20
ANSWERS = """
def application(environ, start_response):
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]
"""


@pytest.mark.program
def test_a_worker_that_stops_answers_everyone_who_is_connected(tmp_path: Path) -> None:
    """gunicorn's own worker answers none of them. After an upgrade, compare its ThreadWorker with ours."""
    (tmp_path / "answers.py").write_text(ANSWERS)
    port = find_port()
    options: list[str | Path] = ["-c", ROOT / "deploy" / "gunicorn.conf.py", "--pythonpath", tmp_path]
    command = [sys.executable, "-m", "gunicorn", *options, "--bind", f"127.0.0.1:{port}", "answers"]
    gunicorn = Program("gunicorn", command, "Ready to answer")
    gunicorn.start()
    try:
        worker = int(gunicorn.wait_for(r"Booting worker with pid: (\d+)")[1])
        gunicorn.freeze()  # so that clients wait, connected and not accepted, and no other worker takes them
        with ExitStack() as stack:
            address = ("127.0.0.1", port)
            clients = [stack.enter_context(socket.create_connection(address, ANSWER_SECONDS)) for _ in range(20)]
            for client in clients:
                client.sendall(b"GET / HTTP/1.0\r\n\r\n")
            os.kill(worker, signal.SIGTERM)
            os.kill(worker, signal.SIGCONT)

            assert {client.recv(100).split()[1] for client in clients} == {b"200"}
    finally:
        gunicorn.end()
