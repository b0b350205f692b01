"""The program as it is in use: `manage.py serve`, its web server and its worker, on a free port.

Terms: a *ride* is an event of the demo, loaded up to a point of the day, with the addresses that the command prints.
Invariant: nothing of the program is replaced; tests reach it through the browser and through its commands.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.programs import PATIENCE, ROOT, environment_with, manage

READY = re.compile(r"Tailgunner is at (http://\S+?)/ ")
ADDRESS = re.compile(r"^(\w+) +(http://\S+)$", re.MULTILINE)
ACCOUNT = re.compile(r"^ +(\S+) / (.+)$", re.MULTILINE)
# A fault in the program shows in what it writes, whatever the browser made of it. That a browser was still fetching
# something when the program was told to end is none.
FAULT = re.compile(r"\[(error|critical) (?!.*timeout graceful shutdown exceeded)")


@dataclass(frozen=True)
class Ride:
    """A ride of the demo, as paths.

    Attributes:
        desk: its organiser pages.
        board: its leaderboard.
        table: a table in play, for the crew; empty before the barbecue.
    """

    desk: str
    board: str
    table: str = ""

    @property
    def slug(self) -> str:
        """The name of the ride in addresses."""
        return self.desk.strip("/").rpartition("/")[2]


class Served:
    """A running program.

    Attributes:
        url: where it is, without a slash at the end.
        data: the folder of its data.
        variables: what it was started with.
        pid: the process that keeps its children running.
        lines: what all of them have written so far.
        organiser: name and password of the demo's organiser, once a ride is loaded.
    """

    def __init__(self, url: str, data: Path, variables: Mapping[str, str], pid: int, lines: list[str]) -> None:
        self.url = url
        self.data = data
        self.variables = variables
        self.pid = pid
        self.lines = lines
        self.rides: dict[str, Ride] = {}
        self.organiser = ("", "")

    def ride(self, until: str) -> Ride:
        """Return the ride at that point of the day, loaded once for all tests that share it."""
        if until not in self.rides:
            self.rides[until] = self.load_ride(until)
        return self.rides[until]

    def load_ride(self, until: str) -> Ride:
        """Load a ride that nobody else looks at."""
        said = self.manage("demo", "--until", until)
        account = ACCOUNT.search(said)
        assert account, said
        self.organiser = (account[1], account[2])
        found = {name: address.removeprefix(self.url) for name, address in ADDRESS.findall(said)}
        return Ride(found["Organiser"], found["Leaderboard"], found.get("Table", ""))

    def wait_for_worker(self) -> None:
        """Wait until the worker has done all that it was sent; loading a ride leaves it much."""
        last = time.monotonic() + PATIENCE
        while any((self.data / "celery" / "queue").glob("*.msg")):
            assert time.monotonic() < last, "the worker is still busy"
            time.sleep(0.1)

    def add_organiser(self, name: str, password: str) -> None:
        """Make an account."""
        self.manage("organiser", name, "--password-stdin", typed=f"{password}\n")

    def manage(self, *arguments: str, typed: str = "") -> str:
        """Run one of the program's commands on its data, with what is typed there, and return what it prints."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=environment_with(self.data, BASE_URL=self.url, **self.variables),
            input=typed,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@contextmanager
def serve(data: Path, port: int = 0, **variables: str) -> Iterator[Served]:
    """Run the program on these data, with these variables in its environment.

    Args:
        port: where; 0 for any free one.

    Raises:
        AssertionError: it never came up, or wrote of a fault while it ran.
    """
    manage(data, "migrate", "--verbosity", "0", **variables)
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    env = environment_with(data, **variables)
    with subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as program:
        assert program.stdout is not None
        late = threading.Timer(PATIENCE, program.kill)
        late.start()
        lines: list[str] = []
        ready = None
        for line in program.stdout:
            lines.append(line)
            if ready := READY.search(line):
                break
        late.cancel()
        assert ready, "".join(lines)
        # Somebody has to read on, or the program would wait for room to write.
        reader = threading.Thread(target=lines.extend, args=(program.stdout,))
        reader.start()
        try:
            yield Served(ready[1], data, variables, program.pid, lines)
        finally:
            program.terminate()
            program.wait(PATIENCE)
            reader.join(PATIENCE)
    first = next((number for number, line in enumerate(lines) if FAULT.search(line.rstrip())), None)
    assert first is None, "".join(lines[first : first + 60])
