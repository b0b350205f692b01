"""Fixtures of the tests of dice; the rest comes from the organiser's pages."""

from __future__ import annotations

from tests.scorekeeper.desk.conftest import organiser
from tests.scorekeeper.results.conftest import rogue_contest, rogue_tables
from tests.scorekeeper.scorecards.conftest import add_turn, desk
from tests.scorekeeper.table_fixtures import add_action, add_game_table, add_table, fetch_table, people, pig_contest

__all__ = [
    "add_action",
    "add_game_table",
    "add_table",
    "add_turn",
    "desk",
    "fetch_table",
    "organiser",
    "people",
    "pig_contest",
    "rogue_contest",
    "rogue_tables",
]
