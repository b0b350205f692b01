"""The results of a contest with the names of those who play, as someone may see them.

Files and the API are both made from them, so they show the same figures and names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.agreements.selectors import AgreementsByBike, CardAgreement, compare_agreements, list_agreements
from scorekeeper.agreements.sheet_digest import compute_sheet_digest
from scorekeeper.audience.cut_presenter import get_full_witnesses, get_public_witnesses
from scorekeeper.audience.group_presenter import get_group_names
from scorekeeper.audience.luck import LuckNotVisible, enqueue_luck
from scorekeeper.audience.visible_standings import get_audience_view, get_organiser_view
from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import get_freeze
from scorekeeper.players.selectors import get_full_names, get_public_names
from scorekeeper.prizes.selectors.awards import AwardPresenter, list_audience_awards, list_published_awards
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.chances import ContestChances
from scorekeeper.standings.column_headings import StandingsHeadings, get_standings_headings
from scorekeeper.standings.contest_report import CardReport, ContestReport
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.luck_rows import LuckRow, make_luck_rows
from scorekeeper.standings.wording import format_official_status
from scorekeeper.stops.models import Slot


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
        return self.contest.game.tie_procedure == "cut_cards"

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
        return make_luck_rows(self.report.rows, luck.cards, lowest_wins=self.contest.game.lowest_wins)

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


def read_names(contest: Contest, *, is_for_organisers: bool) -> ContestResults:
    """Return only the names, for a few of the contest's cards."""
    freeze = None if is_for_organisers else get_freeze(contest.event)
    board = Leaderboard((), contest.status, 0, frozen_at=None if freeze is None else freeze.at)
    people = get_names(contest, is_for_organisers=is_for_organisers)
    return ContestResults(contest, board, ContestReport((), ()), people, {}, {})


def get_names(contest: Contest, *, is_for_organisers: bool) -> Mapping[UUID, str]:
    """Return the names of each bike and player: full ones for organisers, else as the event shows people."""
    return get_full_names(contest.event) if is_for_organisers else get_public_names(contest.event)


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
