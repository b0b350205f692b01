"""A phone's queue of 100 rolls in one request: ``python benchmarks/sending_a_queue.py``.

Three arms on one PostgreSQL, each with eight clients:

- tailgunner: eight phones that each send queues of 100 turns to `POST /api/v1/operations`, everything included, under a
  WSGI server with a process for each phone; the figure counts operations, not requests;
- pgbench: PostgreSQL's own benchmark, with eight clients that insert one row per transaction, each committed to disk;
- bare batch: a Django view under the same server that inserts the hundred rows it is sent, and nothing else. It has no
  goal: it shows what a request of a hundred can achieve at most, given what a commit to disk costs here.

The arms take turns within a round, and the medians of five rounds are compared. The script needs PostgreSQL with
pgbench, where it can create databases, and a Redis: database 9 on this machine, or BENCH_REDIS_URL; it is emptied at
the end.

The script exits with status 1 if Tailgunner records less than 0.5 operations for each transaction of pgbench.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from statistics import median

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

import psycopg  # noqa: E402 - the path is set above
import redis  # noqa: E402

from benchmarks.scratch import scratch_database  # noqa: E402
from benchmarks.serving import ride as rides  # noqa: E402
from benchmarks.serving.clients import CLIENTS, NextRequest, make_post, measure_throughput  # noqa: E402
from benchmarks.serving.servers import run_code, serve  # noqa: E402

ROUNDS = 5
SECONDS = int(os.environ.get("BENCH_SECONDS", "3"))  # the time of an arm per round
GOAL = 0.5
QUEUE = 100
BIKES = 24_000
BROKER = os.environ.get("BENCH_REDIS_URL", "redis://127.0.0.1:6379/9")
INSERT = "INSERT INTO roll (body, at) VALUES (repeat('x', 300), now());\n"


def list_queue_requests(ride: rides.Ride) -> list[NextRequest]:
    """Return the requests of each phone, which sends the turns of a share of the bikes, a hundred at a time."""
    share = len(ride.bikes) // CLIENTS

    def make(phone: int) -> NextRequest:
        bikes = ride.bikes[phone * share : (phone + 1) * share]
        turns = rides.Ride(ride.contest, ride.slots, bikes, ride.cookies).list_turns()

        def list_requests() -> Iterator[bytes]:
            while queue := list(islice(turns, QUEUE)):
                yield make_post("/api/v1/operations", {"operations": queue}, [ride.cookies[phone]])

        requests = list_requests()
        return lambda: next(requests, None)

    return [make(phone) for phone in range(CLIENTS)]


def list_bare_requests() -> list[NextRequest]:
    """Return the requests of each client, which sends a hundred rows of 300 characters repeatedly."""
    request = make_post("/record/many", [{"card": 1, "body": "x" * 300}] * QUEUE)
    return [lambda: request] * CLIENTS


def run_pgbench(database: str, script: Path) -> float:
    """Return the transactions that pgbench committed per second."""
    command = ["pgbench", "-n", "-c", str(CLIENTS), "-j", "2", "-T", str(SECONDS), "-f", str(script), database]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = re.search(r"^tps = ([\d.]+)", output, re.MULTILINE)
    assert found is not None, output
    return float(found[1])


def main() -> int:
    speeds: dict[str, list[float]] = {"tailgunner": [], "bare batch": [], "pgbench": []}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        own, bare, plain = (stack.enter_context(scratch_database(name)) for name in ("own", "bare", "plain"))
        run_code("from benchmarks.serving import bare_django as b; b.make_tables(1)", bare)
        with psycopg.connect(plain) as connection:
            connection.execute("CREATE TABLE roll (id bigserial PRIMARY KEY, body text, at timestamptz)")
        script = folder / "insert.sql"
        script.write_text(INSERT)
        broker = stack.enter_context(redis.Redis.from_url(BROKER))
        stack.callback(broker.flushdb)
        environment = rides.make_environment(own, folder, BROKER)
        ride = rides.make_ride(BIKES, CLIENTS)
        phones = list_queue_requests(ride)
        port = stack.enter_context(serve("config.wsgi:application", environment, folder / "log"))
        bare_view = "benchmarks.serving.bare_django:application"
        bare_port = stack.enter_context(serve(bare_view, {"DATABASE_URL": bare}, folder / "bare.log"))
        for server_port, clients in ((port, phones), (bare_port, list_bare_requests())):
            measure_throughput(server_port, clients, 0.5)  # so that every process has its connection
        for _ in range(ROUNDS):
            speeds["tailgunner"].append(QUEUE * measure_throughput(port, phones, SECONDS))
            speeds["bare batch"].append(QUEUE * measure_throughput(bare_port, list_bare_requests(), SECONDS))
            speeds["pgbench"].append(run_pgbench(plain, script))
    for name, measured in speeds.items():
        print(f"{name:12} {median(measured):8,.0f} a second   ({min(measured):,.0f} to {max(measured):,.0f})")
    ratio, most = (median(speeds[name]) / median(speeds["pgbench"]) for name in ("tailgunner", "bare batch"))
    print(f"ratio to pgbench, in operations: {ratio:.2f} (goal: {GOAL} or more); the bare batch reaches {most:.2f}")
    return 0 if ratio >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
