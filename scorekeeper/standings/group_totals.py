"""The total of a group: the mean of all its members, or of its best few.

- Groups are of different sizes, so they are compared by a mean, never by a sum of everyone's points.
- Where only the best N count, a smaller group has no total. It would have to be compared by fewer cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class GroupTotal:
    """What a group is compared by.

    Attributes:
        points: the sum of the totals that count.
        counted: how many totals these are, 1 or more.
        members: how many members have a total.
    """

    points: int
    counted: int
    members: int

    @property
    def mean(self) -> Fraction:
        """The exact mean of the totals that count. Groups are ranked by it."""
        return Fraction(self.points, self.counted)


def compute_group_total(
    totals: Iterable[int], best_of: int | None = None, *, lowest_wins: bool = False
) -> GroupTotal | None:
    """Return the total of a group.

    Args:
        totals: of its members that are in the ranking, in any order.
        best_of: how many of the best count, 1 or more; None for all.
        lowest_wins: whether a smaller total is better.

    Returns:
        None if the group has no members in the ranking, or fewer than have to count.
    """
    in_order = sorted(totals, reverse=not lowest_wins)
    counted = in_order if best_of is None else in_order[:best_of]
    if not counted or (best_of is not None and len(counted) < best_of):
        return None
    return GroupTotal(sum(counted), len(counted), len(in_order))
