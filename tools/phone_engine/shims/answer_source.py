"""Instead of `scorekeeper.coach.answer_source`: a phone computes the answers at once, if that is quick.

The answers to recent questions are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.coach.question import OddsQuestion
from scorekeeper.offline.phone_odds import answer_question

MAX_ANSWERS = 64

_answers: dict[str, Mapping[str, Any]] = {}


PER_PHONE = None  # it computes for itself alone


def get_answers(questions: Sequence[OddsQuestion], asker: object = None) -> list[Mapping[str, Any] | None]:
    """Return the answers in the order of the questions; those that take too long say so."""
    return [_get_answer(question) for question in questions]


def _get_answer(question: OddsQuestion) -> Mapping[str, Any]:
    if question.digest not in _answers:
        if len(_answers) >= MAX_ANSWERS:
            _answers.clear()
        _answers[question.digest] = answer_question(question.to_data())
    return _answers[question.digest]
