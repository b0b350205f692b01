"""A separate web server on the tests' database, and readers of its streams."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.db import connection

from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment
from tests.services import find_postgres
from tests.settings import TEMPORARY_FOLDER

ConnectionAndResponse = tuple[http.client.HTTPConnection, http.client.HTTPResponse]


class StreamServer:
    """A running uvicorn.

    Attributes:
        lines: what it has written so far.
    """

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port
        self.lines: list[str] = []
        self._calls: list[ConnectionAndResponse] = []
        assert process.stdout is not None
        self._reader = threading.Thread(target=self._read, args=(process.stdout,), daemon=True)
        self._reader.start()

    def request(self, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
        """Send a request and return the response, whose body may still be arriving."""
        return self._call(path, method, headers)[1]

    def open_stream(self, path: str, last_id: str = "", **headers: str) -> StreamReader:
        """Open a stream."""
        last = {"Last_Event_ID": last_id} if last_id else {}
        return StreamReader(*self._call(path, "GET", {**last, **headers}))

    def _call(self, path: str, method: str, headers: dict[str, str]) -> ConnectionAndResponse:
        caller = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)
        caller.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        self._calls.append((caller, caller.getresponse()))
        return self._calls[-1]

    def count_threads(self) -> int:
        """Return how many threads the process has (Linux)."""
        return len(list(Path(f"/proc/{self.process.pid}/task").iterdir()))

    def count_connections(self) -> int:
        """Return how many database connections the process has (with SQLite, on Linux only)."""
        if connection.vendor == "sqlite":
            file = str(Path(connection.settings_dict["NAME"]).resolve())
            return sum(_read_link(link) == file for link in Path(f"/proc/{self.process.pid}/fd").iterdir())
        with connection.cursor() as cursor:
            # Nobody but this server and the test itself uses the database.
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            return int(cursor.fetchone()[0])

    def wait_for_line(self, words: str) -> None:
        """Wait until it has written a line with these words."""
        wait_until(lambda: any(words in line for line in self.lines), words)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """Stop the server, and return how many seconds it took."""
        start = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(TIMEOUT_SECONDS)
        self._reader.join(TIMEOUT_SECONDS)
        return time.monotonic() - start

    def close_connections(self) -> None:
        """Close the connections of all requests."""
        for caller, response in self._calls:
            response.close()
            caller.close()
        self._calls.clear()

    def reset(self) -> None:
        """Reset it to its state after the start: without viewers and without output."""
        self.close_connections()
        wait_until(lambda: self.count_connections() == 0, "all connections are closed")
        self.lines.clear()

    def _read(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.lines.append(line)


class StreamReader:
    """A client that reads a stream."""

    def __init__(self, caller: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self.caller = caller
        self.response = response
        self.last_id = ""

    def read(self) -> tuple[str, str]:
        """Return the name and the data of the next event; two empty strings at the end."""
        name = data = ""
        while line := self.response.readline().decode():
            field, _colon, value = line.rstrip("\n").partition(": ")
            if field == "id":
                self.last_id = value
            elif field == "event":
                name = value
            elif field == "data":
                data = value
            elif not field and name:
                return name, data
        return "", ""

    def read_until(self, words: str) -> list[tuple[str, str]]:
        """Return the events up to the first with these words in its data."""
        seen: list[tuple[str, str]] = []
        while True:
            event = self.read()
            assert event[0], f"{words!r} never came: {seen}"
            seen.append(event)
            if words in event[1]:
                return seen

    def close(self) -> None:
        """Close the connection."""
        self.response.close()
        self.caller.close()


def _read_link(link: Path) -> str:
    """Return the target of a process's link, or "" if the process has closed the file in the meantime."""
    try:
        return str(link.readlink())
    except FileNotFoundError:
        return ""


def wait_until(holds: object, what: str) -> None:
    """Poll until the condition is true, for conditions that no event reports."""
    assert callable(holds)
    last = time.monotonic() + TIMEOUT_SECONDS
    while not holds():
        assert time.monotonic() < last, f"waited for {what}"
        time.sleep(0.02)


@contextmanager
def serve(**variables: str) -> Iterator[StreamServer]:
    """Run a web server on the tests' database. Server and tests see only each other's committed changes."""
    name = connection.settings_dict["NAME"]
    url = f"sqlite:///{name}"
    if connection.vendor != "sqlite":
        url = urlsplit(find_postgres() or "")._replace(path=f"/{name}").geturl()
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--timeout-graceful-shutdown=5"]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        # Inherited by every connection: a small buffer, so that a client that stops reading is noticed soon.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)
        port = listener.getsockname()[1]
        process = subprocess.Popen(
            [*command, f"--fd={listener.fileno()}", "--no-access-log"],
            cwd=ROOT,
            env=make_environment(Path(TEMPORARY_FOLDER.name), DATABASE_URL=url, **variables),
            pass_fds=[listener.fileno()],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    assert process.stdout is not None
    server = StreamServer(process, port)
    try:
        assert server.request("/healthz").status == 200
        yield server
    finally:
        server.stop(signal.SIGKILL)
        server.close_connections()
        process.stdout.close()
