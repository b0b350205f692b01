"""What every test of faults comes to: nothing acknowledged is lost or doubled, and the standings are right."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from tests.faults import judge
from tests.faults.desk import KINDS, Desk
from tests.faults.phones import Phone
from tests.faults.ride import FaultRide
from tests.faults.scale import scaled
from tests.faults.servers import wait_until
from tests.programs import PATIENCE

WITHIN = scaled(30, PATIENCE)  # seconds; the short run may share its machine, and only has to get there


def reach_verdict(
    database: str | Path, url: str, ride: FaultRide, phones: Sequence[Phone], within: float = WITHIN
) -> float:
    """Check the log, the receipts, the standings and the export; return how many seconds the standings took.

    Args:
        database: as the judge reads it.
        within: seconds in which the standings have to be right.
    """
    receipts = {operation: receipt for phone in phones for operation, receipt in phone.receipts.items()}
    log = judge.list_of_ride(ride, judge.read_log(database))
    judge.check_receipts(database, ride, log, receipts)
    took = wait_until_right(database, ride, within)
    assert judge.read_export(url, ride.board) == judge.fold(ride, log)
    if ride.rogue:
        assert judge.read_export(url, ride.rogue_board) == judge.fold_tables(ride, log)
    return took


def wait_until_right(database: str | Path, ride: FaultRide, seconds: float = WITHIN) -> float:
    """Wait until the standings are what the log folds to; return how many seconds it took.

    Raises:
        AssertionError: they are not, in that time.
    """
    started = time.monotonic()
    log = judge.list_of_ride(ride, judge.read_log(database))
    wanted = {ride.contest: judge.fold(ride, log)}
    if ride.rogue:
        wanted[ride.rogue] = judge.fold_tables(ride, log)
    for contest, standings in wanted.items():
        wait_until(
            lambda contest=contest, standings=standings: judge.read_standings(database, contest) == standings,  # type: ignore[misc]
            "the standings are right",
            seconds,
        )
    return time.monotonic() - started


def check_kinds(database: str | Path, ride: FaultRide, desk: Desk) -> None:
    """Check that nothing is lost of what the desk was told is recorded, and that every kind of operation was there."""
    judge.check_recorded(database, ride, desk.recorded)
    outcomes = judge.list_outcomes(database, ride)
    never = KINDS - {kind for kind, outcome in outcomes if outcome == "recorded"}
    assert not never, f"never recorded: {sorted(never)}"
    assert {"merged", "conflict", "refused"} <= {outcome for _kind, outcome in outcomes}
