"""A leaderboard that many follow: ``python benchmarks/followed_by_many.py``.

The processes are those of `live_screens.py`, with the sweeper and the worker of the queue `push` besides. The thousand
viewers stay connected. In every other round a third of them have pinned a bike, and 200 browsers have subscribed to
notifications, spread evenly over the bikes. One more process is those spectators. When the row of a bike has changed,
each of its spectators asks for the pinned row as `static/js/my_bike.js` does: within three seconds at random, and with
the ETag of the row before. The same process is the push service, which reads the messages and counts them.

Riders are renamed and turns recorded as in `live_screens.py`, and the bare writer sends the same bytes. The time is
measured from a turn to the last of the thousand screens. It is also measured how long it takes until the last push
message about a turn was received, which has no goal: notifications have a queue of their own.

The arms take turns, and the medians of five rounds each are compared. The script exits with status 1 if a message or a
row is missing, or if goal 7 is missed with followers: from a turn to the last screen at most twice the time of
recording and sending without them.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.live_screens import (  # noqa: E402 - the path is set above
    DELIVERY_GOAL,
    PAUSE_SECONDS,
    PORTS,
    QUIET,
    ROUNDS,
    VIEWERS,
    WORKER,
    ChildProcess,
    MeasuredTurn,
    Services,
    Times,
    ViewerProcess,
    get_p99,
    measure_fanout,
    measure_turn,
    print_json,
    print_times,
    raise_file_limit,
    read_lines,
    running,
    serve_demo,
)

if TYPE_CHECKING:
    from benchmarks.live_ride import LiveRide
    from scorekeeper.bikes.models import Bike
    from scorekeeper.push.endpoints import PushTarget

PINNED, SUBSCRIPTIONS = VIEWERS // 3, 200
TURNS = 10  # per round; fewer than there are bikes, so that a message can be about one turn only
MAX_DELAY = 3.0  # seconds, as in static/js/my_bike.js
PUSH_PORT = 21914
PUSH_TIMEOUT = 60.0  # seconds
OK, NOT_MODIFIED = 200, 304


# A separate process: the spectators and the push service


class PinnedRow:
    """The pinned row on the page of a spectator."""

    def __init__(self, board: str, bike_id: str) -> None:
        self.bike_id = bike_id
        self._path = f"{board}?mine={bike_id}"
        self._etag = ""

    async def load(self, delay: float = 0) -> tuple[int, float]:
        """Ask for the row after a delay; return the status of the response, and after how many seconds it was read."""
        await asyncio.sleep(delay)
        start = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", PORTS["web"])
        lines = [f"GET {self._path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "Accept-Encoding: gzip"]
        lines += ["HX-Request: true", "X-Tailgunner-Language: en"]
        lines += [f"If-None-Match: {self._etag}"] if self._etag else []
        writer.write("\r\n".join([*lines, "", ""]).encode())
        status_line, headers = await read_head(reader)
        await reader.read()
        writer.close()
        self._etag = headers.get("etag", "")
        return int(status_line.split()[1]), time.monotonic() - start


class PushService:
    """Accepts every message.

    Attributes:
        received: when, by the path of the endpoint.
    """

    def __init__(self) -> None:
        self.received: list[tuple[str, float]] = []

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read one message, and confirm it; without one it is only a check that the port is open."""
        try:
            request_line, headers = await read_head(reader)
        except asyncio.IncompleteReadError:
            return
        await reader.readexactly(int(headers["content-length"]))
        self.received.append((request_line.split()[1], time.monotonic()))
        writer.write(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async def wait_for(self, count: int) -> list[tuple[str, float]]:
        """Return what was received since the last time, once it is so many messages or nothing more can come."""
        until = time.monotonic() + PUSH_TIMEOUT
        while len(self.received) < count and time.monotonic() < until:
            await asyncio.sleep(0.1)
        received, self.received = self.received, []
        return received


async def read_head(reader: asyncio.StreamReader) -> tuple[str, dict[str, str]]:
    """Return the first line of an HTTP message, and its headers by their names in lower case."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").strip().split("\r\n")
    pairs = (line.partition(": ") for line in lines)
    return first, {name.lower(): value for name, _colon, value in pairs}


async def run_spectators(board: str, bike_ids: Sequence[str]) -> None:
    """Open the pages of all spectators, then do what the lines of standard input say.

    A line is the id of a bike whose row has changed, or the number of messages to wait for. After the latter, print
    those messages, and the responses with the rows since the last time.
    """
    rows = [PinnedRow(board, bike_ids[number % len(bike_ids)]) for number in range(PINNED)]
    for row in rows:
        await row.load()
    push_service, tasks = PushService(), []
    async with await asyncio.start_server(push_service.accept, "127.0.0.1", PUSH_PORT):
        print_json("open")
        async for line in await read_lines():
            value = json.loads(line)
            if isinstance(value, str):
                changed = [row for row in rows if row.bike_id == value]
                tasks += [asyncio.create_task(row.load(random.uniform(0, MAX_DELAY))) for row in changed]
            else:
                messages = await push_service.wait_for(value)
                print_json({"rows": await asyncio.gather(*tasks), "messages": messages})
                tasks = []


# The measuring process


@dataclass
class Arm:
    """What was measured with followers, or without.

    Each is a list of rounds.

    Attributes:
        fanout: from publishing a change until each viewer has read it.
        written: until the bare writer's last viewer has the same bytes.
        recorded, shown: of turns, as in `MeasuredTurn`.
    """

    fanout: list[Times] = field(default_factory=list)
    written: list[Times] = field(default_factory=list)
    recorded: list[Times] = field(default_factory=list)
    shown: list[Times] = field(default_factory=list)

    def add_round(self) -> None:
        """Begin a round."""
        for rounds in (self.fanout, self.written, self.recorded, self.shown):
            rounds.append([])


@dataclass
class Followers:
    """The spectators' process, and what became of what they asked for.

    Attributes:
        rows: how long each response with a pinned row took.
        delivered: for each turn, how long it took until the last of its messages was received.
        messages: how many were received; `missing` how many were not.
    """

    process: ChildProcess
    targets: Mapping[str, tuple[Bike, PushTarget]]
    rows: Times = field(default_factory=list)
    delivered: Times = field(default_factory=list)
    messages: int = 0
    missing: int = 0

    def subscribe(self, ride: LiveRide) -> None:
        """Let every browser follow its bike."""
        from scorekeeper.push.services import follow

        for bike, target in self.targets.values():
            follow(ride.event, ride.contest, bike, target, "en")

    def unsubscribe(self) -> None:
        """Let every browser follow nothing any more."""
        from scorekeeper.push.services import stop_following

        for _bike, target in self.targets.values():
            stop_following(target.endpoint)

    def collect(self, turns: Sequence[MeasuredTurn]) -> None:
        """Wait for the rows and messages of a round."""
        due = {
            path: turn for path, (bike, _target) in self.targets.items() for turn in turns if turn.bike_id == bike.pk
        }
        self.process.write(len(due))
        reply = self.process.read()
        assert {status for status, _seconds in reply["rows"]} <= {OK, NOT_MODIFIED}
        self.rows += [seconds for _status, seconds in reply["rows"]]
        last = {path: at for path, at in reply["messages"] if path in due}
        self.messages += len(last)
        self.missing += len(due) - len(last)
        self.delivered += [
            max(at - turn.start for path, at in last.items() if due[path] is turn)
            for turn in turns
            if any(due[path] is turn for path in last)
        ]


def make_followers(ride: LiveRide) -> Followers:
    """Start the process of the spectators, each with a bike, and make the keys of their browsers."""
    from scorekeeper.push.endpoints import PushTarget
    from tests.scorekeeper.push.conftest import Browser

    process = ChildProcess(__file__, "spectators", ride.board, *(str(bike.pk) for bike in ride.bikes))
    targets = {}
    for number in range(SUBSCRIPTIONS):
        browser = Browser(f"http://127.0.0.1:{PUSH_PORT}/send/{number}")
        bike = ride.bikes[number % len(ride.bikes)]
        targets[f"/send/{number}"] = bike, PushTarget.from_json(browser.description)
    return Followers(process, targets)


def main() -> int:
    before = os.getloadavg()[0]
    # The receiver is on this machine.
    with serve_demo(WEBHOOKS_TO_LOOPBACK="yes", PUSH_CONTACT="mailto:club@example.org") as services:
        worker = (*WORKER, "--queues", "push", "--pool", "threads", "--concurrency", "8")
        with running(*worker, **QUIET), running(sys.executable, "manage.py", "sweep", **QUIET):
            return int(measure(services, before))


def measure(services: Services, before: float) -> bool:
    import django

    django.setup()
    from benchmarks.live_ride import LiveRide

    ride = LiveRide()
    alone, followed = Arm(), Arm()
    followers = make_followers(ride)
    with (
        followers.process,
        ViewerProcess(PORTS["web"], ride.stream) as ours,
        ViewerProcess(PORTS["bare"], "/") as theirs,
    ):
        ours.wait_for_event()  # the full leaderboard
        for number in range(2 * ROUNDS):
            arm = followed if number % 2 else alone
            arm.add_round()
            if arm is followed:
                followers.subscribe(ride)
            turns = []
            for _ in range(TURNS):
                to_ours, to_theirs = measure_fanout(ride, ours, services.bare, theirs)
                arm.fanout[-1] += to_ours
                arm.written[-1].append(max(to_theirs))
                time.sleep(PAUSE_SECONDS)
                turn = measure_turn(ride, ours)
                turns.append(turn)
                arm.recorded[-1].append(turn.recorded)
                arm.shown[-1].append(turn.shown)
                if arm is followed:
                    followers.process.write(str(turn.bike_id))
                time.sleep(PAUSE_SECONDS)
            if arm is followed:
                followers.collect(turns)
                followers.unsubscribe()
    return report(alone, followed, followers, before)


def report(alone: Arm, followed: Arm, followers: Followers, before: float) -> bool:
    """Print the figures, and return whether the goal was missed.

    Args:
        before: the load average before anything was started.
    """
    print(f"{VIEWERS} viewers, medians of {ROUNDS} rounds each, alone and followed: with {PINNED} pinned bikes and")
    print(f"{SUBSCRIPTIONS} push subscriptions")
    alone_sending, alone_shown = report_arm("alone", alone)
    followed_sending, followed_shown = report_arm("followed", followed)
    rows, delivered = followers.rows, followers.delivered
    print(f"{len(rows)} pinned rows asked for, p50 {median(rows) * 1000:.1f} ms, p99 {get_p99(rows) * 1000:.1f} ms")
    print(f"{followers.messages} push messages received, {followers.missing} missing; from a turn to its last message")
    print(f"p50 {median(delivered):.1f} s, at most {max(delivered):.1f} s")
    print(f"load average on {os.cpu_count()} cores before {before:.1f}, after {os.getloadavg()[0]:.1f}")
    ratio = followed_shown / alone_sending
    print("p99 of a turn to the last screen against recording and sending in the same arm:")
    print(f"alone {alone_shown / alone_sending:.2f}, followed {followed_shown / followed_sending:.2f}")
    print(f"followed against recording and sending alone: {ratio:.2f} (goal: at most {DELIVERY_GOAL})")
    return followers.missing > 0 or ratio > DELIVERY_GOAL


def report_arm(name: str, arm: Arm) -> tuple[float, float]:
    """Print what an arm took; return the p99 of recording and sending, and of a turn to the last screen."""
    written = print_times(f"{name}: bare writer, to its last connection", arm.written)
    fanout = print_times(f"{name}: published to read", arm.fanout)
    recorded = print_times(f"{name}: a turn recorded", arm.recorded)
    shown = print_times(f"{name}: a turn on the last of all screens", arm.shown)
    print(f"{name}: the last of them against the bare writer: p99 {shown / written:.2f}")
    return recorded + fanout, shown


if __name__ == "__main__":
    raise_file_limit()
    match sys.argv[1:]:
        case ["spectators", board, *bike_ids]:
            asyncio.run(run_spectators(board, bike_ids))
        case _:
            sys.exit(main())
