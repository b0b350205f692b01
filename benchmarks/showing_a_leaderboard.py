"""The leaderboard of 880 seats: ``python benchmarks/showing_a_leaderboard.py``.

It requests the full page, through all middleware, and the fragment that a page fetches when something has changed. The
bare arm renders the minimum from the same rows: one query for the rows and a Django template with a plain table of four
columns, without middleware. The environment may set TABBYCAT to a checkout of Tabbycat whose settings point to a
database with 880 teams and five rounds, and TABBYCAT_PYTHON to the interpreter it is installed in. Then Tabbycat's
public team tab is requested in the same rounds. Otherwise our figures are compared with a measurement on another
machine: 3.8 s, 3 MB, 27 queries.

Rounds are interleaved, and the medians of five rounds are compared. The script exits with status 1 unless our page is
fifty times faster and ten times smaller than the team tab.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.scratch import scratch_database, start_django  # noqa: E402 - the path is set above

SEATS = 880
ROUNDS = 5
FASTER, SMALLER = 50, 10
TABBYCAT_ELSEWHERE = {"ms": 3800.0, "bytes": 3_000_000, "gzip": 0, "statements": 27}
BARE = """<table>{% for row in rows %}<tr><td>{{ forloop.counter }}</td><td>{{ row.bike.number }}</td>
<td>{{ row.turns_done }}</td><td>{{ row.total }}</td></tr>{% endfor %}</table>"""

# Run by Tabbycat's own interpreter in its own folder; its cache is cleared before each request.
TABBYCAT_PROGRAM = """
import gzip, json, logging, sys, time
sys.path.insert(0, ".")
logging.disable(logging.CRITICAL)
import django
django.setup()
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from tournaments.models import Tournament
client, address = Client(), "/%s/tab/team/" % Tournament.objects.get().slug
print("ready", flush=True)
for line in sys.stdin:
    cache.clear()
    start = time.perf_counter()
    page = client.get(address)
    taken = (time.perf_counter() - start) * 1000
    cache.clear()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    print(json.dumps({"ms": taken, "bytes": len(page.content), "gzip": len(gzip.compress(page.content, 6)),
                      "statements": len(queries)}), flush=True)
"""

Figures = dict[str, float]


def measure(get: Callable[[], bytes]) -> Figures:
    """Return a response's time, its size plain and with gzip, and its number of queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    start = perf_counter()
    content = get()
    taken = (perf_counter() - start) * 1000
    with CaptureQueriesContext(connection) as queries:
        get()
    return {"ms": taken, "bytes": len(content), "gzip": len(gzip.compress(content, 6)), "statements": len(queries)}


def list_arms() -> dict[str, Callable[[], bytes]]:
    """Fill the database, and return our arms by name."""
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection
    from django.template import Context, Template
    from django.test import Client
    from django.urls import reverse

    from scorekeeper.standings.models import StandingsRow
    from tests.scorekeeper.large_ride import make_large_ride

    call_command("collectstatic", interactive=False, verbosity=0)
    ride = make_large_ride(User.objects.create(username="alice"), SEATS)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    client = Client(SERVER_NAME="localhost")
    address = reverse("results:leaderboard", args=[ride.event.slug, ride.yahtzee.slug])
    template = Template(BARE)
    rows = StandingsRow.objects.filter(contest=ride.yahtzee).select_related("bike").order_by("-order_key", "tie_key")

    def show(**headers: Any) -> bytes:
        response = client.get(address, headers=headers)
        assert response.status_code == 200
        return response.content

    return {
        "our page": show,
        "our fragment": lambda: show(**{"HX-Request": "true"}),
        "bare table": lambda: template.render(Context({"rows": rows.all()})).encode(),
    }


def start_tabbycat() -> subprocess.Popen[str] | None:
    """Return Tabbycat in a separate process, or None if TABBYCAT is not set."""
    folder = os.environ.get("TABBYCAT")
    if not folder:
        return None
    process = subprocess.Popen(
        [os.environ["TABBYCAT_PYTHON"], "-c", TABBYCAT_PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=folder,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "settings"},
    )
    assert process.stdout
    while process.stdout.readline().strip() != "ready":
        pass
    return process


def measure_tabbycat(process: subprocess.Popen[str]) -> Figures:
    """Run one measurement in Tabbycat's process."""
    assert process.stdin
    assert process.stdout
    print(file=process.stdin, flush=True)
    figures: Figures = json.loads(process.stdout.readline())
    return figures


def main() -> int:
    tabbycat = start_tabbycat()
    measured: dict[str, list[Figures]] = {}
    with scratch_database("leaderboard") as url:
        start_django(url)
        arms = list_arms()
        for number in range(ROUNDS + 1):
            for name, get in arms.items():
                figures = measure(get)
                if number:  # the first round fills caches
                    measured.setdefault(name, []).append(figures)
            if tabbycat and number:
                measured.setdefault("Tabbycat's tab", []).append(measure_tabbycat(tabbycat))
        from django.db import connections

        connections.close_all()
    if tabbycat:
        assert tabbycat.stdin
        tabbycat.stdin.close()
        tabbycat.wait()
    else:
        measured["Tabbycat, elsewhere"] = [TABBYCAT_ELSEWHERE]
    medians = {
        name: {unit: median(figures[unit] for figures in rounds) for unit in TABBYCAT_ELSEWHERE}
        for name, rounds in measured.items()
    }
    for name, figures in medians.items():
        print(
            f"{name:20} {figures['ms']:9.1f} ms  {figures['bytes']:9,.0f} bytes, gzip {figures['gzip']:7,.0f}  "
            f"{figures['statements']:3.0f} queries"
        )
    ours, theirs = medians["our page"], medians[list(medians)[-1]]
    faster, smaller = theirs["ms"] / ours["ms"], theirs["bytes"] / ours["bytes"]
    print(f"our page takes {ours['ms'] / medians['bare table']['ms']:.1f} times as long as the bare table")
    print(f"{faster:.0f} times faster than the team tab (goal: {FASTER} or more)")
    print(f"{smaller:.1f} times smaller than the team tab (goal: {SMALLER} or more)")
    return 0 if faster >= FASTER and smaller >= SMALLER else 1


if __name__ == "__main__":
    sys.exit(main())
