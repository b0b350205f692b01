"""The program as it is in use: `manage.py serve`, its web server and its worker, on a free port.

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
from pathlib import Path

from tests.demo_data import DATABASE, DemoRide, LoadedRides, copy_data, read_account, read_ride
from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment

READY = re.compile(r"Tailgunner is at (http://\S+?)/ ")
# A fault in the program shows in what it writes, whatever the browser made of it. That a browser was still fetching
# something when the program was told to end is none.
FAULT = re.compile(r"\[(error|critical) (?!.*timeout graceful shutdown exceeded)")


class RunningServer:
    """A running program.

    Attributes:
        url: what it calls itself, without a slash at the end.
        port: where it listens.
        data: the folder of its data.
        variables: what it was started with.
        pid: the process that keeps its children running.
        lines: what all of them have written so far.
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
        """Hand out the rides that the data had before it was started."""
        self.organiser = loaded.organiser
        self._unused = {point: list(rides) for point, rides in loaded.rides.items()}

    def ride(self, until: str) -> DemoRide:
        """Return the ride at that point of the day which all tests share that ask for it."""
        if until not in self.rides:
            self.rides[until] = self.load_ride(until)
        return self.rides[until]

    def load_ride(self, until: str) -> DemoRide:
        """Return a ride that nobody else looks at: one that was loaded beforehand, while there are any."""
        if unused := self._unused.get(until):
            return unused.pop()
        said = self.manage("demo", "--until", until)
        self.organiser = read_account(said)
        return read_ride(said)

    def wait_for_worker(self) -> None:
        """Wait until the worker has done all that it was sent; loading a ride leaves it much."""
        last = time.monotonic() + TIMEOUT_SECONDS
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
        port: where; 0 for any free one.

    Raises:
        AssertionError: it never came up, or wrote of a fault while it ran.
    """
    if not (data / DATABASE).exists():
        copy_data(data)
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
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
        # Somebody has to read on, or the program would wait for room to write.
        reader = threading.Thread(target=lines.extend, args=(program.stdout,))
        reader.start()
        try:
            yield RunningServer(ready[1], port or int(ready[1].rpartition(":")[2]), data, variables, program.pid, lines)
        finally:
            program.terminate()
            program.wait(TIMEOUT_SECONDS)
            reader.join(TIMEOUT_SECONDS)
    first = next((number for number, line in enumerate(lines) if FAULT.search(line.rstrip())), None)
    assert first is None, "".join(lines[first : first + 60])
