"""Data folders to start the program with: a migrated database, collected static files and rides of the demo.

A test run creates each folder once and copies it. `python -m tests.demo_data parks setup ...` fills the data folder of
its environment with a demo ride for each named stage, and prints the addresses of the rides as JSON.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment
from tests.shared_folder import make_once

DATABASE = "tailgunner.sqlite3"
RIDES = "rides.json"
# After the name of a stage: nothing is played at the tables of the ride, which takes longer than all its turns.
NO_TABLES = "-no-tables"
ADDRESS = re.compile(r"^(\w+) +https?://[^/\s]+(\S*)$", re.MULTILINE)
ACCOUNT = re.compile(r"^ +(\S+) / (.+)$", re.MULTILINE)


class DemoRide(NamedTuple):
    """The paths of a demo ride.

    Attributes:
        desk: the organiser pages.
        board: the leaderboard.
        table: the crew page of a table in play; empty before the barbecue.
    """

    desk: str
    board: str
    table: str = ""

    @property
    def slug(self) -> str:
        """The name of the ride in URLs."""
        return self.desk.strip("/").rpartition("/")[2]


def read_ride(printed: str) -> DemoRide:
    """Return the ride that `manage.py demo` has loaded, from its output."""
    found = dict(ADDRESS.findall(printed))
    return DemoRide(found["Organiser"], found["Leaderboard"], found.get("Table", ""))


def read_account(printed: str) -> tuple[str, str]:
    """Return name and password of the demo's organiser, from the output of `manage.py demo`."""
    found = ACCOUNT.search(printed)
    assert found, printed
    return found[1], found[2]


class LoadedRides(NamedTuple):
    """The organiser's account and the rides of a data folder, by the stage that each has reached."""

    organiser: tuple[str, str]
    rides: Mapping[str, list[DemoRide]]


def copy_data(data: Path, points: Iterable[str] = ()) -> LoadedRides:
    """Fill an empty data folder and return its rides.

    Args:
        points: stages of the demo, with `NO_TABLES` or without. One ride is loaded for each; a stage can be given more
            than once.
    """
    wanted = tuple(points)
    name = "-".join(["data", *(f"{count}-{point}" for point, count in Counter(wanted).items())])
    made = make_once(name, partial(_make_data, wanted))
    copy = partial(shutil.copytree, made, data, dirs_exist_ok=True)
    copy(ignore=shutil.ignore_patterns("static"))
    _link_static(made, data)
    if not wanted:
        return LoadedRides(("", ""), {})
    loaded = json.loads((data / RIDES).read_text("utf-8"))
    rides = {point: [DemoRide(*paths) for paths in at_point] for point, at_point in loaded["rides"].items()}
    return LoadedRides((loaded["organiser"][0], loaded["organiser"][1]), rides)


def make_empty_data() -> Path:
    """Return the folder with a migrated database and static files that all others are made from."""
    return make_once("data", partial(_make_data, ()))


def copy_static(data: Path) -> None:
    """Copy only the collected static files into a data folder."""
    data.mkdir(exist_ok=True)
    _link_static(make_empty_data(), data)


def _link_static(made: Path, data: Path) -> None:
    # Static files are replaced but never changed, so the copies can share them.
    shutil.copytree(made / "static", data / "static", copy_function=os.link, dirs_exist_ok=True)
    shutil.copy(made / "static.digest", data)


def _make_data(points: tuple[str, ...], data: Path) -> None:
    if points:
        copy_data(data)
    printed = fill_data(data, points)
    if points:
        (data / RIDES).write_text(printed, "utf-8")
    # Every process that serves a copy gets its own secret and queue.
    (data / "secret-key").unlink(missing_ok=True)
    shutil.rmtree(data / "celery", ignore_errors=True)


def fill_data(data: Path, points: Iterable[str] = (), **variables: str) -> str:
    """Run this module for a data folder, with these variables in its environment; return what it prints."""
    command = [sys.executable, "-m", "tests.demo_data", *points]
    env = make_environment(data, DJANGO_SETTINGS_MODULE="config.settings", **variables)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=5 * TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
    return done.stdout


def main(points: list[str]) -> None:
    """Migrate and collect static files, or, if stages are given, load rides."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from scorekeeper.common.static_files import collect_static_files
    from scorekeeper.desk.management.commands import demo
    from scorekeeper.standings.services.sweeper import refresh_stale_contests

    if not points:
        call_command("migrate", verbosity=0)
        collect_static_files()
        return
    rides: dict[str, list[DemoRide]] = {}
    printed = ""
    # Nobody needs these data if the machine stops now.
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous = OFF")
    # The command checks the organiser's password for each ride, which takes half as long as a ride itself.
    with patch.object(demo, "_get_organiser", cache(demo._get_organiser)):
        for point in points:
            output = io.StringIO()
            stage = point.removesuffix(NO_TABLES)
            with patch.object(demo, "play_tables") if point != stage else nullcontext():
                call_command("demo", until=stage, stdout=output)
            printed = output.getvalue()
            rides.setdefault(point, []).append(read_ride(printed))
    # Do the work of a worker.
    while refresh_stale_contests():
        pass
    sys.stdout.write(json.dumps({"organiser": read_account(printed), "rides": rides}))


if __name__ == "__main__":
    main(sys.argv[1:])
