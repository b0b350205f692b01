"""What everybody can still come to, and what that says of the places: the answer to "What do I need?".

Terms: a *hope* is what somebody in the ranking has, and what it can still become at best and at worst. A place is
*safe* when nobody else can even draw level; it is *out of reach* when enough others have more for certain. Those who
have retired win nothing any more, and those who have not begun are not counted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from uuid import UUID

Chance = Literal["", "first_safe", "prize_safe", "first_gone", "prizes_gone"]


class ScoreRange(NamedTuple):
    """What a holder has, and what it can still become. Totals of which the larger is better."""

    holder_id: UUID
    total: int
    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is left for one holder.

    Attributes:
        best, worst: the totals that can still be reached; equal at the end.
        chance: what is decided already.
        leads: whether nobody else has so good a total now.
        can_lead: whether the first place can still be reached or shared.
        to_beat: the best total that another has now.
        certain: the best total that another has for certain.
        ceiling: the best total that another can still reach.
    """

    best: int
    worst: int
    chance: Chance
    leads: bool
    can_lead: bool
    to_beat: int
    guaranteed: int
    ceiling: int


def compute_outlooks(hopes: Sequence[ScoreRange], prizes: int, *, lowest_wins: bool = False) -> Mapping[UUID, Outlook]:
    """Return everybody's outlook; nothing for somebody alone.

    Args:
        hopes: of all who are in the ranking and have not retired.
        prizes: how many places win something, 1 or more.
        lowest_wins: the totals given are those of a game in which the smaller is better.
    """
    if len(hopes) < 2:
        return {}
    sign = -1 if lowest_wins else 1
    totals = sorted(sign * hope.total for hope in hopes)
    bests = sorted(sign * hope.best for hope in hopes)
    worsts = sorted(sign * hope.worst for hope in hopes)
    outlooks = {}
    for hope in hopes:
        total, best, worst = sign * hope.total, sign * hope.best, sign * hope.worst
        can_draw_level = len(bests) - bisect_left(bests, worst) - 1  # the holder itself can
        have_more = len(worsts) - bisect_right(worsts, best)
        outlooks[hope.holder_id] = Outlook(
            best=hope.best,
            worst=hope.worst,
            chance=_classify_chance(can_draw_level, have_more, prizes),
            leads=total > _get_best_other(totals, total),
            can_lead=not have_more,
            to_beat=sign * _get_best_other(totals, total),
            guaranteed=sign * _get_best_other(worsts, worst),
            ceiling=sign * _get_best_other(bests, best),
        )
    return outlooks


def _classify_chance(can_draw_level: int, have_more: int, prizes: int) -> Chance:
    if not can_draw_level:
        return "first_safe"
    if can_draw_level < prizes:
        return "prize_safe"
    if have_more >= prizes:
        return "first_gone" if prizes == 1 else "prizes_gone"
    return ""


def _get_best_other(in_order: Sequence[int], own: int) -> int:
    """Return the largest but for one's own."""
    return in_order[-2] if own == in_order[-1] else in_order[-1]
