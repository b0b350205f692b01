"""Computing the answers to questions about odds, in the worker, and deleting old ones.

Computing can be repeated at any time, even by two workers at once: the answer depends only on the question. In one
process the games keep what they have solved, so that later questions about the same rules take a moment.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.utils import timezone

from games.core.odds_question import answer
from scorekeeper.coach.models import OddsAnswer
from scorekeeper.common.game_adapter import list_games

KEPT_FOR = dt.timedelta(days=1)


def compute_answers(digests: Sequence[str]) -> int:
    """Compute and store the answers that are still missing, in this order; return how many that were."""
    count = 0
    for digest in digests:
        row = OddsAnswer.objects.filter(digest=digest, made_at=None).first()
        if row is None:
            continue
        found = answer(row.question, list_games())
        # Not `save`: a row that was deleted in the meantime must not come back.
        OddsAnswer.objects.filter(digest=digest).update(answer=found, made_at=timezone.now())
        count += 1
    return count


def delete_old_answers() -> None:
    """Delete questions that were asked long ago. A page that still shows one asks again."""
    OddsAnswer.objects.filter(asked_at__lt=timezone.now() - KEPT_FOR).delete()
