"""Short games from the first tap to the leaderboard, one of each kind, on the phone of one of the crew."""

from __future__ import annotations

import pytest

from tests.browser.served import Served
from tests.demo_data import Ride


@pytest.fixture(scope="session")
def ride(served: Served) -> Ride:
    """A ride of its own, since contests are added to it."""
    return served.load_ride("setup")
