"""Many open leaderboards behind the proxy: how soon they show a turn, and how soon they are right after a sleep.

`tests/browser/test_live_board.py` shows that a page which lost its server says so within 30 seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import quantiles
from typing import Any

import pytest

from scorekeeper.live.topics import MAX_CHANGES
from tests.cluster.cluster import Cluster
from tests.faults import log_checks
from tests.faults.figures import Figures
from tests.faults.phones import split_between_phones
from tests.faults.ride import FaultRide
from tests.faults.scale import FULL, scaled
from tests.faults.screens import Screen, Screens
from tests.programs import TIMEOUT_SECONDS

SCREENS = scaled(200, 20)
TURNS = scaled(100, 4)
# More than a stream keeps for reconnects: these screens get the whole leaderboard.
TURNS_ASLEEP = scaled(MAX_CHANGES + 10, 3)
# Seconds; the short run may share its machine, and only has to finish.
SHOWN_WITHIN = scaled(2, TIMEOUT_SECONDS)
RIGHT_WITHIN = scaled(5, TIMEOUT_SECONDS)


class Hall:
    """A ride, the phone that records its turns, and the screens."""

    def __init__(self, cluster: Cluster, ride: FaultRide) -> None:
        self.screens = Screens(cluster.url, [ride.board] * SCREENS)
        self._cluster = cluster
        self._ride = ride
        (self._phone,) = split_between_phones(cluster.ports["front"], ride.phones, [], batch=1)
        self._turns = iter(ride.make_turns(seed=18))

    def record_turn(self, watching: Sequence[Screen]) -> list[float]:
        """Record the next turn and wait until these screens show it; return the seconds each took from the sending."""
        turn = next(self._turns)
        before = self.fold()
        sent = time.monotonic()
        self._send(turn)
        bike = turn["bike"]
        now = self.fold()
        total = now[bike][1]
        self.wait_until_right(watching, now)
        # A turn without points changes nothing.
        if bike in before and before[bike][1] == total:
            return []
        return [screen.shown[bike, str(total)] - sent for screen in watching]

    def wait_until_right(self, screens: Sequence[Screen], table: Mapping[str, tuple[int, int]]) -> float:
        """Wait until the screens show this table; return how many seconds it took."""
        are_right = partial(_all_show, screens, table)
        return self.screens.wait_until(are_right, TIMEOUT_SECONDS, "the screens show what the log says")

    def fold(self) -> dict[str, tuple[int, int]]:
        """Return what the screens must show, according to `log_checks`."""
        log = log_checks.list_ride_entries(self._ride, log_checks.read_log(self._cluster.database))
        return log_checks.fold(self._ride, log)

    def _send(self, turn: Mapping[str, Any]) -> None:
        self._phone.queue = [turn]
        assert self._phone.send_once(self._phone.queue)


def _all_show(screens: Sequence[Screen], table: Mapping[str, tuple[int, int]]) -> bool:
    return all(screen.table == table for screen in screens)


@pytest.mark.timeout(900)
def test_a_hall_of_screens_shows_each_turn_soon_and_is_right_after_a_sleep(
    cluster: Cluster, make_fault_ride: Callable[[int, int], FaultRide], figures: Figures
) -> None:
    hall = Hall(cluster, make_fault_ride(50, 1))

    with hall.screens as screens:
        took = [seconds for _ in range(TURNS) for seconds in hall.record_turn(screens)]
        *asleep, awake = (screens[number::5] for number in range(5))
        for place, some in enumerate(asleep):
            # Two sleep for long, two for a moment; one of each leaves its connection open.
            hall.screens.sleep(some, keep_connections=place % 2 == 0)
            if place % 2:
                for _ in range(TURNS_ASLEEP if place == 1 else 2):
                    hall.record_turn(awake)
        wholes = [sum(screen.wholes for screen in some) for some in asleep]
        table = hall.fold()
        assert not any(screen.table == table for some in asleep for screen in some)
        hall.screens.wake([screen for some in asleep for screen in some])
        right = hall.wait_until_right(screens, table)
        wholes = [sum(screen.wholes for screen in some) - before for some, before in zip(asleep, wholes, strict=True)]

    p95 = quantiles(took, n=20)[-1]
    assert p95 <= SHOWN_WITHIN
    assert right <= RIGHT_WITHIN
    each = SCREENS // 5
    assert wholes == [each if FULL else 0] * 2 + [0] * 2, "who was sent a whole board"
    figures.add(
        "18 · live screens behind the front",
        f"{SCREENS} screens, {TURNS} turns: sent to shown p50 {quantiles(took, n=20)[9]:.2f} s, p95 {p95:.2f} s; "
        f"{4 * each} of them asleep for up to {TURNS_ASLEEP + 2} turns, half of these with their connection left open: "
        f"right again within {right:.1f} s of waking",
    )
