"""The final check of every fault test: nothing acknowledged is lost or doubled, and the standings are right."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.demo_data import copy_data
from tests.faults import log_checks
from tests.faults.organiser import KINDS, OrganiserThread
from tests.faults.phones import Phone
from tests.faults.ride import FaultRide
from tests.faults.scale import scaled
from tests.faults.servers import wait_until
from tests.programs import ROOT, TIMEOUT_SECONDS, run_manage

# Several commands in one process, since most of the time of each is its start.
EXPORT = """
from django.core.management import call_command
call_command("verify", {slug!r})
call_command("export_event", {slug!r}, file={bundle!r})
"""
IMPORT = """
from django.contrib.auth.models import User
from django.core.management import call_command
User.objects.create(username="zoe")
call_command("import_event", {bundle!r}, organiser="zoe")
call_command("export_event", {slug!r}, file={again!r})
"""
MAX_SECONDS = scaled(30, TIMEOUT_SECONDS)  # seconds; the short run may share its machine, and only has to finish


def check_everything(
    database: str | Path, url: str, ride: FaultRide, phones: Sequence[Phone], within: float = MAX_SECONDS
) -> float:
    """Check the log, the receipts, the standings and the export; return how many seconds the standings took.

    Args:
        database: as `log_checks` reads it.
        within: seconds until the standings have to be right.
    """
    receipts = {operation: receipt for phone in phones for operation, receipt in phone.receipts.items()}
    log = log_checks.list_ride_entries(ride, log_checks.read_log(database))
    log_checks.check_receipts(database, ride, log, receipts)
    took = wait_for_right_standings(database, ride, within)
    assert log_checks.read_export(url, ride.board) == log_checks.fold(ride, log)
    if ride.rogue:
        assert log_checks.read_export(url, ride.rogue_board) == log_checks.fold_tables(ride, log)
    return took


def wait_for_right_standings(database: str | Path, ride: FaultRide, seconds: float = MAX_SECONDS) -> float:
    """Wait until the standings match the folded log; return how many seconds it took.

    Raises:
        AssertionError: they did not in that time.
    """
    started = time.monotonic()
    log = log_checks.list_ride_entries(ride, log_checks.read_log(database))
    wanted = {ride.contest: log_checks.fold(ride, log)}
    if ride.rogue:
        wanted[ride.rogue] = log_checks.fold_tables(ride, log)
    for contest, standings in wanted.items():
        wait_until(
            lambda contest=contest, standings=standings: log_checks.read_standings(database, contest) == standings,  # type: ignore[misc]
            "the standings are right",
            seconds,
        )
    return time.monotonic() - started


def check_bundle(data: Path, ride: FaultRide, there: Path) -> None:
    """Verify the ride, write it into a bundle, check that without Django, and import it into an empty installation.

    Args:
        data: the data folder of the installation that has the ride.
        there: a folder for the other one, which is made.
    """
    there.mkdir()
    copy_data(there)
    bundle, again = there / "ride.jsonl", there / "again.jsonl"
    run_well(data, "shell", "--no-imports", "-c", EXPORT.format(slug=ride.slug, bundle=str(bundle)))
    command = [sys.executable, "-m", "games", "verify", str(bundle)]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    importing = IMPORT.format(bundle=str(bundle), slug=ride.slug, again=str(again))
    run_well(there, "shell", "--no-imports", "-c", importing)
    assert again.read_bytes() == bundle.read_bytes()


def run_well(data: Path, *arguments: str) -> None:
    """Run `manage.py`, which must succeed."""
    done = run_manage(data, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr


def check_kinds(database: str | Path, ride: FaultRide, desk: OrganiserThread) -> None:
    """Check that every operation acknowledged to the organiser is in the log, and that every kind occurred."""
    log_checks.check_recorded(database, ride, desk.recorded)
    outcomes = log_checks.list_outcomes(database, ride)
    never = KINDS - {kind for kind, outcome in outcomes if outcome == "recorded"}
    assert not never, f"never recorded: {sorted(never)}"
    assert {"merged", "conflict", "refused"} <= {outcome for _kind, outcome in outcomes}
