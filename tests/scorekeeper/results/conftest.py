"""A ride with results to show: the fixtures of the standings' tests."""

from tests.scorekeeper.scorecards.conftest import desk, note
from tests.scorekeeper.standings.conftest import close, cut, follow, level

__all__ = ["close", "cut", "desk", "follow", "level", "note"]
