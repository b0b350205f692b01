"""What every test of faults comes to: nothing acknowledged is lost or doubled, and the standings are right."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from tests.faults import judge
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
    judge.check_receipts(database, log, receipts)
    took = wait_until_right(database, ride, within)
    assert judge.read_export(url, ride) == judge.fold(ride, log)
    return took


def wait_until_right(database: str | Path, ride: FaultRide, seconds: float = WITHIN) -> float:
    """Wait until the standings are what the log folds to; return how many seconds it took.

    Raises:
        AssertionError: they are not, in that time.
    """
    started = time.monotonic()
    wanted = judge.fold(ride, judge.list_of_ride(ride, judge.read_log(database)))
    wait_until(lambda: judge.read_standings(database, ride) == wanted, "the standings are right", seconds)
    return time.monotonic() - started
