"""The standings of a season, with the names that each ride shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.players.selectors.holder_names import format_holder
from scorekeeper.seasons.models import Season, SeasonLink, SeasonRound
from scorekeeper.seasons.season_table import PointsTable, RoundResult, SeasonRow, rank_season
from scorekeeper.seasons.selectors.finishes import Finish, get_finishes
from scorekeeper.seasons.selectors.seasons import list_rounds

ReadNames = Callable[[Event], Mapping[UUID, str]]


@dataclass(frozen=True)
class PresentedRound:
    """A round of a season.

    Attributes:
        finishes: everyone's place; None while there is no published result.
        holders: who of them each season rider was.
    """

    round: SeasonRound
    finishes: Mapping[UUID, Finish] | None
    holders: Mapping[UUID, UUID]

    @property
    def is_published(self) -> bool:
        """Whether it counts already."""
        return self.finishes is not None

    @property
    def linked_count(self) -> int:
        """How many of the result are riders of the season."""
        return sum(holder in (self.finishes or {}) for holder in self.holders.values())

    def get_finish(self, rider_id: UUID) -> Finish | None:
        """Return a rider's place; None for one who was not there."""
        holder = self.holders.get(rider_id)
        return None if holder is None or self.finishes is None else self.finishes.get(holder)


@dataclass(frozen=True)
class RoundCell:
    """What a rider has from one round: the round, the bike's or player's name there, the place and the points."""

    presented: PresentedRound
    holder_id: UUID
    name: str
    finish: Finish
    result: RoundResult


@dataclass(frozen=True)
class PresentedRow:
    """A row of the standings.

    Attributes:
        name: the rider's name in the latest round.
        cells: by round, None where the rider has no place.
    """

    row: SeasonRow[UUID, UUID]
    name: str
    cells: tuple[RoundCell | None, ...]

    @property
    def results(self) -> list[RoundCell]:
        """The rounds that the rider has a place in."""
        return [cell for cell in self.cells if cell is not None]


@dataclass(frozen=True)
class SeasonStandings:
    """The standings of a season as of the results published so far."""

    season: Season
    rounds: tuple[PresentedRound, ...]
    rows: tuple[PresentedRow, ...]

    @property
    def published_count(self) -> int:
        """How many rounds have a result."""
        return sum(one.is_published for one in self.rounds)

    def get_row(self, rider_id: UUID) -> PresentedRow | None:
        """Return a rider's row."""
        return next((row for row in self.rows if row.row.rider == rider_id), None)


def get_points_table(season: Season) -> PointsTable:
    """Return what places bring in a season."""
    return PointsTable(tuple(season.points), season.points_below, season.best_count)


def get_season_standings(season: Season, read_names: ReadNames) -> SeasonStandings:
    """Return the standings; a fixed number of statements for each round.

    Args:
        read_names: the names of an event's bikes and players, as the reader may see them.
    """
    rounds = present_rounds(season)
    places: dict[UUID, dict[UUID, int]] = {}
    for one in rounds:
        for rider in one.holders:
            finish = one.get_finish(rider)
            if finish is not None:
                places.setdefault(rider, {})[one.round.pk] = finish.place
    names = {event.pk: read_names(event) for event in {one.round.contest.event for one in rounds}}
    rows = (_present_row(row, rounds, names) for row in rank_season(get_points_table(season), places))
    # Those who share a place are in the order of their names.
    return SeasonStandings(season, rounds, tuple(sorted(rows, key=lambda row: (row.row.rank, row.name))))


def present_rounds(season: Season) -> tuple[PresentedRound, ...]:
    """Return the rounds in order, each with its result and its links."""
    holders: dict[int | UUID, dict[UUID, UUID]] = {}
    links = SeasonLink.objects.filter(round__season=season).values_list("round_id", "rider_id", "holder_id")
    for round_id, rider_id, holder_id in links:
        holders.setdefault(round_id, {})[rider_id] = holder_id
    return tuple(PresentedRound(one, get_finishes(one.contest), holders.get(one.pk, {})) for one in list_rounds(season))


def _present_row(
    row: SeasonRow[UUID, UUID], rounds: tuple[PresentedRound, ...], names: Mapping[UUID, Mapping[UUID, str]]
) -> PresentedRow:
    cells = tuple(_make_cell(row, one, names) for one in rounds)
    name = next(cell.name for cell in reversed(cells) if cell is not None)
    return PresentedRow(row, name, cells)


def _make_cell(
    row: SeasonRow[UUID, UUID], one: PresentedRound, names: Mapping[UUID, Mapping[UUID, str]]
) -> RoundCell | None:
    finish, result = one.get_finish(row.rider), row.results.get(one.round.pk)
    if finish is None or result is None:
        return None
    holder_id = one.holders[row.rider]
    people = names[one.round.contest.event_id].get(holder_id, "")
    return RoundCell(one, holder_id, format_holder(finish.number, people), finish, result)
