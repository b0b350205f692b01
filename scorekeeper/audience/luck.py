"""Which figures of luck and of odds a viewer may see, and asking for luck that has yet to be computed."""

from __future__ import annotations

import datetime as dt
import time

from django.utils import timezone

from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import get_freeze
from scorekeeper.standings.card_luck import ContestLuck
from scorekeeper.standings.models import LuckReport
from scorekeeper.standings.selectors.luck_reports import get_contest_luck, has_luck
from scorekeeper.standings.services.luck_computation import request_luck

WAITING_SECONDS = 60  # for which an answer is kept that lacks luck, since that has yet to be computed


def is_luck_visible(contest: Contest, *, is_for_organisers: bool) -> bool:
    """Return whether anyone may see what throws brought and choices cost: never before the contest is closed.

    The audience of a freeze does not see it either. Once it was found out that the game does not tell it in a
    reasonable time, there is none.
    """
    if not has_luck(contest) or not (is_for_organisers or get_freeze(contest.event) is None):
        return False
    return not LuckReport.objects.filter(pk=contest.pk, is_known=False).exclude(source="").exists()


def get_waiting_period(contest: Contest, *, is_for_organisers: bool) -> int | None:
    """Return the number of the current minute while luck that may be seen has yet to be computed; otherwise None.

    It is part of the version of what has luck in it: making that anew asks the worker again if a message was lost.
    """
    if is_luck_visible(contest, is_for_organisers=is_for_organisers) and get_contest_luck(contest) is None:
        return int(time.time() // WAITING_SECONDS)
    return None


def are_values_visible(contest: Contest) -> bool:
    """Return whether the audience may see what choices are worth: in a contest that is coached, and not in a freeze.

    Values come from cards as they are now.
    """
    return contest.is_coached and get_freeze(contest.event) is None


ASK_AGAIN_AFTER = dt.timedelta(seconds=90)


class LuckNotVisible(Exception):
    """The contest is not closed, its figures are frozen, or its game does not tell odds."""


def enqueue_luck(contest: Contest, *, is_for_organisers: bool) -> ContestLuck | None:
    """Return the luck of a contest; None if it has yet to be computed. Then the worker has been asked for it.

    Raises:
        LuckNotVisible: nobody may see it now, or there is none.
    """
    if not is_luck_visible(contest, is_for_organisers=is_for_organisers):
        raise LuckNotVisible
    found = get_contest_luck(contest)
    if found is not None:
        return found
    now = timezone.now()
    report, is_new = LuckReport.objects.get_or_create(pk=contest.pk, defaults={"asked_at": now})
    waiting = LuckReport.objects.filter(pk=report.pk, asked_at__lt=now - ASK_AGAIN_AFTER)
    # Of several pages that ask at the same time, one sends the message.
    if is_new or waiting.update(asked_at=now):
        request_luck(contest.pk)
    return None
