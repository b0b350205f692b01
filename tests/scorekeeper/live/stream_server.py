"""A web server of its own on the tests' database, and whoever watches a stream of it."""

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
        """Send a request and return the answer, whose body may still be coming."""
        return self._call(path, method, headers)[1]

    def open_stream(self, path: str, last_id: str = "") -> StreamReader:
        """Open a stream."""
        return StreamReader(*self._call(path, "GET", {"Last_Event_ID": last_id} if last_id else {}))

    def _call(self, path: str, method: str, headers: dict[str, str]) -> ConnectionAndResponse:
        caller = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)
        caller.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        self._calls.append((caller, caller.getresponse()))
        return self._calls[-1]

    def count_threads(self) -> int:
        """Return how many threads the process has (Linux)."""
        return len(list(Path(f"/proc/{self.process.pid}/task").iterdir()))

    def count_connections(self) -> int:
        """Return how many connections to the database the process has (Linux, for a SQLite)."""
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
        """End it, and return how many seconds it took."""
        start = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(TIMEOUT_SECONDS)
        self._reader.join(TIMEOUT_SECONDS)
        return time.monotonic() - start

    def close_connections(self) -> None:
        """Close whatever was asked."""
        for caller, answer in self._calls:
            answer.close()
            caller.close()
        self._calls.clear()

    def reset(self) -> None:
        """Leave it as it was when it had just been started: nobody watches, and it has not written anything."""
        self.close_connections()
        wait_until(lambda: self.count_connections() == 0, "nobody watches any more")
        self.lines.clear()

    def _read(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.lines.append(line)


class StreamReader:
    """Somebody who reads a stream."""

    def __init__(self, caller: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> None:
        self.caller = caller
        self.answer = answer
        self.last_id = ""

    def read(self) -> tuple[str, str]:
        """Return the next event, its name and its data; two empty texts at the end."""
        name = data = ""
        while line := self.answer.readline().decode():
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
        """Return the events up to the one with these words in its data."""
        seen: list[tuple[str, str]] = []
        while True:
            event = self.read()
            assert event[0], f"{words!r} never came: {seen}"
            seen.append(event)
            if words in event[1]:
                return seen

    def close(self) -> None:
        """Close the connection."""
        self.answer.close()
        self.caller.close()


def _read_link(link: Path) -> str:
    """Return where a link of a process leads; "" where it has closed the file meanwhile."""
    try:
        return str(link.readlink())
    except FileNotFoundError:
        return ""


def wait_until(holds: object, what: str) -> None:
    """Wait until it holds what no event would tell."""
    assert callable(holds)
    last = time.monotonic() + TIMEOUT_SECONDS
    while not holds():
        assert time.monotonic() < last, f"waited for {what}"
        time.sleep(0.02)


@contextmanager
def serve(**variables: str) -> Iterator[StreamServer]:
    """Run a web server on the database of the tests. What they are to see of each other has to be committed."""
    name = connection.settings_dict["NAME"]
    url = f"sqlite:///{name}"
    if connection.vendor != "sqlite":
        url = urlsplit(find_postgres() or "")._replace(path=f"/{name}").geturl()
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--timeout-graceful-shutdown=5"]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        # Every connection gets it from here: whoever stops reading is noticed soon.
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
