"""The turns of a ride and the places after each of them, as tables. Contests at tables have neither."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from scorekeeper.api.contest_results import ContestResults
from scorekeeper.api.stop_results import list_stop_results
from scorekeeper.results.exports.export_tables import (
    CellValue,
    ExportTable,
    make_holder_cells,
    make_holder_headings,
    name_turns,
)
from scorekeeper.standings.place_history import PlaceHistory, make_place_history


def make_stops_table(results: ContestResults) -> ExportTable | None:
    """Return the turns in order, with what the bikes with a scorecard rolled in each; None where there are none."""
    if not results.slots:
        return None
    headings = {
        "turn": _("Turn"),
        "stop": _("Stop"),
        "rolled": _("Rolled"),
        "missed": _("Missed"),
        "average": _("Average"),
        "best": _("Best"),
        "best_bikes": _("Best roll by"),
        "result": _("Result"),
    }
    return ExportTable(_("Stops"), headings, _list_stop_rows(results), means=frozenset(["average"]), fixed=2)


def _list_stop_rows(results: ContestResults) -> Iterator[list[CellValue]]:
    for one in list_stop_results(results):
        yield [
            one.turn,
            one.stop,
            one.rolled,
            one.missed,
            one.average,
            one.best,
            ", ".join(one.best_bikes),
            results.official_text,
        ]


def make_places_table(results: ContestResults) -> ExportTable | None:
    """Return everyone's place after each turn and at the end, in the order of the standings.

    None where there are no turns at stops, and during a reveal, when the places of some are announced and of others
    frozen.
    """
    if results.board.is_being_revealed:
        return None
    history = make_place_history(results.report, lowest_wins=results.contest.game.lowest_wins)
    if history is None:
        return None
    about, turns = make_holder_headings(results), name_turns(history.steps)
    headings = {**about, **turns, "final": _("Final"), "result": _("Result")}
    rows = _list_place_rows(results, history)
    return ExportTable(_("Places"), headings, rows, fixed=len(about), charted_from=next(iter(turns)))


def _list_place_rows(results: ContestResults, history: PlaceHistory) -> Iterator[list[CellValue]]:
    by_holder = {row.holder_id: row for row in results.rows}
    for line in history.lines:
        places = [None if place is None else place.rank for place in line.places]
        yield [*make_holder_cells(results, by_holder[line.holder_id]), *places, line.final.rank, results.official_text]
