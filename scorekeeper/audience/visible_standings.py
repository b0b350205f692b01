"""The standings a viewer may see: current ones for organisers, the frozen ones for the audience during a freeze.

Everything that leaves the desk asks `get_audience_view`: pages, streams, files and screens. An import contract in
`pyproject.toml` keeps the selectors of current figures out of their reach.

Invariants:
- While an event is frozen, its audience sees nothing that was recorded after the freeze, except what the reveal has
  announced. Outlooks and chances are silent, because they say what others can still reach.
- A contest without a snapshot, added after the freeze, is empty and open, whatever becomes of it.
- Of a draw of cards, the frozen audience sees one that the organiser shows on the screens, and nothing else of its
  contest.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol
from uuid import UUID

from django.db.models import QuerySet

from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.events.selectors import get_freeze
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.board_data import load_board
from scorekeeper.standings.chances import ContestChances
from scorekeeper.standings.class_ranking import get_class_places
from scorekeeper.standings.contest_report import CardReport, ContestReport
from scorekeeper.standings.entrant_table import EntrantTable
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.models import FrozenStandings, Revision
from scorekeeper.standings.outlook import Outlook
from scorekeeper.standings.reveal import (
    WHOLE_RESULT,
    list_announced,
    merge_boards,
    merge_cards,
)
from scorekeeper.standings.selectors.chances_reports import get_contest_chances
from scorekeeper.standings.selectors.current_tables import list_current_tables
from scorekeeper.standings.selectors.first_places import FirstPlace, find_first_place, list_first_places
from scorekeeper.standings.selectors.leaderboard import (
    get_current_card,
    get_current_report,
    get_leaderboard,
)
from scorekeeper.standings.selectors.outlooks import get_outlook
from scorekeeper.standings.selectors.reports import make_blank_card_report
from scorekeeper.standings.selectors.revisions import get_frozen_report, list_revisions
from scorekeeper.standings.services.reading import read_figures, refresh_overdue


class StandingsView(Protocol):
    """The standings of a contest as someone may see them. Each part is read from the database when it is asked for."""

    def get_leaderboard(self) -> Leaderboard:
        """Return the leaderboard."""
        ...

    def get_report(self) -> tuple[Leaderboard, ContestReport]:
        """Return the standings with all cards."""
        ...

    def get_card(self, entrant_id: UUID, number: str) -> tuple[Leaderboard, CardReport]:
        """Return one card, a blank one if nothing is on it; the leaderboard has no rows.

        Args:
            number: of the entrant, for a blank card.
        """
        ...

    def list_tables(self, entrant_id: UUID) -> list[EntrantTable]:
        """Return the tables at which an entrant has a seat."""
        ...

    def get_outlook(self, entrant_id: UUID) -> Outlook | None:
        """Return what an entrant can still reach, if that may be said."""
        ...

    def get_chances(self) -> ContestChances | None:
        """Return everyone's chances to win, if they may be said."""
        ...


def get_audience_view(contest: Contest) -> StandingsView:
    """Return a contest's standings as the audience may see them now."""
    freeze = get_freeze(contest.event)
    if freeze is None:
        return CurrentView(contest)
    return FrozenView(
        contest, freeze, FrozenStandings.objects.defer("cards", "result_cards").filter(pk=contest.pk).first()
    )


def is_result_public(contest: Contest) -> bool:
    """Return whether the audience may see all of a contest's last revision: it is official, and nothing is frozen."""
    return bool(list_public_results(contest.event, [contest]))


def list_public_results(event: Event, contests: Iterable[Contest]) -> list[Contest]:
    """Return those of an event's contests whose last revision the audience may see, in one statement at most."""
    official = [contest for contest in contests if contest.status == Contest.Status.OFFICIAL]
    return official if official and get_freeze(event) is None else []


def is_whole_result_public(event: Event) -> bool:
    """Return whether the audience may see the last revision of every contest of an event that has any."""
    contests = list(event.contests.all())
    return bool(contests) and len(list_public_results(event, contests)) == len(contests)


class PublicRevision(NamedTuple):
    """An official result that the audience may see."""

    id: UUID
    number: int


def get_public_revision(contest: Contest) -> PublicRevision | None:
    """Return the last revision of an official contest; None before, and while a freeze withholds the result."""
    if not is_result_public(contest):
        return None
    last = list_revisions(contest).values_list("pk", "number").first()
    return None if last is None else PublicRevision(*last)


def read_public_report(revision: PublicRevision) -> ContestReport:
    """Return what a revision printed. It never changes, so callers may cache what they make of it."""
    return get_frozen_report(Revision.objects.get(pk=revision.id))


class PublishedRevision(NamedTuple):
    """An official result, also a replaced one, without its figures.

    Attributes:
        is_current: whether it is the contest's official result now.
    """

    number: int
    published_at: dt.datetime
    is_current: bool


def list_published_revisions(contest: Contest) -> list[PublishedRevision]:
    """Return the official results that the audience may open, the last one first; none while anything is frozen.

    Unlike the last one alone, they stay open while the contest is reopened.
    """
    if get_freeze(contest.event) is not None:
        return []
    is_official = contest.status == Contest.Status.OFFICIAL
    found = list_revisions(contest).values_list("number", "published_at")
    return [PublishedRevision(number, at, is_official and not index) for index, (number, at) in enumerate(found)]


class Publication(NamedTuple):
    """An official result of some contest, with the contest and its event, without figures."""

    contest: Contest
    number: int
    published_at: dt.datetime


def list_publications(contests: QuerySet[Contest], most: int) -> list[Publication]:
    """Return the last official results of contests that the audience may open, the latest first, in two statements.

    Those of a frozen event are withheld, as in `list_published_revisions`.

    Args:
        most: how many at most.
    """
    published = Revision.objects.filter(contest__in=contests.order_by())
    published = published.exclude(contest__event__freeze__at__isnull=False)
    newest = published.order_by("-published_at", "contest", "-number").values_list(
        "contest_id", "number", "published_at"
    )[:most]
    rows = list(newest)
    found = Contest.objects.select_related("event").in_bulk({contest_id for contest_id, _number, _at in rows})
    return [Publication(found[contest_id], number, at) for contest_id, number, at in rows if contest_id in found]


def get_organiser_view(contest: Contest) -> StandingsView:
    """Return a contest's standings as its organisers see them: current at any time."""
    return CurrentView(contest)


@dataclass(frozen=True)
class CurrentView:
    """The current standings: the last revision while it is official, otherwise live.

    All parts come from one version of the standings (`services.reading`).
    """

    contest: Contest

    def get_leaderboard(self) -> Leaderboard:
        """Return the current leaderboard."""
        refresh_overdue([self.contest])
        return get_leaderboard(self.contest)

    def get_report(self) -> tuple[Leaderboard, ContestReport]:
        """Return the current standings with all cards."""
        return read_figures(self.contest, lambda: get_current_report(self.contest))

    def get_card(self, entrant_id: UUID, number: str) -> tuple[Leaderboard, CardReport]:
        """Return the current card."""
        head, card = read_figures(self.contest, lambda: get_current_card(self.contest, entrant_id))
        return head, card or make_blank_card_report(self.contest, entrant_id, number)

    def list_tables(self, entrant_id: UUID) -> list[EntrantTable]:
        """Return the tables as currently played, or as they are official."""
        return read_figures(self.contest, lambda: list_current_tables(self.contest, entrant_id))

    def get_outlook(self, entrant_id: UUID) -> Outlook | None:
        """Return the outlook, while the contest is open."""
        return get_outlook(self.contest, entrant_id)

    def get_chances(self) -> ContestChances | None:
        """Return the chances, while the contest is open and set to tell them."""
        return get_contest_chances(self.contest)


@dataclass(frozen=True)
class FrozenView:
    """The standings of a freeze, with what the reveal has announced since.

    Attributes:
        snapshot: None for a contest that was added after the freeze.
    """

    contest: Contest
    freeze: Freeze
    snapshot: FrozenStandings | None

    def get_leaderboard(self) -> Leaderboard:
        """Return the rows as they were frozen, announced ones as in the result."""
        return self._board

    def get_report(self) -> tuple[Leaderboard, ContestReport]:
        """Return the same rows with their cards."""
        board = self._board
        ranked = tuple(row for row in board.rows if row.is_ranked)
        # As in every report, only bikes of a roster can be absent.
        is_roster = get_kind(self.contest.game).enters_roster
        absent = tuple(row for row in board.rows if is_roster and not row.is_ranked)
        return board, ContestReport(ranked, self._cards, absent=absent, groups=board.groups)

    def get_card(self, entrant_id: UUID, number: str) -> tuple[Leaderboard, CardReport]:
        """Return the card of the freeze or, once the entrant's place is announced, of the result."""
        # Only this one is parsed: bikes are looked up one by one, and a ride has a thousand.
        is_announced = self._is_announced(entrant_id)
        board = self._result if is_announced and self._result is not None else self._board
        cards = self._result_cards if is_announced else self._frozen_cards
        data = next((card for card in cards if card["holder"] == str(entrant_id)), None)
        card = make_blank_card_report(self.contest, entrant_id, number) if data is None else CardReport.from_data(data)
        return replace(board, rows=()), card

    def list_tables(self, entrant_id: UUID) -> list[EntrantTable]:
        """Return the tables of the freeze, or of the result where everyone at the table is announced."""
        return [EntrantTable.from_reports(parts) for parts in ContestReport((), self._cards).list_tables(entrant_id)]

    def get_outlook(self, entrant_id: UUID) -> Outlook | None:
        """Return nothing: it would say what others have done since."""
        return None

    def get_chances(self) -> ContestChances | None:
        """Return nothing: they would say what others have done since."""
        return None

    @cached_property
    def _frozen_board(self) -> Leaderboard:
        if self.snapshot is None:
            return Leaderboard((), Contest.Status.OPEN, 0, frozen_at=self.freeze.at)
        return replace(load_board(self.snapshot.board), frozen_at=self.freeze.at)

    @cached_property
    def _result(self) -> Leaderboard | None:
        """The result, once anything of it is announced."""
        snapshot = self.snapshot
        if snapshot is None or snapshot.revealed_from is None or snapshot.result_board is None:
            return None
        return load_board(snapshot.result_board)

    @cached_property
    def _board(self) -> Leaderboard:
        revealed_from = None if self.snapshot is None else self.snapshot.revealed_from
        return merge_boards(self._frozen_board, self._result, revealed_from)

    @cached_property
    def _cards(self) -> tuple[CardReport, ...]:
        if self._is_whole_result:
            return tuple(map(CardReport.from_data, self._result_cards))
        frozen = tuple(map(CardReport.from_data, self._frozen_cards))
        return merge_cards(frozen, list(map(CardReport.from_data, self._result_cards)), self._announced)

    @cached_property
    def _frozen_cards(self) -> Sequence[Mapping[str, Any]]:
        return self._read_cards("cards")

    @cached_property
    def _result_cards(self) -> Sequence[Mapping[str, Any]]:
        return () if self._result is None else self._read_cards("result_cards")

    def _read_cards(self, column: str) -> Sequence[Mapping[str, Any]]:
        # Not a deferred column: the snapshot may be deleted in the meantime, when the freeze is lifted.
        return FrozenStandings.objects.filter(pk=self.contest.pk).values_list(column, flat=True).first() or ()

    @property
    def _is_whole_result(self) -> bool:
        return self.snapshot is not None and self.snapshot.revealed_from == WHOLE_RESULT

    @cached_property
    def _announced(self) -> frozenset[UUID]:
        """The entrants whose place is announced."""
        if self.snapshot is None or self._result is None or self.snapshot.revealed_from is None:
            return frozenset()
        return frozenset(row.entrant_id for row in list_announced(self._result, self.snapshot.revealed_from))

    def _is_announced(self, entrant_id: UUID) -> bool:
        return self._is_whole_result or entrant_id in self._announced


class ClassPlace(NamedTuple):
    """The place of an entrant in a class."""

    class_id: UUID
    name: str
    row: LeaderboardRow


def list_class_places(contest: Contest, view: StandingsView, entrant_id: UUID) -> list[ClassPlace]:
    """Return the places of an entrant in the classes of a contest, in order, as a viewer may see them.

    An event without classes costs one statement.
    """
    if not contest.event.classes.exists():
        return []
    board = view.get_leaderboard()
    names = {one.id: one.name for one in board.classes}
    places = get_class_places(board).items()
    return [ClassPlace(pk, names[pk], rows[entrant_id]) for pk, rows in places if entrant_id in rows]


@dataclass(frozen=True, slots=True)
class EventStandings:
    """What the audience sees of an event's contests at one glance.

    Attributes:
        freeze: None while the event is not frozen.
        first_places: by contest, where someone has started.
        statuses: of the contests of a frozen event, as of the freeze.
    """

    freeze: Freeze | None
    first_places: Mapping[UUID, FirstPlace]
    statuses: Mapping[UUID, str]

    def get_status(self, contest: Contest) -> str:
        """Return the status of one of the contests, as the audience may see it."""
        return contest.status if self.freeze is None else self.statuses.get(contest.pk, Contest.Status.OPEN)


def get_event_standings(event: Event) -> EventStandings:
    """Return the leaders of every contest of an event as the audience may see them, in a fixed number of statements."""
    freeze = get_freeze(event)
    if freeze is None:
        refresh_overdue(list(event.contests.all()))
        return EventStandings(None, list_first_places(event), {})
    snapshots = FrozenStandings.objects.filter(contest__event=event).defer("cards", "result_cards")
    boards = {
        one.pk: FrozenView(one.contest, freeze, one).get_leaderboard() for one in snapshots.select_related("contest")
    }
    found = {contest: find_first_place(board.rows, board.standings_version) for contest, board in boards.items()}
    return EventStandings(
        freeze,
        {contest: first for contest, first in found.items() if first is not None},
        {contest: board.status for contest, board in boards.items()},
    )
