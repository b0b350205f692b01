"""Presenters for the groups of a contest: the same rows on the leaderboard's page, in its stream and on the screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.sheet_setting import sells_sheets
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.standings.group_ranking import GroupRanking, GroupRankingRow
from scorekeeper.standings.leaderboard import Leaderboard
from scorekeeper.standings.wording import (
    describe_group_rule,
    format_group_score,
    format_member_count,
    get_group_score_heading,
)


@dataclass(frozen=True, slots=True)
class GroupRowPresenter:
    """A group.

    Attributes:
        count_text: how many bikes or players count, "4" or "3 of 5".
        status_text: why it has no place; "" if it has one.
        sort_text: the sort key for the page's script, a text whose numbers are compared as numbers.
    """

    row: GroupRankingRow
    name: str
    count_text: str
    score_text: str
    status_text: str
    sort_text: str


@dataclass(frozen=True)
class GroupsPresenter:
    """The groups of a contest with all their texts.

    Attributes:
        rule_text: how they are compared.
        count_heading: whether bikes, sheets or players are counted.
    """

    contest: Contest
    rows: tuple[GroupRowPresenter, ...]
    rule_text: str
    count_heading: str
    score_heading: str

    def get_digest(self) -> str:
        """Return a digest of everything that is shown."""
        rows = [
            [str(row.row.group_id), row.row.rank_label, row.name, row.count_text, row.score_text, row.status_text]
            for row in self.rows
        ]
        return sha256(canonical_json([self.contest.name, self.rule_text, rows]))


def present_groups(contest: Contest, board: Leaderboard) -> GroupsPresenter | None:
    """Return the groups of a leaderboard; None where they are not compared, or where some of its rows are hidden."""
    groups = board.groups
    if groups is None or not groups.rows or not groups.is_made_of(board.rows):
        return None
    names = get_group_names(contest.event)
    return GroupsPresenter(
        contest,
        tuple(_present_row(groups, row, names, position) for position, row in enumerate(groups.rows, 1)),
        rule_text=describe_group_rule(groups.rule),
        count_heading=_name_counted(contest),
        score_heading=get_group_score_heading(groups.rule),
    )


def get_group_names(event: Event) -> Mapping[UUID, str]:
    """Return the names of an event's groups."""
    return dict(Group.objects.filter(event=event).values_list("pk", "name"))


def format_group_name(names: Mapping[UUID, str], group_id: UUID) -> str:
    """Return a group's name; a group may have been deleted since the result was published."""
    return names.get(group_id) or _("Deleted group")


def _present_row(
    groups: GroupRanking, row: GroupRankingRow, names: Mapping[UUID, str], position: int
) -> GroupRowPresenter:
    too_few = _("Too few for a place") if row.score.rank is None else ""
    return GroupRowPresenter(
        row,
        name=format_group_name(names, row.group_id),
        count_text=format_member_count(row.score),
        score_text=format_group_score(groups.rule, row.score),
        status_text=too_few,
        sort_text=f"{row.score.rank or 'none'}.{position}",
    )


def _name_counted(contest: Contest) -> str:
    if sells_sheets(contest):
        return _("Sheets")
    return _("Bikes") if contest.seats_are == Contest.SeatsAre.BIKES else _("Players")
