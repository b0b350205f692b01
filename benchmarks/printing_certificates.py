"""200 certificates as one PDF, against 200 pages of scorecards: ``python benchmarks/printing_certificates.py``.

200 bikes have rolled, each with a certificate that has the club's logo. In each round, in turn: reading what the
certificates say; that and laying them out; the leaderboard's page; and the pages of the 200 scorecards, as everyone can
open and print them, through all middleware. Every rider has another name in each round, because the library that lays
out remembers parts of its last documents. Figures are medians of the CPU time of this process with all its threads. The
first PDF of a process is timed too: it reads the fonts.

The script exits with status 1 if the PDF takes more than half as long as the 200 pages.
"""

# ruff: noqa: T201 - a benchmark prints its figures

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from uuid import uuid4

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from benchmarks.scratch import scratch_database, start_django  # noqa: E402 - the path is set above

SEATS = 200
ROUNDS = 3
GOAL = 0.5  # of the 200 pages


def prepare() -> tuple[Callable[[], None], dict[str, Callable[[], bytes]]]:
    """Fill the database. Returns what gives all riders new names, and by name what is made."""
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.urls import reverse
    from django.utils import timezone
    from PIL import Image

    from scorekeeper.players.models import Player
    from scorekeeper.prints.paper import Paper
    from scorekeeper.prints.print_document import PrintDocument
    from scorekeeper.prints.print_kinds import KINDS
    from scorekeeper.prints.print_source import PrintSource
    from scorekeeper.prints.services import change_certificates
    from tests.scorekeeper.large_ride import make_large_ride

    call_command("collectstatic", interactive=False, verbosity=0)
    ride = make_large_ride(User.objects.create(username="alice"), SEATS)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    logo = io.BytesIO()
    Image.effect_noise((600, 300), 60).save(logo, "PNG")
    change_certificates(ride.event, "", "", "Ride captain", ("image/png", logo.getvalue()))
    client = Client(SERVER_NAME="localhost")
    names = [ride.event.slug, ride.yahtzee.slug]
    cards = [reverse("results:bike", args=[*names, bike.pk]) for bike in ride.bikes]

    def rename() -> None:
        for player in ride.players:
            player.name = f"Rider {uuid4().hex[:16]}"
        Player.objects.bulk_update(ride.players, ["name"])

    def read() -> PrintDocument:
        return KINDS["certificates"].make(PrintSource(ride.event, ride.yahtzee, Paper.A4))

    def show(*urls: str) -> bytes:
        pages = [client.get(url) for url in urls]
        assert all(page.status_code == 200 for page in pages)
        return b"".join(page.content for page in pages)

    return rename, {
        "reading them": lambda: str(read().body).encode(),
        "the PDF": lambda: read().make_pdf(timezone.now()),
        "the leaderboard": lambda: show(reverse("results:leaderboard", args=names)),
        f"{SEATS} pages": lambda: show(*cards),
    }


def main() -> int:
    seconds: dict[str, list[float]] = {}
    sizes: dict[str, int] = {}
    with scratch_database("certificates") as url:
        start_django(url)
        rename, arms = prepare()
        for _ in range(ROUNDS + 1):
            rename()
            for name, make in arms.items():
                start = process_time()
                sizes[name] = len(make())
                seconds.setdefault(name, []).append(process_time() - start)
        from django.db import connections

        connections.close_all()
    times = {name: median(values[1:]) for name, values in seconds.items()}
    base = times[f"{SEATS} pages"]
    print(f"{SEATS} certificates on A4; seconds of CPU time")
    for name, taken in times.items():
        print(f"{name:16} {taken:6.3f} s  {taken / base:5.3f} of the {SEATS} pages  {sizes[name]:9,} bytes")
    print(f"the first PDF of the process: {seconds['the PDF'][0]:.3f} s")
    ratio = times["the PDF"] / base
    print(f"the PDF takes {ratio:.2f} of {SEATS} pages (goal: {GOAL} or less)")
    print(f"and {times['the PDF'] / times['the leaderboard']:.0f} times as long as the leaderboard of {SEATS}")
    return 0 if ratio <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
