"""The fixtures for tests about creating, listing and removing tables, and their standings."""

from __future__ import annotations

from tests.scorekeeper.scorecards.conftest import desk
from tests.scorekeeper.table_fixtures import (
    add_action,
    add_game_table,
    add_table,
    duel_contest,
    fetch_table,
    organiser,
    people,
    phone,
    pig_contest,
    pig_table,
    rogue_contest,
    rogue_table,
)

__all__ = [
    "add_action",
    "add_game_table",
    "add_table",
    "desk",
    "duel_contest",
    "fetch_table",
    "organiser",
    "people",
    "phone",
    "pig_contest",
    "pig_table",
    "rogue_contest",
    "rogue_table",
]
