"""Short games from the first tap to the leaderboard, one of each kind, on a crew member's phone."""

from __future__ import annotations

import pytest

from tests.browser.running_server import RunningServer
from tests.demo_data import DemoRide


@pytest.fixture(scope="session")
def ride(server: RunningServer) -> DemoRide:
    """A ride of its own, since contests are added to it."""
    return server.load_ride("setup")
