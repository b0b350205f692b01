"""What every entrant can still reach, and what that means for the places: the answer to "What do I need?".

Terms: a *score range* is a ranked entrant's total, with the best and the worst that it can still become. A place is
*safe* when nobody else can even tie with it. It is *out of reach* when enough others are certain of more.

- Whatever is said is certain, as long as nothing in the log is corrected and nobody new starts.
- Only an entrant who is done is certain of anything: the others may still retire, and then rank below everyone.
- Where finished games rank first (`Game.finished_first`), only totals of finished games are compared, and no place is
  safe for an entrant who is still playing: the contest may be closed before the game is finished.
- Entrants who have retired can no longer win anything, and those who have not started are not counted.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple
from uuid import UUID

Chance = Literal["", "first_safe", "prize_safe", "first_gone", "prizes_gone"]


class ScoreRange(NamedTuple):
    """An entrant's total, and the best and worst that it can still become; None means that there is no limit."""

    entrant_id: UUID
    total: int
    best: int | None
    worst: int | None
    is_done: bool


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is still possible for one entrant.

    Attributes:
        best, worst: the totals that can still be reached, None without a limit; equal at the end.
        chance: what is already decided.
        leads: whether nobody else currently has a total as good.
        can_lead: whether the first place can still be reached or shared.
        can_lead_alone: whether it can still be reached and not only shared.
        to_beat: the best current total among the others that can be compared; None if there is none.
        guaranteed: the best total that any other entrant is certain of; None if nobody is certain of any.
        ceiling: the best total that any other entrant can still reach; None without a limit.
    """

    best: int | None
    worst: int | None
    chance: Chance
    leads: bool
    can_lead: bool
    can_lead_alone: bool
    to_beat: int | None
    guaranteed: int | None
    ceiling: int | None


class _Signed(NamedTuple):
    """The numbers of a range, with a sign that makes larger ones better.

    Attributes:
        current: the total, if it can be compared with others.
        certain: what the entrant will have for sure.
        safe: what the entrant will have for sure, unless it retires.
    """

    current: float
    best: float
    certain: float
    safe: float


def compute_outlooks(
    ranges: Sequence[ScoreRange], prizes: int, *, lowest_wins: bool = False, finished_first: bool = False
) -> Mapping[UUID, Outlook]:
    """Return the outlook of every entrant; nothing where there is only one.

    Args:
        ranges: of all entrants who are in the ranking and have not retired.
        prizes: the number of prize places, 1 or more.
        lowest_wins: whether the smaller total is the better one.
        finished_first: whether entrants who are done rank above all others.
    """
    if len(ranges) < 2:
        return {}
    sign = -1 if lowest_wins else 1
    signed = [_sign(score, sign, finished_first=finished_first) for score in ranges]
    currents, bests, certain = (sorted(column) for column in list(zip(*signed, strict=True))[:3])
    outlooks = {}
    for score, own in zip(ranges, signed, strict=True):
        can_tie = len(bests) - bisect_left(bests, own.safe) - 1  # not counting the entrant itself
        have_more = len(certain) - bisect_right(certain, own.best)
        best_other, certain_other = _get_best_other(currents, own.current), _get_best_other(certain, own.certain)
        outlooks[score.entrant_id] = Outlook(
            best=score.best,
            worst=score.worst,
            chance=_classify_chance(can_tie, have_more, prizes),
            leads=own.current > best_other,
            can_lead=not have_more,
            can_lead_alone=own.best > certain_other,
            to_beat=_get_total(best_other, sign),
            guaranteed=_get_total(certain_other, sign),
            ceiling=_get_total(_get_best_other(bests, own.best), sign),
        )
    return outlooks


def _sign(score: ScoreRange, sign: int, *, finished_first: bool) -> _Signed:
    best = math.inf if score.best is None else sign * score.best
    worst = -math.inf if score.worst is None else sign * score.worst
    is_comparable = score.is_done or not finished_first
    return _Signed(
        current=sign * score.total if is_comparable else -math.inf,
        best=best,
        certain=worst if score.is_done else -math.inf,
        safe=worst if is_comparable else -math.inf,
    )


def _get_total(number: float, sign: int) -> int | None:
    return None if math.isinf(number) else sign * int(number)


def _classify_chance(can_tie: int, have_more: int, prizes: int) -> Chance:
    if not can_tie:
        return "first_safe"
    if can_tie < prizes:
        return "prize_safe"
    if have_more >= prizes:
        return "first_gone" if prizes == 1 else "prizes_gone"
    return ""


def _get_best_other(in_order: Sequence[float], own: float) -> float:
    """Return the largest of the other values."""
    return in_order[-2] if own == in_order[-1] else in_order[-1]
