"""Boards as plain data, for a screen that keeps those of one moment."""

from __future__ import annotations

import datetime as dt
from typing import Any

from scorekeeper.standings.board import Board, BoardRow


def to_data(board: Board) -> dict[str, Any]:
    """Return the board as plain data, without names."""
    return {
        "rows": [row.to_data() for row in board.rows],
        "status": board.status,
        "turns": board.turns,
        "as_of": None if board.as_of is None else board.as_of.astimezone(dt.UTC).isoformat(),
        "revision": board.revision,
        "last_revision": board.last_revision,
    }


def from_data(data: dict[str, Any]) -> Board:
    """Return the board that was kept."""
    as_of = data["as_of"]
    return Board(
        rows=tuple(BoardRow.from_data(row) for row in data["rows"]),
        status=data["status"],
        turns=data["turns"],
        as_of=None if as_of is None else dt.datetime.fromisoformat(as_of),
        revision=data["revision"],
        last_revision=data["last_revision"],
    )
