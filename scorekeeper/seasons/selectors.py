"""Reads seasons and their standings, and proposes which riders are the same person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet
from django.forms import model_to_dict

from scorekeeper.audience.visible_standings import (
    PublicRevision,
    get_public_revision,
    is_result_public,
    read_public_report,
)
from scorekeeper.bikes.models import FurtherSheet
from scorekeeper.common.names import fold_name, make_sort_key
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.sheet_setting import get_holder_index, sells_sheets
from scorekeeper.ledger.canonical import sha256
from scorekeeper.players.selectors import format_entrant, get_full_names
from scorekeeper.seasons.models import Season, SeasonLink, SeasonRider, SeasonRound
from scorekeeper.seasons.season_ranking import PointsScale, RoundResult, SeasonRow, rank_season
from scorekeeper.standings.class_ranking import rank_class
from scorekeeper.standings.selectors.contest_version import get_contest_version

ReadNames = Callable[[Event], Mapping[UUID, str]]


def list_seasons(user: User) -> QuerySet[Season]:
    """Return the seasons that a user runs: those with a round of an event they organise, and those they created."""
    return Season.objects.filter(_is_run_by(user)).distinct()


def get_season(user: User, slug: str) -> Season | None:
    """Return a season that the user runs; None if there is none with this slug."""
    return list_seasons(user).filter(slug=slug).first()


def can_delete(user: AbstractBaseUser | AnonymousUser, season: Season) -> bool:
    """Return whether the user may delete the season: only who created it. The operator can with a command."""
    return season.created_by_id is not None and season.created_by_id == user.pk


def get_public_season(slug: str) -> Season | None:
    """Return a season by its public address."""
    return Season.objects.filter(slug=slug).first()


def list_listed_seasons() -> QuerySet[Season]:
    """Return the seasons that the front page lists, the newest first."""
    return Season.objects.filter(is_listed=True)


def list_seasons_of(event: Event) -> QuerySet[Season]:
    """Return the seasons that an event has a round of."""
    return Season.objects.filter(rounds__contest__event=event).distinct()


def has_created_season(user: User) -> bool:
    """Return whether a user has created a season. They run it even if they organise none of its rounds."""
    return Season.objects.filter(created_by=user).exists()


def list_rounds(season: Season) -> list[SeasonRound]:
    """Return the rounds in the order of their days, with their contests and events."""
    return list(season.rounds.select_related("contest__event"))


def list_possible_contests(season: Season, user: User) -> QuerySet[Contest]:
    """Return the contests that the user can add: of events they organise, without practice."""
    organised = Contest.objects.filter(event__organisers__user=user, event__is_practice=False)
    return organised.exclude(pk__in=season.rounds.values("contest")).select_related("event").order_by("-event__date")


def list_linked_rounds(rider: SeasonRider) -> QuerySet[SeasonRound]:
    """Return the rounds that a rider is linked in."""
    return SeasonRound.objects.filter(links__rider=rider)


def _is_run_by(user: User) -> Q:
    return Q(rounds__contest__event__organisers__user=user) | Q(created_by=user)


class Finish(NamedTuple):
    """A place in a result.

    Attributes:
        number: of the bike; "" for a player.
        label: "2", or "2=" for a shared place.
    """

    place: int
    number: str
    label: str


def get_finishes(contest: Contest, class_key: str = "") -> Mapping[UUID, Finish] | None:
    """Return everyone's place by the entrant's id, the best first; None while no result is public.

    Of several sheets of a bike, or of one rider of it, the best counts, under the id of the first.

    Args:
        class_key: of the class among whose members places count (`SeasonClass`); "" for everyone.
    """
    if contest.event.is_practice or not contest.event.is_open:
        return None
    revision = get_public_revision(contest)
    if revision is None:
        return None
    finishes = _read_finishes(revision).get(class_key, {})
    return _keep_best_sheets(contest, finishes) if sells_sheets(contest) else finishes


def _keep_best_sheets(contest: Contest, finishes: Mapping[UUID, Finish]) -> Mapping[UUID, Finish]:
    further = {sheet.pk: sheet for sheet in FurtherSheet.objects.filter(sheet_contest=contest).order_by("sheet")}
    firsts: dict[tuple[UUID, int], UUID] = {}
    for sheet in further.values():
        holder = get_holder_index(contest, sheet.sheet) or 0
        firsts.setdefault((sheet.real_bike_id, holder), sheet.pk if holder else sheet.real_bike_id)
    best: dict[UUID, Finish] = {}
    for entrant_id, finish in finishes.items():
        own = further.get(entrant_id)
        holder = 0 if own is None else get_holder_index(contest, own.sheet) or 0
        bike_id = entrant_id if own is None else own.real_bike_id
        best.setdefault(firsts.get((bike_id, holder), entrant_id), finish)
    return best


@lru_cache(maxsize=128)
def _read_finishes(revision: PublicRevision) -> Mapping[str, Mapping[UUID, Finish]]:
    """Return the places by the key of a class; those of everyone under ""."""
    # A revision never changes. Its report has all cards and may be large.
    report = read_public_report(revision)
    boards = {"": list(report.rows)}
    for one in report.classes:
        boards[fold_name(one.name)] = rank_class(report.rows, one.members, one.cuts)
    return {
        key: {row.entrant_id: Finish(row.rank, row.number, row.rank_label) for row in rows if row.rank is not None}
        for key, rows in boards.items()
    }


class SeasonClass(NamedTuple):
    """A class that rounds of a season have: those with names that are the same to people are one.

    Attributes:
        key: what these names have in common.
        name: in the latest round that has it.
    """

    key: str
    name: str


def list_season_classes(season: Season) -> list[SeasonClass]:
    """Return the classes in the published results of a season, in the order in which they first occur."""
    names: dict[str, str] = {}
    for one in list_rounds(season):
        event = one.contest.event
        revision = None if event.is_practice or not event.is_open else get_public_revision(one.contest)
        names |= {} if revision is None else _read_class_names(revision)
    return [SeasonClass(key, name) for key, name in names.items()]


@lru_cache(maxsize=128)
def _read_class_names(revision: PublicRevision) -> Mapping[str, str]:
    return {fold_name(one.name): one.name for one in read_public_report(revision).classes}


@dataclass(frozen=True)
class PresentedRound:
    """A round of a season.

    Attributes:
        finishes: everyone's place; None while there is no published result.
        entrants: who of them each season rider was.
    """

    round: SeasonRound
    finishes: Mapping[UUID, Finish] | None
    entrants: Mapping[UUID, UUID]

    @property
    def is_published(self) -> bool:
        """Whether it counts already."""
        return self.finishes is not None

    @property
    def linked_count(self) -> int:
        """How many of the result are riders of the season."""
        return sum(entrant in (self.finishes or {}) for entrant in self.entrants.values())

    def get_finish(self, rider_id: UUID) -> Finish | None:
        """Return a rider's place; None for one who was not there."""
        entrant = self.entrants.get(rider_id)
        return None if entrant is None or self.finishes is None else self.finishes.get(entrant)


@dataclass(frozen=True)
class RoundCell:
    """What a rider has from one round: the round, the bike's or player's name there, the place and the points."""

    presented: PresentedRound
    entrant_id: UUID
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


def get_points_table(season: Season) -> PointsScale:
    """Return what places bring in a season."""
    return PointsScale(tuple(season.points), season.points_below, season.best_count)


def get_season_standings(season: Season, read_names: ReadNames, class_key: str = "") -> SeasonStandings:
    """Return the standings; a fixed number of statements for each round.

    Args:
        read_names: the names of an event's bikes and players, as the reader may see them.
        class_key: of the class among whose members places count (`SeasonClass`); "" for everyone.
    """
    rounds = present_rounds(season, class_key)
    places: dict[UUID, dict[UUID, int]] = {}
    for one in rounds:
        for rider in one.entrants:
            finish = one.get_finish(rider)
            if finish is not None:
                places.setdefault(rider, {})[one.round.pk] = finish.place
    names = {event.pk: read_names(event) for event in {one.round.contest.event for one in rounds}}
    rows = (_present_row(row, rounds, names) for row in rank_season(get_points_table(season), places))
    # Those who share a place are in the order of their names.
    return SeasonStandings(season, rounds, tuple(sorted(rows, key=lambda row: (row.row.rank, make_sort_key(row.name)))))


def present_rounds(season: Season, class_key: str = "") -> tuple[PresentedRound, ...]:
    """Return the rounds in order, each with its result and its links.

    Args:
        class_key: as for `get_season_standings`.
    """
    entrants: dict[int | UUID, dict[UUID, UUID]] = {}
    links = SeasonLink.objects.filter(round__season=season).values_list("round_id", "rider_id", "holder_id")
    for round_id, rider_id, entrant_id in links:
        entrants.setdefault(round_id, {})[rider_id] = entrant_id
    return tuple(
        PresentedRound(one, get_finishes(one.contest, class_key), entrants.get(one.pk, {}))
        for one in list_rounds(season)
    )


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
    entrant_id = one.entrants[row.rider]
    people = names[one.round.contest.event_id].get(entrant_id, "")
    return RoundCell(one, entrant_id, format_entrant(finish.number, people), finish, result)


def get_season_version(season: Season) -> str:
    """Return a digest of everything that the public standings of a season are made from."""
    links = SeasonLink.objects.filter(round__season=season).order_by("pk")
    parts = (
        sorted(model_to_dict(season).items()),
        [_describe_round(one) for one in list_rounds(season)],
        list(links.values_list("rider_id", "round_id", "holder_id")),
    )
    return sha256(repr(parts))


def _describe_round(one: SeasonRound) -> tuple[object, ...]:
    contest, event = one.contest, one.contest.event
    # A result that is withheld must not tell that something is recorded.
    version = get_contest_version(contest) if is_result_public(contest) else ""
    return one.pk, contest.name, contest.slug, event.name, event.slug, event.date, event.state, version


@dataclass(frozen=True)
class KnownRider:
    """A rider of the season, as in the latest other round."""

    id: UUID
    label: str
    number: str
    name: str


@dataclass(frozen=True)
class EntrantProposal:
    """Someone in the result of a round, and who that might be.

    Attributes:
        linked: the rider that is linked now; None if there is none.
        likely: the only rider of the same name; None if there is none or several.
        possible: all with the same name or number, and the one that is linked.
    """

    entrant_id: UUID
    place: str
    label: str
    linked: UUID | None
    likely: UUID | None
    possible: tuple[KnownRider, ...]


def propose_links(season_round: SeasonRound) -> list[EntrantProposal]:
    """Return everyone in the published result of a round, the best first; nothing while there is none."""
    finishes = get_finishes(season_round.contest) or {}
    people = get_full_names(season_round.contest.event, season_round.contest)
    rounds = present_rounds(season_round.season)
    linked = {
        entrant: rider for one in rounds if one.round.pk == season_round.pk for rider, entrant in one.entrants.items()
    }
    known = _list_known(rounds, season_round)
    return [
        _propose(entrant_id, finish.label, finish.number, people.get(entrant_id, ""), linked.get(entrant_id), known)
        for entrant_id, finish in finishes.items()
    ]


def _list_known(rounds: tuple[PresentedRound, ...], but: SeasonRound) -> list[KnownRider]:
    """Return the riders of the other rounds, each as in the latest of them."""
    known: dict[UUID, KnownRider] = {}
    names: dict[Event, Mapping[UUID, str]] = {}
    for one in rounds:
        if one.round.pk == but.pk:
            continue
        event = one.round.contest.event
        people = names.setdefault(event, get_full_names(event))
        for rider, entrant in one.entrants.items():
            finish = one.get_finish(rider)
            if finish is not None:
                name = people.get(entrant, "")
                label = f"{format_entrant(finish.number, name)}, {event.name}"
                known[rider] = KnownRider(rider, label, finish.number, _get_rider_name(name))
    return list(known.values())


def _propose(
    entrant_id: UUID, place: str, number: str, people: str, linked: UUID | None, known: list[KnownRider]
) -> EntrantProposal:
    name = _get_rider_name(people)
    same_name = [one for one in known if name and one.name == name]
    possible = tuple(one for one in known if one in same_name or (number and one.number == number) or one.id == linked)
    likely = same_name[0].id if len(same_name) == 1 else None
    return EntrantProposal(entrant_id, place, format_entrant(number, people), linked, likely, possible)


def _get_rider_name(people: str) -> str:
    """Return the rider's name for comparing: the passenger may be another one the next time."""
    return people.partition(", ")[0].casefold()
