"""A thousand open leaderboards: ``python benchmarks/live_screens.py``.

One web server, one Celery worker and one Redis run on this machine, each in a process of its own, with the demo ride in
SQLite. The thousand viewers are another process. A rider's name changes, and the time is measured from publishing the
change until a viewer has read the event: the message, the database query, the rendering of the row, the sending and the
reading. The other arm is an asyncio server that writes the same bytes to its thousand connections and does nothing
else.

Then turns are recorded with the program's own service, as the pages do it. The time is measured until the last of a
thousand screens shows the turn. At the end the result is revealed place by place, as at a prize giving, and the time is
measured from the tap until the last screen shows the place.

The arms take turns, and the medians of five rounds are compared. The script exits with status 1 if a goal is missed: a
p99 of at most three times the bare writer's, 50 MB for a thousand viewers, one subscription, from a turn to the last
screen at most twice the time of recording and sending, and 2 s for every place of the reveal.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any, Self
from urllib.request import urlopen
from uuid import UUID

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

if TYPE_CHECKING:
    from benchmarks.live_ride import LiveRide

VIEWERS = 1000
ROUNDS = 5
CHANGES = 6  # per round
TURNS = 8  # per round
PAUSE_SECONDS = 0.5  # seconds: a stream pauses after each render, and the pause is not to be measured
FANOUT_GOAL, MEMORY_GOAL, DELIVERY_GOAL = 3.0, 50.0, 2.0
REVEAL_GOAL = 2.0  # seconds
PORTS = {"redis": 21911, "web": 21912, "bare": 21913}
EVENT_MARKER = b"event: rows"
WORKER = (sys.executable, "-m", "celery", "-A", "config", "worker")
QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

Times = list[float]  # seconds
Fanout = tuple[Times, Times]  # to each of our viewers, and to each of the bare writer's


# Separate processes: the bare writer and the viewers


async def write_bare() -> None:
    """Keep every connection open, and write each line of standard input to all of them."""
    writers: list[asyncio.StreamWriter] = []

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not await reader.readline():  # only a check that the port is open
            return
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        writers.append(writer)
        await reader.read()

    server = await asyncio.start_server(accept, "127.0.0.1", PORTS["bare"], backlog=VIEWERS)
    async with server:
        async for line in await read_lines():
            event = json.loads(line).encode()
            for writer in writers:
                writer.write(event)


async def watch(port: int, path: str) -> None:
    """Open a thousand streams. For each line of standard input, print when each viewer read the next event."""
    viewers = [await asyncio.open_connection("127.0.0.1", port) for _ in range(VIEWERS)]
    for _reader, writer in viewers:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    for reader, _writer in viewers:
        await reader.readuntil(b"\r\n\r\n")
    print_json("open")
    tasks = [asyncio.create_task(_read_event(reader)) for reader, _writer in viewers]
    async for _line in await read_lines():
        events = await asyncio.gather(*tasks)
        tasks = [asyncio.create_task(_read_event(reader)) for reader, _writer in viewers]
        print_json({"times": [read_at for read_at, _event in events], "event": events[0][1]})


async def _read_event(reader: asyncio.StreamReader) -> tuple[float, str]:
    lines: list[bytes] = []
    while True:
        line = await reader.readuntil(b"\n")
        lines.append(line)
        if line == b"\n":
            if any(part.startswith(EVENT_MARKER) for part in lines):
                return time.monotonic(), b"".join(lines).decode()
            lines = []


async def read_lines() -> asyncio.StreamReader:
    """Return standard input, line by line."""
    reader = asyncio.StreamReader(limit=2**24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


def print_json(value: object) -> None:
    """Print a line for the measuring process."""
    print(json.dumps(value), flush=True)


# The measuring process


class ChildProcess:
    """A process that prints "open" once it is ready; then it reads lines, and answers with JSON values."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.read() == "open"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    def write(self, value: object) -> None:
        """Send it a line."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(value) + "\n")
        self._process.stdin.flush()

    def read(self) -> Any:
        """Return its next answer."""
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


class ViewerProcess(ChildProcess):
    """The process of the viewers."""

    def __init__(self, port: int, path: str) -> None:
        super().__init__(__file__, "watch", str(port), path)

    def wait_for_event(self) -> tuple[Times, str]:
        """Return when each viewer has read the next event, and the event."""
        self.write("next")
        reply = self.read()
        return reply["times"], reply["event"]


@contextlib.contextmanager
def running(*command: str, **options: Any) -> Iterator[subprocess.Popen[Any]]:
    process = subprocess.Popen(command, cwd=ROOT, **options)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def wait_for(port: int) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    sys.exit(f"nothing answers on port {port}")


def get_memory(process: subprocess.Popen[Any]) -> float:
    """Return the resident memory in MB (Linux)."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def get_p99(times: Sequence[float]) -> float:
    return quantiles(times, n=100)[98]


@dataclass(frozen=True)
class Services:
    """The processes that are measured, and what they compare with."""

    web: subprocess.Popen[Any]
    bare: subprocess.Popen[Any]
    redis_url: str


@contextlib.contextmanager
def serve_demo(**environment: str) -> Iterator[Services]:
    """Serve a new demo ride, with a worker that refreshes its standings; all processes get the environment."""
    redis_server = shutil.which("redis-server")
    if redis_server is None:
        sys.exit("redis-server is missing. On Debian: sudo apt install redis-server")
    python = sys.executable
    with tempfile.TemporaryDirectory(prefix="tailgunner-bench-") as folder, contextlib.ExitStack() as stack:
        url = f"redis://127.0.0.1:{PORTS['redis']}/0"
        os.environ |= {"DATA_DIR": folder, "REDIS_URL": url, "DATABASE_URL": "", "LOG_LEVEL": "ERROR"}
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", **environment}
        start = stack.enter_context
        start(running(redis_server, "--port", str(PORTS["redis"]), "--save", "", "--dir", folder, **QUIET))
        wait_for(PORTS["redis"])
        for command in (("migrate", "-v0"), ("collectstatic", "--no-input"), ("demo", "--until", "setup")):
            subprocess.run([python, "manage.py", *command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        serve = ("-m", "uvicorn", "config.asgi:application", "--port", str(PORTS["web"]), "--no-access-log")
        web = start(running(python, *serve, **QUIET))
        start(running(*WORKER, "--queues", "follow", "--pool", "solo", **QUIET))
        bare = start(running(python, __file__, "bare", stdin=subprocess.PIPE, text=True))
        wait_for(PORTS["web"])
        wait_for(PORTS["bare"])
        yield Services(web, bare, url)


def measure_fanout(ride: LiveRide, ours: ViewerProcess, bare: subprocess.Popen[Any], theirs: ViewerProcess) -> Fanout:
    """Rename a rider, let the bare writer send the same bytes; return how long both took to each viewer."""
    start = ride.rename()
    read_at, event = ours.wait_for_event()
    fanout = [end - start for end in read_at]
    assert bare.stdin is not None
    start = time.monotonic()
    bare.stdin.write(json.dumps(event) + "\n")
    bare.stdin.flush()
    read_at, _event = theirs.wait_for_event()
    return fanout, [end - start for end in read_at]


@dataclass(frozen=True)
class MeasuredTurn:
    """A turn of a bike.

    Attributes:
        start: when its recording began.
        recorded, shown: seconds until it was recorded, and until the last viewer had it.
    """

    bike_id: UUID
    start: float
    recorded: float
    shown: float


def measure_turn(ride: LiveRide, viewers: ViewerProcess) -> MeasuredTurn:
    """Record the next turn, and wait until the last viewer has it."""
    start = time.monotonic()
    bike = ride.record()
    recorded = time.monotonic() - start
    read_at, _event = viewers.wait_for_event()
    return MeasuredTurn(bike.pk, start, recorded, max(read_at) - start)


def main() -> int:
    with serve_demo() as services:
        return measure(services)


def measure(services: Services) -> int:
    import django
    import redis

    django.setup()
    from benchmarks.live_ride import LiveRide

    ride = LiveRide()
    with urlopen(f"http://127.0.0.1:{PORTS['web']}{ride.board}") as page:
        page.read()
    before = get_memory(services.web)
    fanout: list[Times] = []
    written: list[Times] = []
    recorded: list[Times] = []
    shown: list[Times] = []
    with ViewerProcess(PORTS["web"], ride.stream) as ours, ViewerProcess(PORTS["bare"], "/") as theirs:
        ours.wait_for_event()  # the full leaderboard
        memory = get_memory(services.web) - before
        for _ in range(ROUNDS):
            for times in (fanout, written, recorded, shown):
                times.append([])
            for _ in range(CHANGES):
                to_ours, to_theirs = measure_fanout(ride, ours, services.bare, theirs)
                fanout[-1] += to_ours
                written[-1] += to_theirs
                time.sleep(PAUSE_SECONDS)
            for _ in range(TURNS):
                turn = measure_turn(ride, ours)
                recorded[-1].append(turn.recorded)
                shown[-1].append(turn.shown)
                time.sleep(PAUSE_SECONDS)
        revealed = measure_reveal(ride, ours)
        with redis.Redis.from_url(services.redis_url) as client:
            clients = [info for info in client.client_list() if info["name"] == "tailgunner-live"]
            listeners = [info for info in clients if int(info["sub"])]
    return int(report(fanout, written, recorded, shown, memory, len(listeners)) | report_reveal(revealed))


def measure_reveal(ride: LiveRide, viewers: ViewerProcess) -> Times:
    """Reveal the result; return for each place how long it took until the last viewer had it."""
    revealed = []
    steps = ride.start_reveal()
    viewers.wait_for_event()
    for step in range(1, steps + 1):
        time.sleep(PAUSE_SECONDS)
        start = time.monotonic()
        ride.reveal(step)
        read_at, _event = viewers.wait_for_event()
        revealed.append(max(read_at) - start)
    return revealed


def report_reveal(revealed: Times) -> bool:
    """Print how long the places took, and return whether the goal was missed."""
    slowest, places = max(revealed), len(revealed)
    print(f"{places} places revealed, on the last screen after at most {slowest:.2f} s (goal: {REVEAL_GOAL:.0f} s)")
    return slowest > REVEAL_GOAL


def print_times(label: str, rounds: Sequence[Times]) -> float:
    """Print the medians of the rounds, and return that of their p99."""
    p50, p99 = median(map(median, rounds)), median(map(get_p99, rounds))
    print(f"{label:<44} p50 {p50 * 1000:7.1f} ms   p99 {p99 * 1000:7.1f} ms")
    return p99


def report(
    fanout: list[Times], written: list[Times], recorded: list[Times], shown: list[Times], memory: float, listeners: int
) -> bool:
    """Print the figures, and return whether a goal was missed."""
    print(f"{VIEWERS} viewers, medians of {ROUNDS} rounds")
    bare_p99 = print_times("bare asyncio writer", written)
    our_p99 = print_times("published to read, with query and rendering", fanout)
    record_p99 = print_times("a turn recorded", recorded)
    shown_p99 = print_times("a turn on the last of all screens", shown)
    ratio, delivery = our_p99 / bare_p99, shown_p99 / (record_p99 + our_p99)
    print(f"p99 against the bare writer: {ratio:.2f} (goal: at most {FANOUT_GOAL})")
    print(f"memory of {VIEWERS} viewers: {memory:.0f} MB (goal: at most {MEMORY_GOAL:.0f})")
    print(f"Redis subscriptions: {listeners} (goal: 1)")
    print(f"turn to last screen against recording and sending: {delivery:.2f} (goal: at most {DELIVERY_GOAL})")
    return ratio > FANOUT_GOAL or memory > MEMORY_GOAL or listeners != 1 or delivery > DELIVERY_GOAL


def raise_file_limit() -> None:
    """Allow as many open connections as the system permits."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


if __name__ == "__main__":
    raise_file_limit()
    match sys.argv[1:]:
        case ["bare"]:
            asyncio.run(write_bare())
        case ["watch", port, path]:
            asyncio.run(watch(int(port), path))
        case _:
            sys.exit(main())
