"""Tables of a ride besides its standings: turns by stop, the log, and luck."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.api.contest_results import ContestResults
from scorekeeper.events.models import Contest
from scorekeeper.results.exports.export_sheets import (
    CellValue,
    ExportSheet,
    make_entrant_cells,
    make_entrant_headings,
    make_place_cell,
    name_turns,
)
from scorekeeper.results.luck_presenter import get_luck_labels
from scorekeeper.scorecards.selectors.log_entries import LogEntry, format_log_time, list_log_entries
from scorekeeper.standings.luck_rows import LuckRow
from scorekeeper.standings.place_history import PlaceHistory, make_place_history

OF_POINTS = ("average", "best", "best_bikes")  # columns for games whose turns have points
FIGURES = frozenset(["adjusted", "expected", "luck", "loss", "unsplit", "missed"])


def make_stops_table(results: ContestResults) -> ExportSheet | None:
    """Return the turns in order, with what the bikes with a scorecard rolled in each; None where there are none."""
    if not results.slots:
        return None
    headings = {
        "turn": _("Turn"),
        "stop": _("Stop"),
        "rolled": pgettext("how many turns", "Played"),
        "missed": _("Missed"),
        "average": _("Average"),
        "best": _("Best"),
        "best_bikes": _("Best turn by"),
        "result": _("Result"),
    }
    if not results.contest.game.points_of_turns:
        headings = {key: text for key, text in headings.items() if key not in OF_POINTS}
    rows = _list_stop_rows(results, headings)
    return ExportSheet(_("Stops"), headings, rows, means=frozenset(["average"]) & headings.keys(), fixed=2)


def _list_stop_rows(results: ContestResults, columns: Collection[str]) -> Iterator[list[CellValue]]:
    for one in results.stops or ():
        cells: Mapping[str, CellValue] = {
            "turn": one.turn,
            "stop": one.stop,
            "rolled": one.rolled,
            "missed": one.missed,
            "average": one.average,
            "best": one.best,
            "best_bikes": ", ".join(one.best_bikes),
            "result": results.official_text,
        }
        yield [cells[column] for column in columns]


def make_places_table(results: ContestResults) -> ExportSheet | None:
    """Return everyone's place after each turn and at the end, in the order of the standings.

    None where there are no turns at stops, and during a reveal, when the places of some are announced and of others
    frozen.
    """
    if results.board.is_being_revealed:
        return None
    history = make_place_history(results.report, results.contest.ruleset)
    if history is None:
        return None
    about, turns = make_entrant_headings(results), name_turns(history.steps)
    headings = {**about, **turns, "final": _("Final"), "result": _("Result")}
    rows = _list_place_rows(results, history)
    return ExportSheet(_("Places"), headings, rows, fixed=len(about), charted_from=next(iter(turns)))


def _list_place_rows(results: ContestResults, history: PlaceHistory) -> Iterator[list[CellValue]]:
    by_entrant = {row.entrant_id: row for row in results.rows}
    for line in history.lines:
        places = [None if place is None else place.rank for place in line.places]
        yield [
            *make_entrant_cells(results, by_entrant[line.entrant_id]),
            *places,
            line.final.rank,
            results.official_text,
        ]


def make_log_table(contest: Contest) -> ExportSheet:
    """Return the log: the chains of the contest, its cards and the event, in the order of writing."""
    headings = {
        "at": pgettext("of an entry", "Time"),
        "chain": _("Chain"),
        "seq": _("Number"),
        "kind": _("Kind"),
        "by": _("By"),
        "stop": _("Stop"),
        "turn": _("Turn"),
        "actions": _("Actions"),
        "data": _("Details"),
        "reason": _("Reason"),
        "witness": _("Witness"),
        "operation": _("Operation"),
        "hash": _("Hash"),
    }
    return ExportSheet(_("Log"), headings, map(_make_log_row, list_log_entries(contest)))


def _make_log_row(found: LogEntry) -> list[CellValue]:
    entry = found.entry
    return [
        format_log_time(entry),
        found.chain_name,
        entry.seq,
        entry.kind,
        found.actor_name,
        None if entry.slot is None else entry.slot.stop.name,
        None if entry.slot is None else entry.slot.ordinal,
        _compact_json(found.actions),
        found.damaged or _compact_json(found.data),
        found.reason,
        found.witness,
        str(entry.operation_id),
        entry.hash,
    ]


def _compact_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""


def make_luck_export(results: ContestResults) -> ExportSheet | None:
    """Return the luck-adjusted table; None where there is none, and while it has yet to be computed."""
    if results.luck_rows is None:
        return None
    about, contest = make_entrant_headings(results), results.contest
    labels, has_totals = get_luck_labels(contest), contest.game.odds_label(contest.ruleset.setup) is None
    headings = {
        **about,
        "adjusted": labels.without_luck,
        "total": results.headings.total if has_totals else labels.total,
        "expected": _("Expected before the first roll"),
        "luck": _("Luck"),
        "loss": _("Cost of choices"),
        "unsplit": _("Not recorded roll by roll"),
        "missed": _("Missed turns and retiring"),
        "recorded": _("Enough recorded"),
        "place": _("Place in the standings"),
        "result": _("Result"),
    }
    rows = _list_rows(results, results.luck_rows, has_totals=has_totals)
    return ExportSheet(_("Luck and choices"), headings, rows, fixed=len(about), tenths=FIGURES)


def _list_rows(results: ContestResults, rows: Sequence[LuckRow], *, has_totals: bool) -> Iterator[list[CellValue]]:
    for one in rows:
        balance = one.balance
        yield [
            *make_entrant_cells(results, one.row),
            None if one.adjusted is None else float(one.adjusted),
            one.row.total if has_totals else float(balance.total),
            float(balance.start),
            float(balance.luck),
            float(balance.loss),
            float(balance.unsplit),
            float(balance.missed),
            _("Yes") if one.is_recorded else _("No"),
            make_place_cell(one.row),
            results.official_text,
        ]
