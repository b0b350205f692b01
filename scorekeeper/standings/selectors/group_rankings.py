"""Group boards: which groups a contest compares, and by which rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.standings.group_ranking import GroupRanking, make_group_ranking
from scorekeeper.standings.group_scores import GroupRule
from scorekeeper.standings.leaderboard import LeaderboardRow


def get_group_ranking(contest: Contest, rows: Sequence[LeaderboardRow]) -> GroupRanking | None:
    """Return the groups of a contest in order; None where they are not compared.

    Args:
        rows: the rows of the leaderboard beside which the groups are shown, best first.
    """
    rule = get_group_rule(contest)
    return None if rule is None else make_group_ranking(rule, rows, list_entrants_by_group(contest))


def get_group_rule(contest: Contest) -> GroupRule | None:
    """Return how the groups of a contest are compared; None where they are not."""
    if contest.groups_by == Contest.GroupsBy.NOT_COMPARED or contest.ruleset.why_no_groups:
        return None
    return GroupRule(
        best=contest.group_best if contest.groups_by == Contest.GroupsBy.BEST else 0,
        lowest_wins=contest.ruleset.lowest_wins,
    )


def list_entrants_by_group(contest: Contest) -> Mapping[UUID, Sequence[UUID]]:
    """Return the bikes in each group, in the order of the groups; where players play, those with a bike there.

    Every sheet of a bike is a member of its group.
    """
    entrants: Any
    if contest.seats_are == Contest.SeatsAre.BIKES:
        bikes = list_sheets(contest).exclude(group=None)
        entrants = bikes.order_by("group__ordinal", "group__name", "pk").values_list("group_id", "pk")
    else:
        players = Player.objects.filter(event_id=contest.event_id).exclude(bike__group=None)
        order = ("bike__group__ordinal", "bike__group__name", "pk")
        entrants = players.order_by(*order).values_list("bike__group_id", "pk")
    by_group: dict[UUID, list[UUID]] = {}
    for group, entrant in entrants:
        by_group.setdefault(group, []).append(entrant)
    return by_group
