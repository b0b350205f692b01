"""`manage.py serve`, really started: on a free port, with data of its own.

Tests that only look at it, or kill what it starts again, share one server for the network. Tests that end it have one
of their own, for this machine alone.
"""

import http.client
import os
import re
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from tests.browser.running_server import serve
from tests.demo_data import DATABASE, copy_data
from tests.faults.servers import wait_until
from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment, run_manage

pytestmark = pytest.mark.program

AFTER_THE_LAST_WORD = 5.0
LOGGED = re.compile(r"\d{4}-\d\d-\d\dT|[A-Z]+:\s")  # as our log begins a line, and as uvicorn's own does
STARTED = re.compile(r"started .*child=(\w+) pid=(\d+)")


class Served:
    """A running `serve`.

    Attributes:
        url: where it says that it is, without a slash at the end.
        pids: the child of each name that was last seen to start.
        lines: what was read so far of what it prints.
        has_hung: whether it was ended because a line that was waited for did not come.
    """

    def __init__(self, data: Path, *options: str, before: Sequence[str] = ()) -> None:
        """Args: before: a command that runs the one that follows it."""
        copy_data(data)
        self.data = data
        self.process = subprocess.Popen(
            [*before, sys.executable, "manage.py", "serve", "--port", "0", *options],
            cwd=ROOT,
            env=make_environment(data),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.pids: dict[str, int] = {}
        self.lines: list[str] = []
        self.has_hung = False
        try:
            self.url = self.wait_for(r"Tailgunner is at (https?://\S+:\d+)/")[1]
            for child in ("web", "worker", "sweeper"):
                self.wait_for(rf"started .*child={child} ")
        except AssertionError:
            self.end()
            raise

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Return the first line that fits, reading on until there is one."""
        for line in self.lines:
            if found := re.search(pattern, line):
                return found
        return self._read_on(pattern)

    def wait_for_another(self, child: str, than: int) -> int:
        """Read on until a child of that name is started that is another; return its process id."""
        while self.pids[child] == than:
            self._read_on(rf"started .*child={child} ")
        return self.pids[child]

    def read_to_end(self) -> str:
        """Read until everybody who holds the other end has gone, grandchildren included; return all it printed."""
        assert self.process.stdout is not None
        with self._limit_wait():
            self.lines += self.process.stdout
        return "".join(self.lines)

    def kill(self) -> None:
        """End the supervisor and all it was seen to start."""
        self.process.kill()
        for pid in self.pids.values():
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)

    def end(self) -> None:
        self.kill()
        # Whoever outlived the supervisor holds the other end: that is a fault, and not to be waited for.
        self.process.communicate(timeout=TIMEOUT_SECONDS)

    def _read_on(self, pattern: str) -> re.Match[str]:
        assert self.process.stdout is not None
        with self._limit_wait():
            for line in self.process.stdout:
                self.lines.append(line)
                if started := STARTED.search(line):
                    self.pids[started[1]] = int(started[2])
                if found := re.search(pattern, line):
                    return found
        raise AssertionError(f"{pattern!r} never came in:\n{''.join(self.lines)}")

    @contextmanager
    def _limit_wait(self) -> Iterator[None]:
        """End the program, and with it the wait, when a line never comes."""
        watchdog = threading.Timer(TIMEOUT_SECONDS, self._give_up)
        watchdog.start()
        try:
            yield
        finally:
            watchdog.cancel()

    def _give_up(self) -> None:
        self.has_hung = True
        self.kill()


def outlives(pid: int) -> bool:
    """Return whether the process is still there some seconds on: pipes close a moment before the end (Linux)."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    try:
        ended, _, _ = select.select([process], [], [], AFTER_THE_LAST_WORD)
    finally:
        os.close(process)
    return not ended


def ask(url: str) -> bytes:
    with urlopen(f"{url}/healthz", timeout=TIMEOUT_SECONDS) as answer:
        body: bytes = answer.read()
    return body


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for the network, which the tests leave running."""
    running = Served(tmp_path_factory.mktemp("network"), "--host", "0.0.0.0")
    yield running
    running.end()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server of the test's own."""
    running = Served(tmp_path)
    yield running
    running.end()


def test_serving_the_network_prints_its_address_and_a_code_to_scan(network: Served) -> None:
    assert "0.0.0.0" not in network.url
    assert network.wait_for("[█▀▄]{10}")
    assert ask(network.url) == b"ok\n"


def test_a_killed_web_server_is_started_again_and_no_caller_is_refused(network: Served) -> None:
    ask(network.url)
    first = network.pids["web"]

    os.kill(first, signal.SIGKILL)

    assert ask(network.url) == b"ok\n"
    assert network.wait_for_another("web", than=first)


@pytest.mark.parametrize("child", ["worker", "sweeper"])
def test_what_keeps_the_standings_is_started_again_when_it_is_killed(network: Served, child: str) -> None:
    first = network.pids[child]

    os.kill(first, signal.SIGKILL)

    assert network.wait_for_another(child, than=first)


def test_a_body_beyond_any_need_is_refused_before_it_is_read(network: Served) -> None:
    """As a browser has it: the answer can be read while the body is still being sent."""
    parts = urlsplit(network.url)
    head = f"POST /healthz HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: 300000000\r\n\r\n"
    with socket.create_connection((parts.hostname, parts.port), timeout=TIMEOUT_SECONDS) as caller:
        caller.sendall(head.encode())

        answer = caller.recv(10_000)
        caller.sendall(bytes(100_000))

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"x-tailgunner: 1" in answer.lower()
    assert ask(network.url) == b"ok\n"


@pytest.mark.parametrize(("size", "status"), [(5_000_000, 413), (3_000_000, 403)])
def test_a_body_that_tells_no_length_is_refused_once_it_is_too_long(network: Served, size: int, status: int) -> None:
    parts = urlsplit(network.url)
    caller = http.client.HTTPConnection(parts.netloc, timeout=TIMEOUT_SECONDS)

    caller.request(
        "POST",
        "/healthz",
        iter([bytes(50_000)] * (size // 50_000)),
        encode_chunked=True,
        headers={"Transfer-Encoding": "chunked"},
    )

    answer = caller.getresponse()
    assert answer.status == status
    if status == 413:
        assert answer.read() == b"This is more than this server takes at once. Send less.\n"
    caller.close()


def test_a_second_instance_on_the_same_data_says_so_and_stops(network: Served) -> None:
    second = run_manage(network.data, "serve", "--port", "0")

    assert second.returncode == 1
    assert f"already running on the data in {network.data}" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_taken_port_is_said_and_ends_it(network: Served, tmp_path: Path) -> None:
    port = network.url.rpartition(":")[2]

    other = run_manage(tmp_path, "serve", "--port", port)

    assert other.returncode == 1
    assert f"Cannot listen on 127.0.0.1, port {port}" in other.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_answers_where_it_says_and_a_signal_ends_its_children_and_then_itself(
    served: Served, number: signal.Signals
) -> None:
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", served.url)
    assert ask(served.url) == b"ok\n"

    served.process.send_signal(number)
    printed = served.read_to_end()

    assert served.process.wait() == 0
    assert not any(map(outlives, served.pids.values()))
    assert "child=web" in printed
    assert "died" not in printed
    assert "Traceback" not in printed


def test_it_opens_as_many_files_as_it_may_and_says_where_those_are_few(tmp_path: Path) -> None:
    limited = Served(tmp_path, before=["sh", "-c", 'ulimit -Sn 512; ulimit -Hn 1000; exec "$@"', "sh"])
    try:
        limits = Path(f"/proc/{limited.pids['web']}/limits").read_text()
    finally:
        limited.end()

    assert re.search(r"Max open files +1000 +1000 ", limits)
    assert "only 744 phones and screens can be connected at once" in "".join(limited.lines)


def test_killing_the_supervisor_itself_leaves_nobody_behind(served: Served) -> None:
    served.process.kill()
    served.read_to_end()

    assert not served.has_hung, "they were ended from here"
    assert not any(map(outlives, served.pids.values()))


def test_a_process_whose_parent_has_gone_before_it_asks_ends_at_once() -> None:
    code = (
        "import os, signal; from scorekeeper.common.supervisor import end_with_parent as tie; tie(%d, signal.SIGKILL)"
    )

    with_parent = subprocess.run([sys.executable, "-c", code % os.getpid()], cwd=ROOT)
    without = subprocess.run([sys.executable, "-c", code % 0], cwd=ROOT)

    assert with_parent.returncode == 0
    assert without.returncode == -signal.SIGKILL


def has_swept(database: Path) -> bool:
    with closing(sqlite3.connect(database)) as connection:
        return bool(connection.execute("SELECT 1 FROM standings_lastsweep").fetchall())


def test_unless_it_is_asked_for_more_it_says_where_it_is_and_nothing_else(tmp_path: Path) -> None:
    with serve(tmp_path, LOG_LEVEL="") as quiet:
        assert ask(quiet.url) == b"ok\n"
        wait_until(lambda: has_swept(tmp_path / DATABASE), "the last of its processes does its work")

    assert quiet.lines[0].startswith("Tailgunner is at ")
    assert [line for line in quiet.lines if LOGGED.match(line)] == []
