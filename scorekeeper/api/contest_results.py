"""The results of a contest with the names of those who play, as someone may see them.

Files and the API are both made from them, so they show the same figures and names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _

from games.core.luck import Balance
from scorekeeper.agreements.selectors import AgreementsByBike, CardAgreement, compare_agreements, list_agreements
from scorekeeper.agreements.sheet_digest import compute_sheet_digest
from scorekeeper.audience.cut_presenter import get_full_witnesses, get_public_witnesses
from scorekeeper.audience.group_presenter import format_group_name, get_group_names
from scorekeeper.audience.luck import LuckNotVisible, enqueue_luck
from scorekeeper.audience.visible_standings import get_audience_view, get_organiser_view
from scorekeeper.common.game_adapter import show_total
from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import get_freeze
from scorekeeper.players.selectors import get_full_names, get_public_names
from scorekeeper.prizes.selectors.awards import AwardPresenter, list_audience_awards, list_published_awards
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.card_luck import CardLuck
from scorekeeper.standings.chances import ContestChances, ShownChances
from scorekeeper.standings.class_ranking import get_class_places, make_class_board
from scorekeeper.standings.column_headings import StandingsHeadings, get_standings_headings
from scorekeeper.standings.contest_report import CardReport, ContestReport
from scorekeeper.standings.group_ranking import GroupRanking, GroupRankingRow
from scorekeeper.standings.leaderboard import BoardClass, Leaderboard, LeaderboardRow
from scorekeeper.standings.luck_rows import LuckRow, make_luck_rows
from scorekeeper.standings.wording import format_official_status, round_mean
from scorekeeper.stops.models import Slot


class EntrantName(NamedTuple):
    """How an entrant is named: a bike by its riders, a player by the name. The other one is None."""

    riders: str | None
    name: str | None


class ResultClass(NamedTuple):
    """A class that an entrant is in, with the place in it; the rank is None for one who has not started."""

    class_id: UUID
    name: str
    rank: int | None
    is_tied: bool

    @property
    def place(self) -> str:
        """The place as people read it."""
        if self.rank is None:
            return "–"
        return f"{self.rank}=" if self.is_tied else str(self.rank)


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row of the standings, with what is not in the log.

    Attributes:
        turns, tables: how many of them count; None for the one by which the game is not counted.
        chances: the entrant's chances to win, if they are shown.
        is_announced: whether a reveal has announced the place; None unless there is one.
        total_text: what pages show instead of the total; None where they show the number.
        distance: how far the total is from the one that wins; None where the highest or the lowest one does, and for an
            entrant who has not started.
        classes: the classes that the entrant is in; None where the standings have none.
    """

    row: LeaderboardRow
    named: EntrantName
    turns: int | None
    tables: int | None
    chances: ShownChances | None
    is_announced: bool | None
    total_text: str | None
    distance: int | None
    classes: Sequence[ResultClass] | None


@dataclass(frozen=True, slots=True)
class ResultCard:
    """One entrant's part of a card.

    Attributes:
        is_agreed: whether the rider agreed to it; None where riders do not agree to cards.
        total_text: what pages show instead of the total; None where they show the number.
        distance: how far the total is from the one that wins; None where the highest or the lowest one does.
    """

    report: CardReport
    named: EntrantName
    is_agreed: bool | None
    total_text: str | None
    distance: int | None


class CutCard(NamedTuple):
    """A card that someone cut; None for someone who was not there."""

    entrant_id: UUID
    number: str
    card: str | None


class ResultCut(NamedTuple):
    """A cut of cards that decided places, with who watched it; "" if nobody is named."""

    cards: Sequence[CutCard]
    witness: str


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """A group in the standings of groups.

    Attributes:
        score: a sum, or a mean with two decimals; None for a group without a place.
    """

    row: GroupRankingRow
    name: str
    score: int | float | None


class ResultGroups(NamedTuple):
    """The standings of groups."""

    ranking: GroupRanking
    rows: Sequence[ResultGroup]


class ResultLuck(NamedTuple):
    """A row of the luck-adjusted table (`LuckRow`), with the entrant's name."""

    row: LeaderboardRow
    card: CardLuck
    balance: Balance
    is_recorded: bool
    adjusted: Decimal | None
    named: EntrantName


@dataclass(frozen=True, slots=True)
class StopResult:
    """What the bikes with a scorecard rolled in one turn.

    Attributes:
        turn: the ordinal of its slot.
        average: of the points of those who rolled, with two decimals; None if nobody has, or turns have no points.
        best_bikes: the numbers of the bikes with the best roll, in the order of the standings; none if turns have no
            points.
    """

    turn: int
    stop: str
    rolled: int
    missed: int
    average: float | None
    best: int | None
    best_bikes: tuple[str, ...]


@dataclass(frozen=True)
class ContestResults:
    """A contest's leaderboard and report, and the names of those who play.

    Attributes:
        people: the names for each bike or player.
        group_names: the names of the event's groups.
        witnesses: the names of those who watched cuts of cards, by the entry of the cut.
        awards: the published prizes; none while the contest is not official.
        is_for_organisers: who sees them; None for a stored result, which has no luck.
        chances: the chances to win, if they are shown; only read with the standings.
    """

    contest: Contest
    board: Leaderboard
    report: ContestReport
    people: Mapping[UUID, str]
    group_names: Mapping[UUID, str]
    witnesses: Mapping[int, str]
    awards: Sequence[AwardPresenter] = ()
    is_for_organisers: bool | None = None
    chances: ContestChances | None = None

    @cached_property
    def headings(self) -> StandingsHeadings:
        """The headings of the standings."""
        return get_standings_headings(self.contest, self.board)

    @property
    def cuts_cards(self) -> bool:
        """Whether the game breaks ties with cards."""
        return self.contest.ruleset.tie_procedure == "cut_cards"

    def get_witness(self, entrant_id: UUID) -> str:
        """Return who watched the cuts that decided an entrant's place, in order."""
        cuts = (cut for cut in self.board.cuts if any(entrant == entrant_id for entrant, _number, _card in cut.cards))
        names = (self.witnesses.get(cut.seq, "") for cut in cuts)
        return _(", then ").join(name for name in names if name)

    @cached_property
    def slots(self) -> tuple[tuple[int, str], ...]:
        """The ordinals of the contest's slots in order, each with the name of its stop."""
        slots = Slot.objects.filter(contest=self.contest).order_by("ordinal")
        return tuple(slots.values_list("ordinal", "stop__name"))

    def get_agreement(self, card: CardReport) -> CardAgreement | None:
        """Return whether a card with these figures is agreed to; None where riders do not agree to cards.

        While the standings are frozen for the audience, only what was agreed before counts, also once all places are
        announced: anything later would say whether a card has changed.
        """
        if not get_kind(self.contest.game).is_agreed_to:
            return None
        digest = compute_sheet_digest(((turn.ordinal, turn) for turn in card.turns), card.total)
        return compare_agreements(self._agreements.get(card.entrant_id, ()), digest)

    @cached_property
    def _agreements(self) -> AgreementsByBike:
        until = self.board.frozen_at
        if until is None and self.is_for_organisers is False and (freeze := get_freeze(self.contest.event)):
            until = freeze.at
        return list_agreements([self.contest.pk], until).get(self.contest.pk, {})

    @property
    def rows(self) -> tuple[LeaderboardRow, ...]:
        """The standings, followed by everyone who has not rolled."""
        return (*self.report.rows, *self.report.absent)

    @property
    def named_rows(self) -> list[ResultRow]:
        """The same rows, with what is not in the log."""
        counts_turns = get_kind(self.contest.game).export.count_key == "turns"
        return [
            ResultRow(
                row,
                self.get_name(row.entrant_id),
                row.turn_count if counts_turns else None,
                None if counts_turns else row.turn_count,
                self._get_chances(row),
                not row.is_withheld if self.board.is_being_revealed else None,
                self._get_total_text(row.total),
                self.get_distance(row),
                self.list_classes(row) if self.board.classes else None,
            )
            for row in self.rows
        ]

    @property
    def classes(self) -> Sequence[BoardClass] | None:
        """The classes of the standings, in order; None where there are none."""
        return self.board.classes or None

    def list_classes(self, row: LeaderboardRow) -> list[ResultClass]:
        """Return the classes that the entrant of a row is in, in order."""
        found = []
        for one in self.board.classes:
            own = self._class_places[one.id].get(row.entrant_id)
            if own is not None:
                found.append(ResultClass(one.id, one.name, own.rank, own.is_tied))
            elif row.entrant_id in self._class_members[one.id]:
                found.append(ResultClass(one.id, one.name, None, False))
        return found

    @cached_property
    def _class_places(self) -> Mapping[UUID, Mapping[UUID, LeaderboardRow]]:
        return get_class_places(replace(self.board, rows=self.rows))

    @cached_property
    def _class_members(self) -> Mapping[UUID, frozenset[UUID]]:
        return {one.id: frozenset(one.members) for one in self.board.classes}

    @property
    def cards(self) -> list[ResultCard]:
        """The cards, as far as anything is recorded."""
        return list(map(self.name_card, self.report.cards))

    def name_card(self, card: CardReport) -> ResultCard:
        """Return one entrant's part of a card, with what is not in the log."""
        agreement = self.get_agreement(card)
        is_agreed = None if agreement is None else agreement.current is not None
        text, distance = self._get_total_text(card.total), self._compute_distance(card.total)
        return ResultCard(card, self.get_name(card.entrant_id), is_agreed, text, distance)

    @property
    def has_distances(self) -> bool:
        """Whether the total that wins is neither the highest nor the lowest, so that rows have their distance."""
        return self._compute_distance(0) is not None

    def get_distance(self, row: LeaderboardRow) -> int | None:
        """Return how far the total of a row is from the one that wins; None as in `ResultRow`."""
        return self._compute_distance(row.total) if row.is_ranked else None

    def _compute_distance(self, total: int) -> int | None:
        ruleset = self.contest.ruleset
        return ruleset.game.distance(ruleset.setup, total)

    def _get_total_text(self, total: int) -> str | None:
        shown = show_total(self.contest.game, total)
        return shown if isinstance(shown, str) else None

    @property
    def cuts(self) -> list[ResultCut] | None:
        """The cuts of cards that decided places; None in games in which none are cut."""
        if not self.cuts_cards:
            return None
        return [
            ResultCut([CutCard(*card) for card in cut.cards], self.witnesses.get(cut.seq, ""))
            for cut in self.board.cuts
        ]

    @property
    def groups(self) -> ResultGroups | None:
        """The standings of groups; None where groups are not compared."""
        ranking = self.board.groups
        if ranking is None:
            return None
        rows = [
            ResultGroup(row, format_group_name(self.group_names, row.group_id), get_group_score(ranking, row))
            for row in ranking.rows
        ]
        return ResultGroups(ranking, rows)

    @property
    def stops(self) -> list[StopResult] | None:
        """What was rolled in each turn; None in contests without turns at stops."""
        return list(self._list_stops()) if self.slots else None

    def _list_stops(self) -> Iterator[StopResult]:
        for ordinal, stop in self.slots:
            turns = [
                (card.number, turn) for card in self.report.cards for turn in card.turns if turn.ordinal == ordinal
            ]
            rolled = [(number, turn.points) for number, turn in turns if turn.how != "missed"]
            points = [of_one for _number, of_one in rolled if self.contest.game.points_of_turns]
            best = (min if self.contest.ruleset.lowest_wins else max)(points, default=None)
            yield StopResult(
                turn=ordinal,
                stop=stop,
                rolled=len(rolled),
                missed=len(turns) - len(rolled),
                average=float(round_mean(sum(points), len(points))) if points else None,
                best=best,
                best_bikes=tuple(number for number, of_one in rolled if of_one == best),
            )

    @property
    def luck(self) -> list[ResultLuck] | None:
        """The luck-adjusted table with names; None where there is none, and while it has yet to be computed."""
        if self.luck_rows is None:
            return None
        return [ResultLuck(*one, one.adjusted, self.get_name(one.row.entrant_id)) for one in self.luck_rows]

    @property
    def known_chances(self) -> ContestChances | None:
        """What the chances in the rows are about; None if there are none."""
        chances = self.chances
        return None if chances is None or not chances.is_known or chances.as_of is None else chances

    def get_name(self, entrant_id: UUID) -> EntrantName:
        """Return how an entrant is named."""
        name = self.people.get(entrant_id, "")
        return EntrantName(name, None) if self.headings.has_numbers else EntrantName(None, name)

    def _get_chances(self, row: LeaderboardRow) -> ShownChances | None:
        """Return the chances of an entrant who has started, if they are known: the same as the page's."""
        if self.chances is None or not row.is_ranked:
            return None
        return self.chances.show(row.entrant_id, row.status, row.outlook, self.contest.prizes)

    @cached_property
    def luck_rows(self) -> list[LuckRow] | None:
        """The luck-adjusted table; None where there is none, and while it has yet to be computed."""
        if self.is_for_organisers is None:
            return None
        try:
            luck = enqueue_luck(self.contest, is_for_organisers=self.is_for_organisers)
        except LuckNotVisible:
            return None
        if luck is None:
            return None
        return make_luck_rows(self.report.rows, luck.cards, lowest_wins=self.contest.ruleset.odds_aim == "low")

    @property
    def official_text(self) -> str:
        """The official status of the figures, and as of when."""
        return format_official_status(self.board, self.contest.event)


def read_results(contest: Contest, *, is_for_organisers: bool) -> ContestResults:
    """Return the standings, cards and published prizes of a contest as its organisers or its audience may see them."""
    view = get_organiser_view(contest) if is_for_organisers else get_audience_view(contest)
    board, report = view.get_report()
    people = get_names(contest, is_for_organisers=is_for_organisers)
    awards = (list_published_awards if is_for_organisers else list_audience_awards)(contest, people)
    return _make_results(contest, board, report, people, awards, is_for_organisers=is_for_organisers)


def read_standings(contest: Contest, *, is_for_organisers: bool) -> ContestResults:
    """Return only the standings: the same rows, without folding a card."""
    view = get_organiser_view(contest) if is_for_organisers else get_audience_view(contest)
    board = view.get_leaderboard()
    people = get_names(contest, is_for_organisers=is_for_organisers)
    report = ContestReport(board.rows, ())
    results = _make_results(contest, board, report, people, (), is_for_organisers=is_for_organisers)
    return replace(results, chances=view.get_chances())


def narrow_to_class(results: ContestResults, class_id: UUID) -> ContestResults:
    """Return the standings of a class: its rows with their places in it; none while there is no such class."""
    found = results.board.find_class(class_id) or BoardClass(class_id, "", ())
    board = make_class_board(replace(results.board, rows=results.rows), found)
    chances = None if results.chances is None else results.chances.narrow_to_class(class_id)
    return replace(results, board=board, report=ContestReport(board.rows, ()), chances=chances)


def read_names(contest: Contest, *, is_for_organisers: bool) -> ContestResults:
    """Return only the names, for a few of the contest's cards."""
    freeze = None if is_for_organisers else get_freeze(contest.event)
    board = Leaderboard((), contest.status, 0, frozen_at=None if freeze is None else freeze.at)
    people = get_names(contest, is_for_organisers=is_for_organisers)
    return ContestResults(contest, board, ContestReport((), ()), people, {}, {})


def get_names(contest: Contest, *, is_for_organisers: bool) -> Mapping[UUID, str]:
    """Return the names of each bike and player: full ones for organisers, else as the event shows people."""
    return get_full_names(contest.event, contest) if is_for_organisers else get_public_names(contest.event, contest)


def _make_results(
    contest: Contest,
    board: Leaderboard,
    report: ContestReport,
    people: Mapping[UUID, str],
    awards: Sequence[AwardPresenter],
    *,
    is_for_organisers: bool,
) -> ContestResults:
    witnesses = (get_full_witnesses if is_for_organisers else get_public_witnesses)(contest, board)
    groups = get_group_names(contest.event)
    return ContestResults(contest, board, report, people, groups, witnesses, awards, is_for_organisers)


def get_group_score(groups: GroupRanking, row: GroupRankingRow) -> int | float | None:
    """Return a group's score as a number, a mean with two decimals; None for a group without a place."""
    if row.score.rank is None:
        return None
    return row.score.points if groups.rule.best else float(round_mean(row.score.points, row.score.counted))
