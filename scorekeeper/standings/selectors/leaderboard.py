"""The current leaderboard of a contest: its last revision while it is official, otherwise its live standings.

A freeze does not affect it. What the audience sees comes from `audience.visible_standings`.

Ranks are computed here, by (`order_key` descending, `tie_key` ascending).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count

from games.core.standing import read_order_key
from scorekeeper.bikes.models import label_bike
from scorekeeper.bikes.numbers import BikeNumber
from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.non_starters import find_non_starters
from scorekeeper.standings.contest_report import CardReport, ContestReport
from scorekeeper.standings.entrants import EntrantSortKey, get_margin, get_sort_key, make_sort_key
from scorekeeper.standings.leaderboard import DecidedBy, Leaderboard, LeaderboardRow, add_next_steps
from scorekeeper.standings.models import IS_RANKED, Revision, StandingsRow, StandingsState
from scorekeeper.standings.outlook import Outlook
from scorekeeper.standings.selectors.checklist import get_tie_rule
from scorekeeper.standings.selectors.class_boards import list_board_classes
from scorekeeper.standings.selectors.cuts import Cut, describe_counted_cuts, list_cuts
from scorekeeper.standings.selectors.group_rankings import get_group_ranking
from scorekeeper.standings.selectors.outlooks import list_outlooks
from scorekeeper.standings.selectors.reports import fold_card_report, fold_report, get_absent_status
from scorekeeper.standings.selectors.revisions import get_frozen_report, get_last_revision, has_log_grown


def get_leaderboard(contest: Contest) -> Leaderboard:
    """Return the current leaderboard, in a fixed number of statements however many bikes there are."""
    if contest.status != Contest.Status.OFFICIAL:
        return get_live_leaderboard(contest)
    revision = _get_official_revision(contest)
    report = get_frozen_report(revision)
    return replace(make_revision_board(contest, revision, report), rows=(*report.rows, *report.absent))


def get_live_leaderboard(contest: Contest) -> Leaderboard:
    """Return the current standings, with entrants that have not rolled at the end."""
    head, state = _make_live_head(contest)
    cuts = _list_counted_cuts(contest, state)
    ranked = _list_ranked(contest, cuts)
    if contest.status == Contest.Status.CLOSED:
        ranked = add_next_steps(ranked, get_tie_rule(contest))
    rows = (*ranked, *_list_unranked(contest, ranked))
    # Cuts that the rows do not show yet are left out until the standings are refreshed.
    numbers = {row.entrant_id: row.number for row in ranked if row.cards}
    shown = [cut for cut in cuts if numbers.keys() >= cut.cards.keys()]
    return replace(
        head,
        rows=rows,
        groups=get_group_ranking(contest, rows),
        cuts=describe_counted_cuts(shown, (), numbers),
        missed_turns=_count_missed_turns(contest),
        classes=list_board_classes(contest, rows),
    )


def _count_missed_turns(contest: Contest) -> Mapping[UUID, int]:
    if contest.game.slot_option is None:
        return {}
    missed = Turn.objects.filter(card__contest=contest, how=Turn.How.MISSED, card__seats__bike__isnull=False)
    return dict(missed.order_by().values_list("card__seats__bike").annotate(Count("pk")))


def get_leaderboard_head(contest: Contest) -> Leaderboard:
    """Return how official the contest's figures are, without any rows."""
    if contest.status == Contest.Status.OFFICIAL:
        return _make_revision_head(contest, _get_official_revision(contest))
    return _make_live_head(contest)[0]


def get_current_report(contest: Contest) -> tuple[Leaderboard, ContestReport]:
    """Return the current standings and cards: of the last revision while official, otherwise folded from the log."""
    if contest.status == Contest.Status.OFFICIAL:
        revision = _get_official_revision(contest)
        report = get_frozen_report(revision)
        return make_revision_board(contest, revision, report), report
    head, _ = _make_live_head(contest)
    report = fold_report(contest)
    numbers = {row.entrant_id: row.number for row in report.rows}
    cuts = [] if contest.status == Contest.Status.OPEN else list_cuts(contest.pk)
    counted = describe_counted_cuts(cuts, report.stale_cuts, numbers)
    missed = report.count_missed_turns()
    board = replace(head, rows=report.rows, groups=report.groups, cuts=counted, missed_turns=missed)
    return replace(board, classes=report.classes), report


def get_current_card(contest: Contest, entrant_id: UUID) -> tuple[Leaderboard, CardReport | None]:
    """Return one current card, and how official it is; the leaderboard has no rows."""
    if contest.status == Contest.Status.OFFICIAL:
        revision = _get_official_revision(contest)
        return _make_revision_head(contest, revision), get_frozen_report(revision).get_card(entrant_id)
    return _make_live_head(contest)[0], fold_card_report(contest, entrant_id)


def _get_official_revision(contest: Contest) -> Revision:
    revision = get_last_revision(contest)
    assert revision is not None, "a contest is official from its first revision on"
    return revision


def _make_revision_head(contest: Contest, revision: Revision) -> Leaderboard:
    return Leaderboard(
        rows=(),
        status=contest.status,
        turns_per_card=contest.slots.count(),
        as_of=revision.published_at,
        revision=revision.number,
        needs_revision=has_log_grown(revision),
        last_revision=revision.number,
    )


def make_revision_board(contest: Contest, revision: Revision, report: ContestReport) -> Leaderboard:
    """Return what a revision froze, without bikes that did not take part."""
    # The chain may have more cuts by now, which belong to the next revision.
    length = next(length for chain, length, _head in revision.chains if chain == str(contest.pk))
    cuts = list_cuts(contest.pk, length) if any(row.cards for row in report.rows) else []
    numbers = {row.entrant_id: row.number for row in report.rows}
    return replace(
        _make_revision_head(contest, revision),
        rows=report.rows,
        standings_version=report.standings_version,
        groups=report.groups,
        cuts=describe_counted_cuts(cuts, report.stale_cuts, numbers),
        missed_turns=report.count_missed_turns(),
        classes=report.classes,
    )


def _make_live_head(contest: Contest) -> tuple[Leaderboard, StandingsState | None]:
    state = StandingsState.objects.filter(contest=contest).first()
    last = get_last_revision(contest)
    head = Leaderboard(
        rows=(),
        status=contest.status,
        turns_per_card=contest.slots.count(),
        as_of=None if state is None else state.changed_at,
        needs_revision=last is not None and has_log_grown(last),
        last_revision=0 if last is None else last.number,
    )
    return head, state


class _RankedRow(NamedTuple):
    """A standings row with its entrant, as plain values: long leaderboards are read often, and models are slower."""

    order_key: bytes
    tie_key: int
    bike_id: UUID | None
    bike__number: BikeNumber | None
    bike__suffix: int | None
    bike__sheet: int | None
    player_id: UUID | None
    player__name: str | None
    total: int
    best_total: int | None
    worst_total: int | None
    turns_done: int
    status: str
    last_change: dt.datetime | None

    @property
    def entrant_id(self) -> UUID:
        """The id of the bike or the player."""
        entrant = self.bike_id or self.player_id
        assert entrant is not None, "every row belongs to an entrant"
        return entrant

    @property
    def number(self) -> str:
        """The bike's number; "" for a player."""
        if self.bike__number is None:
            return ""
        return label_bike(self.bike__number, self.bike__suffix or 1, self.bike__sheet or 1)

    @property
    def sort_key(self) -> EntrantSortKey:
        """The sort key among tied entrants."""
        return make_sort_key(self.bike__number, self.bike__suffix, self.bike__sheet, self.player__name)


def _list_counted_cuts(contest: Contest, state: StandingsState | None) -> list[Cut]:
    """Return the cuts that counted when the standings were last refreshed."""
    stale = set() if state is None else set(state.stale_cuts)
    return [cut for cut in list_cuts(contest.pk) if cut.seq not in stale]


def _list_ranked(contest: Contest, cuts: Sequence[Cut]) -> list[LeaderboardRow]:
    rows = StandingsRow.objects.filter(IS_RANKED, contest=contest, bike__merged_into=None)
    in_order = rows.order_by("-order_key", "tie_key").values_list(*_RankedRow._fields)
    ranked_rows = list(map(_RankedRow._make, in_order))
    listed: list[LeaderboardRow] = []
    game = contest.game
    outlooks = list_outlooks(contest, ranked_rows)
    for (order, _), same_place in groupby(ranked_rows, key=lambda row: (bytes(row.order_key), row.tie_key)):
        tied_rows = sorted(same_place, key=lambda row: row.sort_key)
        margin = get_margin(game, read_order_key(order)) if game.margin_label else None
        rank, is_tied = len(listed) + 1, len(tied_rows) > 1
        listed += [_make_row(row, rank, is_tied=is_tied, cuts=cuts, margin=margin) for row in tied_rows]
    return [_add_outlook(row, outlooks.get(row.entrant_id)) for row in listed]


def _add_outlook(row: LeaderboardRow, outlook: Outlook | None) -> LeaderboardRow:
    return row if outlook is None else replace(row, outlook=outlook, chance=outlook.chance)


def _make_row(row: _RankedRow, rank: int, *, is_tied: bool, cuts: Sequence[Cut], margin: int | None) -> LeaderboardRow:
    # A cut that counts names whole tied groups, so it decides the place of every entrant it names.
    cards_shown = [cut.cards[row.entrant_id] for cut in cuts if row.entrant_id in cut.cards] if row.tie_key else []
    decided_by: DecidedBy = "cut" if cards_shown else "level" if is_tied else "points"
    return LeaderboardRow(
        entrant_id=row.entrant_id,
        number=row.number,
        rank=rank,
        is_tied=is_tied,
        total=row.total,
        turn_count=row.turns_done,
        status=row.status,
        last_change=row.last_change,
        decided_by=decided_by,
        cards=tuple(None if card is None else str(card) for card in cards_shown),
        margin=margin,
    )


def _list_unranked(contest: Contest, ranked: Sequence[LeaderboardRow]) -> list[LeaderboardRow]:
    """Return the entrants who have not started: of all bikes of the roster, or of those who have a seat."""
    enters_roster = get_kind(contest.game).enters_roster
    ranks = {row.entrant_id for row in ranked}
    not_started: list[tuple[UUID, str]]
    non_starters: Collection[UUID] = ()
    if enters_roster:
        started = StandingsRow.objects.filter(IS_RANKED, contest=contest).values("bike_id")
        bikes = list(list_sheets(contest).exclude(pk__in=started))
        not_started = [(bike.pk, bike.label) for bike in bikes]
        non_starters = find_non_starters(bikes)
    else:
        rows = StandingsRow.objects.filter(contest=contest, bike__merged_into=None).select_related("bike", "player")
        in_order = sorted(rows, key=lambda row: get_sort_key(row.entrant))
        not_started = [(row.entrant_id, "" if row.bike is None else row.bike.label) for row in in_order]

    def get_status(entrant: UUID) -> str:
        return get_absent_status(contest, is_non_starter=entrant in non_starters) if enters_roster else "playing"

    return [
        LeaderboardRow.unranked(entrant, label, get_status(entrant))
        for entrant, label in not_started
        if entrant not in ranks
    ]
