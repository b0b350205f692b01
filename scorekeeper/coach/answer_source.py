"""Where pages get the answers to questions about odds: from a table, which the worker fills.

- Nothing is computed in a request. A question without an answer is written down and sent to the worker; the page asks
  again.
- Only new questions are limited: an answer that is there, or on its way, costs nothing.
- A message that was lost, or a worker that died, costs time only: a page that still waits sends the next message.
- On a phone, which has no worker, `tools.phone_engine.shims.answer_source` takes the place of this module.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from scorekeeper.coach.models import OddsAnswer
from scorekeeper.coach.question import TARGET_SECONDS, OddsQuestion
from scorekeeper.common.dispatch import after_commit
from scorekeeper.common.rate_limits import RateLimit, count_use

ASK_AGAIN_AFTER = dt.timedelta(seconds=2 * TARGET_SECONDS)
# New questions: a phone may ask one for each tap, and many people watch from one address.
PER_PHONE = RateLimit("odds by phone", 30, 60)
PER_ADDRESS = RateLimit("odds by address", 120, 60)


def get_answers(
    questions: Sequence[OddsQuestion], asker: tuple[RateLimit, str] | None = None
) -> list[Mapping[str, Any] | None]:
    """Return the answers in the order of the questions; None where the worker has yet to compute one.

    Args:
        asker: for whom new questions are counted, by which limit; None if they are not.

    Raises:
        RateLimited: too many new ones; nothing was asked.
    """
    if not questions:
        return []
    asked = {question.digest: question for question in questions}
    rows = OddsAnswer.objects.filter(digest__in=asked).values_list("digest", "answer", "asked_at")
    found = {digest: (answer, asked_at) for digest, answer, asked_at in rows}
    now = timezone.now()
    is_due = [
        digest
        for digest in asked
        if digest not in found or (found[digest][0] is None and found[digest][1] < now - ASK_AGAIN_AFTER)
    ]
    if asker is not None:
        with transaction.atomic():
            for _digest in asked.keys() - found.keys():
                count_use(*asker)
    if is_due:
        _ask([asked[digest] for digest in is_due], now)
    return [found.get(question.digest, (None, now))[0] for question in questions]


def _ask(questions: Sequence[OddsQuestion], now: dt.datetime) -> None:
    """Write the questions down, and ask the worker for those that nobody else has asked for in the meantime."""
    digests = [question.digest for question in questions]
    rows = [OddsAnswer(digest=one.digest, question=one.to_data(), asked_at=now) for one in questions]
    OddsAnswer.objects.bulk_create(rows, ignore_conflicts=True)
    is_waiting = Q(asked_at__lt=now - ASK_AGAIN_AFTER, made_at=None)
    OddsAnswer.objects.filter(is_waiting, digest__in=digests).update(asked_at=now)
    after_commit("coach.answer", digests=digests)
