"""Which figures of luck and of odds a viewer may see, and asking for luck that has yet to be computed."""

from __future__ import annotations

import datetime as dt
import time
from functools import lru_cache
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import get_freeze
from scorekeeper.standings.card_luck import CardLuck, ContestLuck
from scorekeeper.standings.models import LuckReport
from scorekeeper.standings.selectors.luck_reports import get_contest_luck, get_luck_source, has_luck
from scorekeeper.standings.services.luck_computation import request_luck

MIN_RECORDED = 2  # scorecards: nobody is lucky alone
WAITING_SECONDS = 60  # for which an answer is kept that lacks luck, since that has yet to be computed


def is_luck_visible(contest: Contest, *, is_for_organisers: bool) -> bool:
    """Return whether anyone may see what throws brought and choices cost: never before the contest is closed.

    The audience of a freeze does not see it either. Once it was found out that the game does not tell it in a
    reasonable time, there is none.
    """
    if not has_luck(contest) or not (is_for_organisers or get_freeze(contest.event) is None):
        return False
    return not LuckReport.objects.filter(pk=contest.pk, is_known=False).exclude(source="").exists()


def is_luck_worth_a_link(contest: Contest) -> bool:
    """Return whether the audience's pages link to luck: it is visible, and enough is recorded or that is not known yet.

    Most crews enter only the final dice, which say nothing about luck. The pages themselves are never refused.
    """
    return is_luck_visible(contest, is_for_organisers=False) and not describe_missing_luck(contest)


def describe_missing_luck(contest: Contest) -> str:
    """Return why no page links to the luck of a contest whose luck is visible; "" if there is no reason.

    Enough is recorded if at least half of the scorecards have every turn roll by roll, and at least `MIN_RECORDED`.
    """
    source = get_luck_source(contest).digest
    try:
        recorded, cards = _count_recorded(contest.pk, source)
    except LuckReport.DoesNotExist:  # it has yet to be computed
        return ""
    if recorded >= max(MIN_RECORDED, cards / 2):
        return ""
    text = _(
        "No luck and choices here: at least half of the scorecards need every turn entered roll by roll, and "
        "%(recorded)s of %(cards)s have that."
    )
    return text % {"recorded": recorded, "cards": cards}


@lru_cache(maxsize=128)
def _count_recorded(contest_id: UUID, source: str) -> tuple[int, int]:
    """Return on how many scorecards enough is recorded to tell the luck, and how many there are.

    Raises:
        LuckReport.DoesNotExist: nothing was computed from this source.
    """
    # What was computed from one source never changes, and is large: it has all steps of all cards.
    cards = LuckReport.objects.values_list("cards", flat=True).get(pk=contest_id, source=source)
    return sum(CardLuck.from_data(card).luck.is_recorded for card in cards), len(cards)


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
