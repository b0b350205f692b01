"""The groups of a contest in order, as plain data: what pages, the big screen, exports and revisions show.

- A group board is made from the rows of a leaderboard, never from the database, so that both show the same figures.
- It contains ids and figures, and no names.
- It lists the entrants whose totals it is made of. So it can be computed again from the rows, also after a bike has
  moved to another group; and whoever hides some of the rows can tell that the groups have to be hidden too.

Terms: a *member* of a group is an entrant whose total can count for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from scorekeeper.standings.group_scores import GroupRule, GroupScore, rank_groups


class MemberRow(Protocol):
    """What a group board needs of a leaderboard's row."""

    @property
    def entrant_id(self) -> UUID:
        """The id of the bike or the player."""

    @property
    def total(self) -> int:
        """The total."""

    @property
    def status(self) -> str:
        """Whether the entrant is playing, done or retired."""

    @property
    def is_ranked(self) -> bool:
        """Whether the entrant is in the ranking."""


@dataclass(frozen=True, slots=True)
class GroupRankingRow:
    """One group.

    Attributes:
        members: the entrants whose totals can count, best first.
    """

    score: GroupScore[UUID]
    members: tuple[UUID, ...]

    @property
    def group_id(self) -> UUID:
        """The id of the group."""
        return self.score.group

    @property
    def rank_label(self) -> str:
        """ "2", or "2=" for a shared place; a dash for a group without a place."""
        if self.score.rank is None:
            return "–"
        return f"{self.score.rank}=" if self.score.is_tied else str(self.score.rank)

    def to_data(self) -> dict[str, Any]:
        """Return the row as plain data."""
        return {
            "group": str(self.group_id),
            "rank": self.score.rank,
            "level": self.score.is_tied,
            "points": self.score.points,
            "counted": self.score.counted,
            "members": [str(member) for member in self.members],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> GroupRankingRow:
        """Return the row from plain data."""
        members = tuple(UUID(member) for member in data["members"])
        figures = (data["rank"], data["level"], data["points"], data["counted"], len(members))
        return cls(GroupScore(UUID(data["group"]), *figures), members)


@dataclass(frozen=True, slots=True)
class GroupRanking:
    """The groups of a contest, the best first, and those without a place last."""

    rule: GroupRule
    rows: tuple[GroupRankingRow, ...]

    def is_made_of(self, rows: Iterable[MemberRow]) -> bool:
        """Whether all members are among these rows. If not, some are hidden, and the groups would give them away."""
        entrants = {row.entrant_id for row in rows}
        return all(entrants.issuperset(row.members) for row in self.rows)

    def to_data(self) -> dict[str, Any]:
        """Return the board as plain data."""
        rule = {"best": self.rule.best, "lowest_wins": self.rule.lowest_wins}
        return {**rule, "rows": [row.to_data() for row in self.rows]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any] | None) -> GroupRanking | None:
        """Return the board from plain data; None where groups were not compared."""
        if data is None:
            return None
        rows = tuple(GroupRankingRow.from_data(row) for row in data["rows"])
        return cls(GroupRule(data["best"], data["lowest_wins"]), rows)


def make_group_ranking(
    rule: GroupRule, rows: Sequence[MemberRow], groups: Mapping[UUID, Sequence[UUID]]
) -> GroupRanking:
    """Compare groups.

    Args:
        rows: the rows of a leaderboard, best first.
        groups: the entrants in each group, in the order in which tied groups are listed. Those without a row are
            ignored, and so is a group without any.
    """
    group_of = {entrant: group for group, entrants in groups.items() for entrant in entrants}
    rows_of: dict[UUID, list[MemberRow]] = {group: [] for group in groups}
    for row in rows:
        if row.entrant_id in group_of:
            rows_of[group_of[row.entrant_id]].append(row)
    counting = {group: [row for row in found if _counts(row, rule)] for group, found in rows_of.items() if found}
    scores = rank_groups({group: [row.total for row in found] for group, found in counting.items()}, rule)
    return GroupRanking(
        rule,
        tuple(GroupRankingRow(score, tuple(row.entrant_id for row in counting[score.group])) for score in scores),
    )


def recompute_group_ranking(board: GroupRanking, rule: GroupRule, rows: Iterable[MemberRow]) -> GroupRanking:
    """Return the board that the same members have by a rule and their rows.

    Raises:
        KeyError: a member has no row that can count.
    """
    by_entrant = {row.entrant_id: row.total for row in rows if _counts(row, rule)}
    members = {row.group_id: row.members for row in board.rows}
    scores = rank_groups({group: [by_entrant[one] for one in found] for group, found in members.items()}, rule)
    return GroupRanking(rule, tuple(GroupRankingRow(score, members[score.group]) for score in scores))


def _counts(row: MemberRow, rule: GroupRule) -> bool:
    """Whether a total can count: the entrant is in the ranking. Where the lowest total wins, the card has to be done,
    since an unfinished one has a lower total.
    """
    return row.is_ranked and (row.status == "done" or not rule.lowest_wins)
