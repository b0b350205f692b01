"""What every holder can still reach, and what that means for the places: the answer to "What do I need?".

Terms: a *score range* is a ranked holder's total, with the best and the worst that it can still become. A place is
*safe* when nobody else can even tie with it. It is *out of reach* when enough others are certain of more. Holders who
have retired can no longer win anything, and those who have not started are not counted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from uuid import UUID

Chance = Literal["", "first_safe", "prize_safe", "first_gone", "prizes_gone"]


class ScoreRange(NamedTuple):
    """A holder's total, and the best and worst that it can still become."""

    holder_id: UUID
    total: int
    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is still possible for one holder.

    Attributes:
        best, worst: the totals that can still be reached; equal at the end.
        chance: what is already decided.
        leads: whether nobody else currently has a total as good.
        can_lead: whether the first place can still be reached or shared.
        to_beat: the best current total among the others.
        guaranteed: the best total that any other holder is certain of.
        ceiling: the best total that any other holder can still reach.
    """

    best: int
    worst: int
    chance: Chance
    leads: bool
    can_lead: bool
    to_beat: int
    guaranteed: int
    ceiling: int


def compute_outlooks(ranges: Sequence[ScoreRange], prizes: int, *, lowest_wins: bool = False) -> Mapping[UUID, Outlook]:
    """Return the outlook of every holder; nothing where there is only one.

    Args:
        ranges: of all holders who are in the ranking and have not retired.
        prizes: the number of prize places, 1 or more.
        lowest_wins: whether the smaller total is the better one.
    """
    if len(ranges) < 2:
        return {}
    sign = -1 if lowest_wins else 1
    totals = sorted(sign * score.total for score in ranges)
    bests = sorted(sign * score.best for score in ranges)
    worsts = sorted(sign * score.worst for score in ranges)
    outlooks = {}
    for score in ranges:
        total, best, worst = sign * score.total, sign * score.best, sign * score.worst
        can_tie = len(bests) - bisect_left(bests, worst) - 1  # not counting the holder itself
        have_more = len(worsts) - bisect_right(worsts, best)
        outlooks[score.holder_id] = Outlook(
            best=score.best,
            worst=score.worst,
            chance=_classify_chance(can_tie, have_more, prizes),
            leads=total > _get_best_other(totals, total),
            can_lead=not have_more,
            to_beat=sign * _get_best_other(totals, total),
            guaranteed=sign * _get_best_other(worsts, worst),
            ceiling=sign * _get_best_other(bests, best),
        )
    return outlooks


def _classify_chance(can_tie: int, have_more: int, prizes: int) -> Chance:
    if not can_tie:
        return "first_safe"
    if can_tie < prizes:
        return "prize_safe"
    if have_more >= prizes:
        return "first_gone" if prizes == 1 else "prizes_gone"
    return ""


def _get_best_other(in_order: Sequence[int], own: int) -> int:
    """Return the largest of the other values."""
    return in_order[-2] if own == in_order[-1] else in_order[-1]
