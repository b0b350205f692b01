"""Leaderboards as plain data, for a freeze. Outlooks and ties that are to be cut are left out."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID

from scorekeeper.standings.group_ranking import GroupRanking
from scorekeeper.standings.leaderboard import BoardClass, CountedCut, Leaderboard, LeaderboardRow


def dump_board(board: Leaderboard) -> dict[str, Any]:
    """Return the leaderboard as plain data, without names."""
    return {
        "rows": [row.to_data() for row in board.rows],
        "status": board.status,
        "turns": board.turns_per_card,
        "as_of": None if board.as_of is None else board.as_of.astimezone(dt.UTC).isoformat(),
        "revision": board.revision,
        "last_revision": board.last_revision,
        "standings_version": board.standings_version,
        "groups": None if board.groups is None else board.groups.to_data(),
        "cuts": [cut.to_data() for cut in board.cuts],
        "missed": {str(entrant): count for entrant, count in board.missed_turns.items()},
        **({"classes": [one.to_data() for one in board.classes]} if board.classes else {}),
    }


def load_board(data: dict[str, Any]) -> Leaderboard:
    """Return the leaderboard from `dump_board`'s data. Older data has neither groups nor cuts nor missed turns."""
    as_of = data["as_of"]
    return Leaderboard(
        rows=tuple(LeaderboardRow.from_data(row) for row in data["rows"]),
        status=data["status"],
        turns_per_card=data["turns"],
        as_of=None if as_of is None else dt.datetime.fromisoformat(as_of),
        revision=data["revision"],
        last_revision=data["last_revision"],
        standings_version=data.get("standings_version"),  # boards of older versions have none
        groups=GroupRanking.from_data(data.get("groups")),
        cuts=tuple(CountedCut.from_data(cut) for cut in data.get("cuts", ())),
        missed_turns={UUID(entrant): count for entrant, count in data.get("missed", {}).items()},
        classes=tuple(map(BoardClass.from_data, data.get("classes", ()))),
    )
