"""`manage.py serve`, run for real: on a free port, with data of its own.

Tests that only send requests, or kill children that are restarted, share one server on the network address; the last
one kills it. One test starts servers for this machine only, and stops each in another way.
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
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from scorekeeper.common.management.commands.serve import WORKER_POOLS
from tests.browser.running_server import ADD_ACCOUNT
from tests.demo_data import DATABASE, copy_data
from tests.faults.servers import wait_until
from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment, run_manage

pytestmark = pytest.mark.program

AFTER_THE_LAST_WORD = 5.0
LOGGED = re.compile(r"\d{4}-\d\d-\d\dT|[A-Z]+:\s")  # how lines of our log begin, and those of uvicorn's
CHILDREN = ("web", *(f"worker-{queue}" for queue in WORKER_POOLS), "sweeper")
STARTED = re.compile(r"started .*child=([\w-]+) pid=(\d+)")


class Served:
    """A running `serve`.

    Attributes:
        url: its URL as printed, without a slash at the end.
        pids: the process id of the latest child of each name; of a quiet server, of each child that it has.
        lines: the output that was read so far.
        has_hung: whether it was killed because an expected line did not come.
    """

    def __init__(self, data: Path, *options: str, before: Sequence[str] = (), is_quiet: bool = False) -> None:
        """Start it, and wait for its children.

        Args:
            before: a command that runs the command after it.
            is_quiet: it logs as much as by default, which is nothing; it is not waited for.
        """
        if not (data / DATABASE).exists():
            copy_data(data)
        self.data = data
        self.process = subprocess.Popen(
            [*before, sys.executable, "manage.py", "serve", "--port", "0", *options],
            cwd=ROOT,
            env=make_environment(data, **({"LOG_LEVEL": ""} if is_quiet else {})),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.pids: dict[str, int] = {}
        self.lines: list[str] = []
        self.has_hung = False
        try:
            self.url = self.wait_for(r"Tailgunner is at (https?://\S+:\d+)/")[1]
            for child in () if is_quiet else CHILDREN:
                self.wait_for(rf"started .*child={child} ")
        except AssertionError:
            self.end()
            raise

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Read lines until one matches, and return the match."""
        for line in self.lines:
            if found := re.search(pattern, line):
                return found
        return self._read_on(pattern)

    def wait_for_another(self, child: str, than: int) -> int:
        """Read on until a child of that name is started with another process id; return that id."""
        while self.pids[child] == than:
            self._read_on(rf"started .*child={child} ")
        return self.pids[child]

    def find_children(self) -> None:
        """Find the children of a quiet server."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.pids = {pid: int(pid) for pid in found}

    def read_to_end(self) -> str:
        """Read until all processes that hold the pipe have ended, grandchildren included; return all output."""
        assert self.process.stdout is not None
        with self._limit_wait():
            self.lines += self.process.stdout
        return "".join(self.lines)

    def kill(self) -> None:
        """Kill the supervisor and all processes it is known to have started."""
        self.process.kill()
        for pid in self.pids.values():
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)

    def end(self) -> None:
        self.kill()
        # A process that outlives the supervisor holds the pipe: that is an error, and must not block the test.
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
        """Kill the program, and so end the wait, if a line never comes."""
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
    """Return whether the process still exists after some seconds: pipes close just before its end (Linux)."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    try:
        ended, _, _ = select.select([process], [], [], AFTER_THE_LAST_WORD)
    finally:
        os.close(process)
    return not ended


def fetch(url: str) -> bytes:
    with urlopen(f"{url}/healthz", timeout=TIMEOUT_SECONDS) as response:
        body: bytes = response.read()
    return body


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for the local network with an account, shared by the tests, which leave it running but for the last."""
    data = tmp_path_factory.mktemp("network")
    copy_data(data)
    with closing(sqlite3.connect(data / DATABASE)) as connection, connection:
        connection.execute(ADD_ACCOUNT, ("alice", "!"))
    running = Served(data, "--host", "0.0.0.0")
    yield running
    running.end()


def test_serving_the_network_prints_its_address_and_a_code_to_scan(network: Served) -> None:
    assert "0.0.0.0" not in network.url
    assert network.wait_for("[█▀▄]{10}")
    assert fetch(network.url) == b"ok\n"


def test_a_killed_web_server_is_restarted_and_no_client_is_refused(network: Served) -> None:
    fetch(network.url)
    first = network.pids["web"]

    os.kill(first, signal.SIGKILL)

    assert fetch(network.url) == b"ok\n"
    assert network.wait_for_another("web", than=first)


@pytest.mark.parametrize("child", CHILDREN[1:])
def test_a_killed_worker_or_sweeper_is_restarted(network: Served, child: str) -> None:
    first = network.pids[child]

    os.kill(first, signal.SIGKILL)

    assert network.wait_for_another(child, than=first)


def test_a_body_that_is_too_large_is_refused_before_it_is_read(network: Served) -> None:
    """As with a browser: the response can be read while the body is still being sent."""
    parts = urlsplit(network.url)
    head = f"POST /healthz HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: 300000000\r\n\r\n"
    with socket.create_connection((parts.hostname, parts.port), timeout=TIMEOUT_SECONDS) as caller:
        caller.sendall(head.encode())

        response = caller.recv(10_000)
        caller.sendall(bytes(100_000))

    assert response.startswith(b"HTTP/1.1 413 ")
    assert b"x-tailgunner: 1" in response.lower()
    assert fetch(network.url) == b"ok\n"


@pytest.mark.parametrize(("size", "status"), [(5_000_000, 413), (3_000_000, 403)])
def test_a_body_without_a_length_is_refused_once_it_is_too_large(network: Served, size: int, status: int) -> None:
    parts = urlsplit(network.url)
    caller = http.client.HTTPConnection(parts.netloc, timeout=TIMEOUT_SECONDS)

    caller.request(
        "POST",
        "/healthz",
        iter([bytes(50_000)] * (size // 50_000)),
        encode_chunked=True,
        headers={"Transfer-Encoding": "chunked"},
    )

    response = caller.getresponse()
    assert response.status == status
    if status == 413:
        assert response.read() == b"This request is larger than the server accepts. Send less at once.\n"
    caller.close()


def test_a_second_instance_on_the_same_data_explains_and_stops(network: Served) -> None:
    second = run_manage(network.data, "serve", "--port", "0")

    assert second.returncode == 1
    assert f"already running on the data in {network.data}" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_port_in_use_is_explained_and_ends_the_command(network: Served, tmp_path: Path) -> None:
    port = network.url.rpartition(":")[2]
    copy_data(tmp_path)

    other = run_manage(tmp_path, "serve", "--port", port)

    assert other.returncode == 1
    assert f"Cannot listen on 127.0.0.1, port {port}" in other.stderr


def test_a_process_whose_parent_has_already_ended_ends_at_once() -> None:
    code = (
        "import os, signal; from scorekeeper.common.supervisor import end_with_parent as tie; tie(%d, signal.SIGKILL)"
    )

    with_parent = subprocess.run([sys.executable, "-c", code % os.getpid()], cwd=ROOT)
    without = subprocess.run([sys.executable, "-c", code % 0], cwd=ROOT)

    assert with_parent.returncode == 0
    assert without.returncode == -signal.SIGKILL


def read_last_sweep(data: Path) -> list[object]:
    with closing(sqlite3.connect(data / DATABASE)) as connection:
        return connection.execute("SELECT * FROM standings_lastsweep").fetchall()


def read_status(url: str) -> int:
    try:
        with urlopen(url, timeout=TIMEOUT_SECONDS) as response:
            status: int = response.status
            return status
    except HTTPError as error:
        with error:
            return error.code


@contextmanager
def started(data: Path, *, before: Sequence[str] = (), is_quiet: bool = False) -> Iterator[Served]:
    """A server for this machine only, which responds at the address that it has printed."""
    served = Served(data, before=before, is_quiet=is_quiet)
    try:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", served.url)
        assert fetch(served.url) == b"ok\n"
        yield served
    finally:
        served.end()


def find_welcome(served: Served) -> str:
    """Return the path of the printed link for the first organiser, which is printed once and in no log."""
    link = served.wait_for(rf"^  ({re.escape(served.url)}/welcome/\S+/)$")[1]
    assert [line for line in served.lines if link in line] == [f"  {link}\n"]
    return urlsplit(link).path


def check_end(served: Served, number: signal.Signals) -> None:
    """Send a signal, and check that it ends the program and its children without an error."""
    served.process.send_signal(number)
    printed = served.read_to_end()

    assert served.process.wait() == 0
    assert len(served.pids) == len(CHILDREN)
    assert not any(map(outlives, served.pids.values()))
    assert "died" not in printed
    assert "Traceback" not in printed
    assert printed.count("/welcome/") == 1, "the link is in no log"


def test_two_starts_and_two_ends(tmp_path: Path) -> None:
    """Each start prints a new link for the first organiser while there is no account; no end leaves a process behind.

    The first start is below the usual limit of open files. The second prints what it does by default, and logs nothing.
    """
    with started(tmp_path, before=["sh", "-c", 'ulimit -Sn 512; ulimit -Hn 1000; exec "$@"', "sh"]) as first:
        limits = Path(f"/proc/{first.pids['web']}/limits").read_text()
        path = find_welcome(first)
        assert read_status(f"{first.url}{path}") == 200
        check_end(first, signal.SIGINT)
    assert "child=web" in "".join(first.lines)
    last_sweep = read_last_sweep(tmp_path)
    assert re.search(r"Max open files +1000 +1000 ", limits)
    assert "only 744 phones and screens can connect at once" in "".join(first.lines)

    with started(tmp_path, is_quiet=True) as second:
        statuses = [read_status(f"{second.url}{one}") for one in (path, find_welcome(second))]
        assert statuses == [410, 200], "a restart prints a new link, and the older one no longer works"
        wait_until(lambda: read_last_sweep(tmp_path) != last_sweep, "the last of its processes does its work")
        second.find_children()
        check_end(second, signal.SIGTERM)
    assert second.lines[0].startswith("Tailgunner is at ")
    assert [line for line in second.lines if LOGGED.match(line)] == []


def test_a_killed_server_leaves_no_process_behind(network: Served) -> None:
    """With an account, it has printed no link for the first organiser."""
    network.process.kill()
    network.read_to_end()

    assert not network.has_hung, "they were ended from here"
    assert len(network.pids) == len(CHILDREN)
    assert not any(map(outlives, network.pids.values()))
    assert "/welcome/" not in "".join(network.lines)
