"""One roll recorded over HTTP, everything included: ``python benchmarks/recording_rolls.py``.

Three arms under the same WSGI server (a process for each client) on one PostgreSQL, with eight clients:

- tailgunner: a phone's turn, with the device's cookie, the rules, the idempotency, the log, the projection and the
  message that refreshes the standings;
- bare django: a view that locks a row, inserts another and updates the first, and nothing else, not even middleware;
- raw wsgi: a function that runs one insert on PostgreSQL.

The arms take turns within a round, and the medians of five rounds are compared. The script needs a PostgreSQL where it
can create databases, and a Redis: database 9 on this machine, or BENCH_REDIS_URL; it is emptied at the end.

The script exits with status 1 if Tailgunner records less than 0.7 times what the bare view does, or less than 0.15
times what the raw function does.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count, cycle
from pathlib import Path
from statistics import median

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

import redis  # noqa: E402 - the path is set above

from benchmarks.scratch import scratch_database  # noqa: E402
from benchmarks.serving import ride as rides  # noqa: E402
from benchmarks.serving.clients import CLIENTS, NextRequest, make_post, measure_throughput  # noqa: E402
from benchmarks.serving.servers import run_code, serve  # noqa: E402

ROUNDS = 5
SECONDS = float(os.environ.get("BENCH_SECONDS", "3"))  # the time of an arm per round
GOALS = {"bare django": 0.7, "raw wsgi": 0.15}
BIKES = 3000
BARE_CARDS = 4000
BROKER = os.environ.get("BENCH_REDIS_URL", "redis://127.0.0.1:6379/9")


def list_turn_requests(ride: rides.Ride) -> list[NextRequest]:
    """Return the requests of each phone, which records a share of the turns."""
    turns = list(ride.list_turns())

    def make(phone: int) -> NextRequest:
        cookie = ride.cookies[phone]
        share: Iterator[bytes] = (
            make_post("/api/v1/operations", {"operations": [turn]}, [cookie]) for turn in turns[phone::CLIENTS]
        )
        return lambda: next(share, None)

    return [make(phone) for phone in range(CLIENTS)]


def list_bare_requests() -> list[NextRequest]:
    body = {"body": "x" * 300}

    def make(client: int) -> NextRequest:
        cards = cycle(range(client + 1, BARE_CARDS + 1, CLIENTS))
        return lambda: make_post(f"/record/{next(cards)}", body)

    return [make(client) for client in range(CLIENTS)]


def list_raw_requests() -> list[NextRequest]:
    numbers = count(1)
    return [lambda: make_post("/", {"roll": next(numbers), "body": "x" * 300}) for _ in range(CLIENTS)]


def main() -> int:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        own, bare, raw = (stack.enter_context(scratch_database(name)) for name in ("own", "bare", "raw"))
        run_code(f"from benchmarks.serving import bare_django as b; b.make_tables({BARE_CARDS})", bare)
        run_code("from benchmarks.serving import raw_wsgi as r; r.make_table()", raw)
        broker = stack.enter_context(redis.Redis.from_url(BROKER))
        stack.callback(broker.flushdb)
        environment = rides.make_environment(own, folder, BROKER)
        ride = rides.make_ride(BIKES, CLIENTS)
        arms: dict[str, tuple[str, dict[str, str], list[NextRequest]]] = {
            "tailgunner": ("config.wsgi", environment, list_turn_requests(ride)),
            "bare django": ("benchmarks.serving.bare_django", {"DATABASE_URL": bare}, list_bare_requests()),
            "raw wsgi": ("benchmarks.serving.raw_wsgi", {"DATABASE_URL": raw}, list_raw_requests()),
        }
        ports = {
            name: stack.enter_context(serve(f"{module}:application", variables, folder / f"{name}.log"))
            for name, (module, variables, _clients) in arms.items()
        }
        for name, (_module, _variables, clients) in arms.items():
            measure_throughput(ports[name], clients, 0.5)  # so that every process has its connection
        speeds: dict[str, list[float]] = {name: [] for name in arms}
        for _ in range(ROUNDS):
            for name, (_module, _variables, clients) in arms.items():
                speeds[name].append(measure_throughput(ports[name], clients, SECONDS))
    for name, measured in speeds.items():
        print(f"{name:12} {median(measured):8,.0f} a second   ({min(measured):,.0f} to {max(measured):,.0f})")
    ratios = {name: median(speeds["tailgunner"]) / median(speeds[name]) for name in GOALS}
    for name, ratio in ratios.items():
        print(f"ratio to {name}: {ratio:.2f} (goal: {GOALS[name]} or more)")
    return 0 if all(ratios[name] >= goal for name, goal in GOALS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
