"""How the groups of a contest are compared: a setting that its log has while the contest is closed."""

from __future__ import annotations

from typing import Any, NamedTuple

from scorekeeper.events.models import Contest


class GroupSetting(NamedTuple):
    """How groups are compared.

    Attributes:
        by: one of `Contest.GroupsBy`.
        best: how many totals of a group are added up, if it is by the best.
    """

    by: str
    best: int

    def to_data(self) -> dict[str, Any]:
        """Return the setting as the log has it: nothing where groups are not compared, as in older logs."""
        if self.by == Contest.GroupsBy.NOT_COMPARED:
            return {}
        best = {"best": self.best} if self.by == Contest.GroupsBy.BEST else {}
        return {"groups": {"by": self.by, **best}}


NOT_COMPARED = GroupSetting(Contest.GroupsBy.NOT_COMPARED, 3)


def get_group_setting(contest: Contest) -> GroupSetting:
    """Return how the groups of a contest are compared."""
    return GroupSetting(contest.groups_by, contest.group_best)
