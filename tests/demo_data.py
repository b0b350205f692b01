"""Data folders to start the program on: the database migrated, the static files collected, rides of the demo loaded.

Both are made once a run and copied. `python -m tests.demo_data parks setup ...` fills the data folder of its
environment with a ride for every point of the day that it names, and prints how to reach them as JSON.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment
from tests.shared_folder import make_once

DATABASE = "tailgunner.sqlite3"
RIDES = "rides.json"
ADDRESS = re.compile(r"^(\w+) +https?://[^/\s]+(\S*)$", re.MULTILINE)
ACCOUNT = re.compile(r"^ +(\S+) / (.+)$", re.MULTILINE)


class DemoRide(NamedTuple):
    """A ride of the demo, as paths.

    Attributes:
        desk: its organiser pages.
        board: its leaderboard.
        table: a table in play, for the crew; empty before the barbecue.
    """

    desk: str
    board: str
    table: str = ""

    @property
    def slug(self) -> str:
        """The name of the ride in addresses."""
        return self.desk.strip("/").rpartition("/")[2]


def read_ride(printed: str) -> DemoRide:
    """Return the ride that `manage.py demo` has loaded, by what it printed."""
    found = dict(ADDRESS.findall(printed))
    return DemoRide(found["Organiser"], found["Leaderboard"], found.get("Table", ""))


def read_account(printed: str) -> tuple[str, str]:
    """Return name and password of the demo's organiser, by what `manage.py demo` printed."""
    found = ACCOUNT.search(printed)
    assert found, printed
    return found[1], found[2]


class LoadedRides(NamedTuple):
    """The rides of a data folder, by the point of the day that each has reached, and the organiser's account."""

    organiser: tuple[str, str]
    rides: Mapping[str, list[DemoRide]]


def copy_data(data: Path, points: Iterable[str] = ()) -> LoadedRides:
    """Fill an empty data folder; return the rides that are in it.

    Args:
        points: of the demo's day; one ride is loaded for each, as often as it is named.
    """
    wanted = tuple(points)
    name = "-".join(["data", *wanted])
    made = make_once(name, partial(_make_data, wanted))
    copy = partial(shutil.copytree, made, data, dirs_exist_ok=True)
    copy(ignore=shutil.ignore_patterns("static"))
    _link_static(made, data)
    if not wanted:
        return LoadedRides(("", ""), {})
    told = json.loads((data / RIDES).read_text("utf-8"))
    rides = {point: [DemoRide(*one) for one in some] for point, some in told["rides"].items()}
    return LoadedRides((told["organiser"][0], told["organiser"][1]), rides)


def copy_static(data: Path) -> None:
    """Put the collected static files into a data folder, as far as they are kept there, and nothing else."""
    data.mkdir(exist_ok=True)
    _link_static(make_once("data", partial(_make_data, ())), data)


def _link_static(made: Path, data: Path) -> None:
    # Static files are replaced and never changed, so the copies may share them.
    shutil.copytree(made / "static", data / "static", copy_function=os.link, dirs_exist_ok=True)
    shutil.copy(made / "static.digest", data)


def _make_data(points: tuple[str, ...], data: Path) -> None:
    variables = {"DJANGO_SETTINGS_MODULE": "config.settings"}
    if points:
        copy_data(data)
    command = [sys.executable, "-m", "tests.demo_data", *points]
    env = make_environment(data, **variables)
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=5 * TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr
    if points:
        (data / RIDES).write_text(done.stdout, "utf-8")
    # Every process that serves a copy has a secret and a queue of its own.
    (data / "secret-key").unlink(missing_ok=True)
    shutil.rmtree(data / "celery", ignore_errors=True)


def main(points: list[str]) -> None:
    """Migrate and collect, or load rides where that is done."""
    import django

    django.setup()
    from django.core.management import call_command

    from scorekeeper.common.static_files import collect_static_files
    from scorekeeper.standings.services.sweeper import refresh_stale_contests

    if not points:
        call_command("migrate", verbosity=0)
        collect_static_files()
        return
    rides: dict[str, list[DemoRide]] = {}
    printed = ""
    for point in points:
        said = io.StringIO()
        call_command("demo", until=point, stdout=said)
        printed = said.getvalue()
        rides.setdefault(point, []).append(read_ride(printed))
    # What a worker would have done by now.
    while refresh_stale_contests():
        pass
    sys.stdout.write(json.dumps({"organiser": read_account(printed), "rides": rides}))


if __name__ == "__main__":
    main(sys.argv[1:])
