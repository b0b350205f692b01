"""The program as in production: `manage.py serve`, its web server and its worker, on a free port.

Invariant: no part of the program is replaced; tests use it through the browser and its commands.
"""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from django.contrib.auth.hashers import PBKDF2PasswordHasher

from tests.demo_data import DATABASE, NO_TABLES, DemoRide, LoadedRides, copy_data, read_account, read_ride
from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment

READY = re.compile(r"Tailgunner is at (http://\S+?)/ ")
# A fault in the program shows in its output, whatever the browser made of it. An unfinished request of a browser at
# the time the program is stopped is no fault.
FAULT = re.compile(r"\[(error|critical) (?!.*timeout graceful shutdown exceeded)")
ADD_ACCOUNT = """INSERT INTO auth_user
(username, password, is_superuser, is_staff, is_active, first_name, last_name, email, date_joined)
VALUES (?, ?, 0, 0, 1, '', '', '', CURRENT_TIMESTAMP)"""


class RunningServer:
    """A running program.

    Attributes:
        url: its own URL, without a slash at the end.
        port: the port it listens on.
        data: the folder of its data.
        variables: the environment it was started with.
        pid: the process that restarts its children.
        lines: the output of all processes so far.
        organiser: name and password of the demo's organiser, once a ride is loaded.
    """

    def __init__(
        self, url: str, port: int, data: Path, variables: Mapping[str, str], pid: int, lines: list[str]
    ) -> None:
        self.url = url
        self.port = port
        self.data = data
        self.variables = variables
        self.pid = pid
        self.lines = lines
        self.rides: dict[str, DemoRide] = {}
        self.organiser = ("", "")
        self._unused: dict[str, list[DemoRide]] = {}

    def add_loaded_rides(self, loaded: LoadedRides) -> None:
        """Offer the rides that were in the data before the start."""
        self.organiser = loaded.organiser
        self._unused = {point: list(rides) for point, rides in loaded.rides.items()}

    def ride(self, until: str) -> DemoRide:
        """Return the ride at that point of the day, shared by all tests that ask for it."""
        if until not in self.rides:
            self.rides[until] = self.load_ride(until)
        return self.rides[until]

    def load_ride(self, until: str) -> DemoRide:
        """Return a ride that no other test uses: one loaded beforehand, while there are any left."""
        if unused := self._unused.get(until):
            return unused.pop()
        said = self.manage("demo", "--until", until.removesuffix(NO_TABLES))
        self.organiser = read_account(said)
        return read_ride(said)

    def wait_for_worker(self) -> None:
        """Wait until the worker has finished all its tasks; loading a ride creates many."""
        last = time.monotonic() + TIMEOUT_SECONDS
        while any((self.data / "celery" / "queue").glob("*.msg")):
            assert time.monotonic() < last, "the worker is still busy"
            time.sleep(0.1)

    def add_organiser(self, name: str, password: str) -> None:
        """Create an organiser's account, as `manage.py organiser` does, which takes a second to start."""
        digest = PBKDF2PasswordHasher().encode(password, "salt", iterations=1)
        self.change(ADD_ACCOUNT, name, digest)

    def change(self, statement: str, *values: object) -> None:
        """Change rows of the database by hand, while the program runs."""
        with closing(sqlite3.connect(self.data / DATABASE, timeout=TIMEOUT_SECONDS)) as database, database:
            assert database.execute(statement, values).rowcount

    def manage(self, *arguments: str, typed: str = "") -> str:
        """Run one of the program's commands on its data, with this input, and return its output."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=make_environment(self.data, **{"BASE_URL": self.url, **self.variables}),
            input=typed,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@contextmanager
def serve(data: Path, port: int = 0, **variables: str) -> Iterator[RunningServer]:
    """Run the program on these data, with these variables in its environment.

    Args:
        data: a folder of data; an empty one gets a migrated database first.
        port: the port to listen on; 0 for any free one.

    Raises:
        AssertionError: it did not start, or logged a fault while it ran.
    """
    with _serve(data, port, [], variables) as running:
        yield running


@contextmanager
def serve_demo(data: Path) -> Iterator[RunningServer]:
    """Run the program with the demo, which it loads first, as `make run` does; data and errors as in `serve`."""
    with _serve(data, 0, ["--demo"], {}) as running:
        yield running


@contextmanager
def _serve(data: Path, port: int, options: list[str], variables: Mapping[str, str]) -> Iterator[RunningServer]:
    if not (data / DATABASE).exists():
        copy_data(data)
    command = [sys.executable, "manage.py", "serve", "--port", str(port), *options]
    env = make_environment(data, **variables)
    with subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as program:
        assert program.stdout is not None
        late = threading.Timer(TIMEOUT_SECONDS, program.kill)
        late.start()
        lines: list[str] = []
        ready = None
        for line in program.stdout:
            lines.append(line)
            if ready := READY.search(line):
                break
        late.cancel()
        assert ready, "".join(lines)
        # The output has to be read, or the program would block on a full pipe.
        reader = threading.Thread(target=lines.extend, args=(program.stdout,))
        reader.start()
        try:
            yield RunningServer(ready[1], port or int(ready[1].rpartition(":")[2]), data, variables, program.pid, lines)
        finally:
            program.terminate()
            program.wait(TIMEOUT_SECONDS)
            reader.join(TIMEOUT_SECONDS)
    expect_no_faults(lines)


def expect_no_faults(lines: list[str]) -> None:
    """Expect that a program has logged no fault.

    Raises:
        AssertionError: it has.
    """
    first = next((number for number, line in enumerate(lines) if FAULT.search(line.rstrip())), None)
    assert first is None, "".join(lines[first : first + 60])
