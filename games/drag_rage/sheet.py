"""The score sheet: the latest heat, running or finished, and who has won which heat.

Terms: a heat is *decided* if it has a winner. A dead heat is run again under the same number, so a race has at most
three decided heats.
"""

from __future__ import annotations

from games.core.sheet import Cell, Line, LineKind, ScoreSheet
from games.core.text import Text, gettext_noop
from games.drag_rage.state import Race

LATEST_HEAT = gettext_noop("Latest heat")
HEATS = gettext_noop("Heats")
SPACE = gettext_noop("Car on space")
PLAYED = gettext_noop("Counters played")
NITRO = gettext_noop("Nitro dice left")
DECIDED = (gettext_noop("Heat 1"), gettext_noop("Heat 2"), gettext_noop("Heat 3"))
HEATS_WON = gettext_noop("Heats won")

EMPTY = (None, None)
Pair = tuple[int, int] | tuple[None, None]


def make_sheet(race: Race) -> ScoreSheet:
    """Return the lines of the sheet, each with a cell for both seats."""
    spaces, played, nitro = _latest(race)
    winners = [heat.winner for heat in race.heats if heat.winner is not None]
    lines = (
        _line("space", SPACE, "DRAG-1", spaces, section=LATEST_HEAT),
        _line("played", PLAYED, "DRAG-9", played, section=LATEST_HEAT),
        _line("nitro", NITRO, "DRAG-5", nitro, section=LATEST_HEAT),
        *(_decided(number, label, winners) for number, label in enumerate(DECIDED)),
        _line("heats_won", HEATS_WON, "DRAG-16", race.won, "total"),
    )
    return ScoreSheet(lines, race.won)


def _latest(race: Race) -> tuple[Pair, Pair, Pair]:
    """Return the spaces of the cars, the counters played and the nitro dice left."""
    if race.heat:
        first, second = race.heat.cars
        nitro = (int(first.has_nitro), int(second.has_nitro))
        return (first.space, second.space), (first.played, second.played), nitro
    if race.heats:
        return race.heats[-1].spaces, race.heats[-1].counters, EMPTY
    return EMPTY, EMPTY, EMPTY


def _decided(number: int, label: Text, winners: list[int]) -> Line:
    won: Pair = EMPTY
    if number < len(winners):
        won = (1, 0) if winners[number] == 0 else (0, 1)
    return _line(f"heat_{number + 1}", label, "DRAG-16", won, section=HEATS)


def _line(key: str, label: Text, rule: str, pair: Pair, kind: LineKind = "line", section: Text | None = None) -> Line:
    return Line(key, label, rule, (Cell(pair[0]), Cell(pair[1])), kind, section)
