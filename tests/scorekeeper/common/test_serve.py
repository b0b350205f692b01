"""`manage.py serve`, really started: on a free port, with data of its own."""

import os
import re
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.demo_data import copy_data
from tests.programs import PATIENCE, ROOT, environment_with, manage

AFTER_THE_LAST_WORD = 5.0


class Served:
    """A running `serve`, with all it prints as one stream of lines."""

    def __init__(self, data: Path, *options: str) -> None:
        copy_data(data)
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", "0", *options],
            cwd=ROOT,
            env=environment_with(data),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.children: list[int] = []
        self.seen = ""
        # A line that never comes ends the wait for it instead of hanging the run.
        self.watchdog = threading.Timer(PATIENCE, self.kill)
        self.watchdog.start()

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Read on until a line fits."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.seen += line
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"{pattern!r} never came in:\n{self.seen}")

    def wait_for_pid(self, child: str) -> int:
        pid = int(self.wait_for(rf"started .*child={child} pid=(\d+)")[1])
        self.children.append(pid)
        return pid

    def read_to_end(self) -> str:
        """Read until everybody who holds the other end has gone, grandchildren included."""
        assert self.process.stdout is not None
        self.seen += self.process.stdout.read()
        return self.seen

    def kill(self) -> None:
        """End the supervisor and all it was seen to start."""
        self.process.kill()
        for pid in self.children:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)

    def end(self) -> None:
        self.watchdog.cancel()
        self.kill()
        # Whoever outlived the supervisor holds the other end: that is a fault, and not to be waited for.
        self.process.communicate(timeout=PATIENCE)


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


def list_children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def ask(url: str) -> bytes:
    with urlopen(f"{url}/healthz", timeout=PATIENCE) as answer:
        body: bytes = answer.read()
    return body


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    running = Served(tmp_path)
    yield running
    running.end()


def test_it_says_where_it_is_and_answers_there(served: Served) -> None:
    url = served.wait_for(r"(http://127\.0\.0\.1:\d+)/")[1]

    assert ask(url) == b"ok\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_both_children_and_then_itself(served: Served, number: signal.Signals) -> None:
    url = served.wait_for(r"(http://127\.0\.0\.1:\d+)/")[1]
    pids = {served.wait_for_pid("web"), served.wait_for_pid("worker")}
    ask(url)

    served.process.send_signal(number)
    printed = served.read_to_end()

    assert served.process.wait() == 0
    assert not any(map(outlives, pids))
    assert "child=web" in printed
    assert "died" not in printed
    assert "Traceback" not in printed


def test_a_killed_web_server_is_started_again_and_no_caller_is_refused(served: Served) -> None:
    url = served.wait_for(r"(http://127\.0\.0\.1:\d+)/")[1]
    first = served.wait_for_pid("web")
    ask(url)

    os.kill(first, signal.SIGKILL)

    assert ask(url) == b"ok\n"
    assert served.wait_for_pid("web") != first


def test_a_killed_worker_is_started_again_and_leaves_no_scheduler_behind(served: Served) -> None:
    first = served.wait_for_pid("worker")
    served.wait_for(r"celery@.* ready")
    schedulers = list_children(first)
    assert schedulers

    os.kill(first, signal.SIGKILL)

    assert served.wait_for_pid("worker") != first
    assert not any(map(outlives, schedulers))


def test_killing_the_supervisor_itself_leaves_nobody_behind(served: Served) -> None:
    served.wait_for(r"(http://127\.0\.0\.1:\d+)/")
    pids = {served.wait_for_pid("web"), served.wait_for_pid("worker")}

    served.process.kill()
    served.read_to_end()

    assert served.watchdog.is_alive(), "it was the watchdog that ended them"
    assert not any(map(outlives, pids))


def test_a_worker_that_nobody_clears_up_after_takes_its_scheduler_with_it(served: Served) -> None:
    worker = served.wait_for_pid("worker")
    served.wait_for(r"celery@.* ready")
    schedulers = list_children(worker)
    assert schedulers

    # A worker that is held up hears nothing of the supervisor's end, and is then taken down without a word.
    os.kill(worker, signal.SIGSTOP)
    served.process.kill()
    served.process.wait()
    os.kill(worker, signal.SIGKILL)
    served.read_to_end()

    assert served.watchdog.is_alive(), "it was the watchdog that ended them"
    assert not any(map(outlives, schedulers))


def test_a_process_whose_parent_has_gone_before_it_asks_ends_at_once() -> None:
    code = (
        "import os, signal; from scorekeeper.common.supervisor import end_with_parent as tie; tie(%d, signal.SIGKILL)"
    )

    with_parent = subprocess.run([sys.executable, "-c", code % os.getpid()], cwd=ROOT)
    without = subprocess.run([sys.executable, "-c", code % 0], cwd=ROOT)

    assert with_parent.returncode == 0
    assert without.returncode == -signal.SIGKILL


def test_a_second_instance_on_the_same_data_says_so_and_stops(served: Served, tmp_path: Path) -> None:
    served.wait_for("Tailgunner is at")

    second = manage(tmp_path, "serve", "--port", "0")

    assert second.returncode == 1
    assert f"already running on the data in {tmp_path}" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_taken_port_is_said_and_ends_it(served: Served, tmp_path: Path) -> None:
    port = served.wait_for(r"http://127\.0\.0\.1:(\d+)/")[1]

    other = manage(tmp_path / "other", "serve", "--port", port)

    assert other.returncode == 1
    assert f"Cannot listen on 127.0.0.1, port {port}" in other.stderr


def test_serving_the_network_prints_its_address_and_a_code_to_scan(tmp_path: Path) -> None:
    running = Served(tmp_path, "--host", "0.0.0.0")
    try:
        url = running.wait_for(r"Tailgunner is at (http://\S+:\d+)/")[1]
        running.wait_for("[█▀▄]{10}")

        assert "0.0.0.0" not in url
        assert ask(url) == b"ok\n"
    finally:
        running.end()
