"""Results as plain data for the JSON export."""

from __future__ import annotations

import datetime as dt
from typing import Any

from scorekeeper.prizes.selectors.awards import AwardPresenter
from scorekeeper.results.exports.export_tables import ExportSource, ExportTable, get_group_score
from scorekeeper.results.exports.ride_tables import make_stops_table
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.contest_report import CardReport
from scorekeeper.standings.group_board import GroupBoard
from scorekeeper.standings.leaderboard import CountedCut, LeaderboardRow
from scorekeeper.standings.selectors.group_presenter import format_group_name


def make_json_data(results: ExportSource, log: ExportTable | None = None) -> dict[str, Any]:
    """Return standings, scorecards and published prizes, and the log if one is given."""
    contest, board = results.contest, results.board
    data = {
        "event": {"name": contest.event.name, "date": contest.event.date.isoformat(), **_mark_practice(results)},
        "contest": {
            "name": contest.name,
            "ruleset": contest.game_key,
            "rules_version": contest.rules_version,
            "lowest_wins": contest.game.lowest_wins,
        },
        "official": board.is_official,
        "revision": board.revision,
        "revision_pending": board.needs_revision,
        "as_of": None if board.as_of is None else board.as_of.astimezone(dt.UTC).isoformat(),
        **_mark_freeze(results),
        "standings": [_make_row(results, row) for row in results.rows],
        "cards": [_make_card(results, card) for card in results.report.cards],
        **({"cuts": [_make_cut(results, cut) for cut in board.cuts]} if results.cuts_cards else {}),
        **({} if board.groups is None else {"groups": _make_groups(results, board.groups)}),
        **_make_stops(results),
        "prizes": [_make_award(award) for award in results.awards],
    }
    if log is not None:
        data["log"] = [dict(zip(log.headings, row, strict=True)) for row in log.rows]
    return data


def _mark_practice(results: ExportSource) -> dict[str, bool]:
    """Return a field that only the files of practice events have."""
    return {"practice": True} if results.contest.event.is_practice else {}


def _mark_freeze(results: ExportSource) -> dict[str, str]:
    """Return a field that only frozen standings have."""
    frozen_at = results.board.frozen_at
    return {} if frozen_at is None else {"frozen_at": frozen_at.astimezone(dt.UTC).isoformat()}


def _make_stops(results: ExportSource) -> dict[str, Any]:
    """Return what was rolled in each turn, as in the table of the stops; nothing for contests without stops."""
    stops = make_stops_table(results)
    return {} if stops is None else {"stops": [dict(zip(stops.headings, row, strict=True)) for row in stops.rows]}


def _make_row(results: ExportSource, row: LeaderboardRow) -> dict[str, Any]:
    data = {**row.to_data(), "place": row.rank_label, **_make_name(results, row)}
    if results.board.is_being_revealed:
        data["announced"] = not row.is_withheld
    count_key = get_kind(results.contest.game).export.count_key
    if count_key not in data:
        data[count_key] = data.pop("turns")
    return data


def _make_card(results: ExportSource, card: CardReport) -> dict[str, Any]:
    agreement = results.agreements.get(card.holder_id)
    agreed = {} if agreement is None else {"agreed": agreement.current is not None}
    return {**card.to_data(), **_make_name(results, card), **agreed}


def _make_cut(results: ExportSource, cut: CountedCut) -> dict[str, Any]:
    cards = [{"holder": str(holder), "number": number, "card": card} for holder, number, card in cut.cards]
    return {"cards": cards, "witness": results.witnesses.get(cut.seq, "")}


def _make_groups(results: ExportSource, groups: GroupBoard) -> dict[str, Any]:
    rows = [
        {
            **row.to_data(),
            "place": row.rank_label,
            "name": format_group_name(results.group_names, row.group_id),
            "score": get_group_score(groups, row),
        }
        for row in groups.rows
    ]
    return {**groups.to_data(), "rows": rows}


def _make_award(award: AwardPresenter) -> dict[str, Any]:
    """Return a published prize; the figures of a winner are those from which "how" was written."""
    data = award.award.to_data()
    del data["groups"]
    texts = [{"name": winner.name, "how": winner.how} for winner in award.winners]
    winners = [{**winner, **text} for winner, text in zip(data["winners"], texts, strict=True)]
    return {**data, "for": award.what_for, "winners": winners}


def _make_name(results: ExportSource, row: LeaderboardRow | CardReport) -> dict[str, str]:
    key = "riders" if results.headings.has_numbers else "name"
    return {key: results.people.get(row.holder_id, "")}
