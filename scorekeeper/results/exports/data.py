"""Results as plain data for programs."""

from __future__ import annotations

import datetime as dt
from typing import Any

from scorekeeper.results.exports.tables import Results, Table
from scorekeeper.standings.board import BoardRow
from scorekeeper.standings.report import ReportCard


def make_data(results: Results, log: Table | None = None) -> dict[str, Any]:
    """Return standings and cards; with a log, that too."""
    contest, board = results.contest, results.board
    data = {
        "event": {"name": contest.event.name, "date": contest.event.date.isoformat()},
        "contest": {
            "name": contest.name,
            "ruleset": contest.game_key,
            "rules_version": contest.rules_version,
            "lowest_wins": contest.game.lowest_wins,
        },
        "official": board.is_official,
        "revision": board.revision,
        "revision_pending": board.is_pending,
        "as_of": None if board.as_of is None else board.as_of.astimezone(dt.UTC).isoformat(),
        "standings": [_row(results, row) for row in results.rows],
        "cards": [_card(results, card) for card in results.report.cards],
    }
    if log is not None:
        data["log"] = [dict(zip(log.headings, row, strict=True)) for row in log.rows]
    return data


def _row(results: Results, row: BoardRow) -> dict[str, Any]:
    data = {**row.to_data(), "place": row.rank_label, **_name(results, row)}
    if results.contest.game.recorded_by == "action":
        data["tables"] = data.pop("turns")
    return data


def _card(results: Results, card: ReportCard) -> dict[str, Any]:
    return {**card.to_data(), **_name(results, card)}


def _name(results: Results, one: BoardRow | ReportCard) -> dict[str, str]:
    word = "riders" if results.headings.has_numbers else "name"
    return {word: results.people.get(one.holder_id, "")}
