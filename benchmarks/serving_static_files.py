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
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.scratch import start_django

start_django("")

from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.handlers.asgi import ASGIHandler

from scorekeeper.common.static_files import collect_static_files
from scorekeeper.common.static_middleware import StaticFilesMiddleware

FILE = "css/tokens.css"
REQUESTS, WARM_UP = 1000, 100
GOAL = 4.0
HEADERS = {"host": "127.0.0.1", "accept": "text/css,*/*;q=0.1", "accept-encoding": "gzip, deflate, br", "cookie": "a=b"}


async def request(application: Any, path: str) -> int:
    """Request a file; return the number of bytes of the body."""
    sent: list[Any] = []
    coming = [{"type": "http.request", "body": b"", "more_body": False}]
    lines = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "scheme": "http"}
    scope |= {"query_string": b"", "headers": lines, "http_version": "1.1", "root_path": "", "server": ("a", 80)}

    async def receive() -> Any:
        if not coming:
            await asyncio.Event().wait()  # Django stops listening once it has answered
        return coming.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    await application(scope, receive, send)
    assert sent[0]["status"] == 200
    return sum(len(message.get("body", b"")) for message in sent)


async def measure() -> dict[str, list[float]]:
    """Return the CPU times of the arms' requests in seconds."""
    django = ASGIHandler()
    arms = {"in front of Django": StaticFilesMiddleware(django), "by Django": django}
    spent: dict[str, list[float]] = {name: [] for name in arms}
    sizes, path = set(), staticfiles_storage.url(FILE)
    for number in range(WARM_UP + REQUESTS):
        for name, application in arms.items():
            start = time.process_time()
            sizes.add(await request(application, path))
            if number >= WARM_UP:
                spent[name].append(time.process_time() - start)
    assert len(sizes) == 1
    return spent


def main() -> int:
    collect_static_files()
    spent = asyncio.run(measure())
    for name, times in spent.items():
        low, high = sorted(times)[len(times) // 10], sorted(times)[-len(times) // 10]
        span = f"{low * 1000:.2f} to {high * 1000:.2f}, {len(times)} requests"
        print(f"{name:18} {median(times) * 1000:.2f} ms CPU a file   ({span})")
    ratio = median(spent["by Django"]) / median(spent["in front of Django"])
    print(f"Django takes {ratio:.1f} times as long (goal: {GOAL:g} or more)")
    return 0 if ratio >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
