"""What it buys to serve static files in front of Django under ASGI: ``python benchmarks/serving_static_files.py``.

The same small file is requested from the ASGI application in this process, without a server. Two arms take turns,
request by request: `scorekeeper.common.static_middleware`, and WhiteNoise's middleware inside Django. The medians of
the CPU time of a request, threads included, are compared.

The middleware is code of our own beside a library's, so it has to be worth it: the script exits with status 1 if Django
takes less than 4 times as long.
"""

# ruff: noqa: T201, E402 - a benchmark prints its figures; Django is set up before what needs it is imported

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from statistics import median

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.cpu_times import print_times
from benchmarks.scratch import start_django

start_django("")

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.handlers.asgi import ASGIHandler

from scorekeeper.common.static_files import collect_static_files
from scorekeeper.common.static_middleware import StaticFilesMiddleware
from tests.asgi_requests import request

FILE = "css/tokens.css"
REQUESTS, WARM_UP = 1000, 100
GOAL = 4.0
HEADERS = {"host": "127.0.0.1", "accept": "text/css,*/*;q=0.1", "accept-encoding": "gzip, deflate, br", "cookie": "a=b"}


async def measure() -> dict[str, list[float]]:
    """Return the CPU times of the arms' requests in seconds."""
    django = ASGIHandler()
    arms = {"in front of Django": StaticFilesMiddleware(django), "by Django": django}
    spent: dict[str, list[float]] = {name: [] for name in arms}
    sizes, path = set(), staticfiles_storage.url(FILE)
    for number in range(WARM_UP + REQUESTS):
        for name, application in arms.items():
            start = time.process_time()
            first, *rest = await request(application, path, headers=HEADERS)
            taken = time.process_time() - start
            assert first["status"] == 200
            sizes.add(sum(len(message.get("body", b"")) for message in rest))
            if number >= WARM_UP:
                spent[name].append(taken)
    assert len(sizes) == 1
    return spent


def main() -> int:
    collect_static_files()
    spent = asyncio.run(measure())
    print_times(spent, "file", "requests")
    ratio = median(spent["by Django"]) / median(spent["in front of Django"])
    print(f"Django takes {ratio:.1f} times as long (goal: {GOAL:g} or more)")
    return 0 if ratio >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
