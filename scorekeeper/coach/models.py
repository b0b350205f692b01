"""Questions about odds that pages have asked, and their answers.

An answer depends on nothing but its question, so it can be deleted at any time and computed again. A question has the
rules and what was rolled, and no names.
"""

from __future__ import annotations

from django.db import models

from scorekeeper.common.models import ChecksummedModel
from scorekeeper.ledger.canonical import HASH_LENGTH


class OddsAnswer(ChecksummedModel):
    """A question about odds, and its answer once the worker has computed it.

    Attributes:
        digest: the SHA-256 of the question (`coach.question`).
        question: as `python -m games odds` takes it.
        answer: as that command prints it; None until it was computed.
        asked_at: when the worker was last asked for it.
    """

    digest = models.CharField(max_length=HASH_LENGTH, primary_key=True)
    question = models.JSONField()
    answer = models.JSONField(null=True)
    asked_at = models.DateTimeField(db_index=True)
    made_at = models.DateTimeField(null=True)

    checksum_fields = ("answer", "made_at")

    def __str__(self) -> str:
        return self.digest[:8]
