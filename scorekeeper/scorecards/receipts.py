"""Receipts: what became of an operation, in a form that can be kept and given again word for word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.core.problems import Problem
from games.core.text import Param, Text
from scorekeeper.common.rules import say
from scorekeeper.rulebooks.citing import Sentence, cite
from scorekeeper.scorecards.models import Operation


@dataclass(frozen=True)
class Receipt:
    """What became of an operation.

    Attributes:
        outcome: a value of `Operation.Outcome`.
        entries: of each entry written, its chain, sequence number and hash.
        review_id: the review item it waits in, if it could not be applied.
        data: what else the kind of operation answers, such as the number a walk-up bike got.
    """

    operation_id: UUID
    outcome: str
    entries: tuple[Mapping[str, Any], ...] = ()
    review_id: UUID | None = None
    problems: tuple[Mapping[str, Any], ...] = ()
    data: Mapping[str, Any] | None = None

    @property
    def is_applied(self) -> bool:
        """Whether what was sent now stands in the log."""
        return self.outcome in (Operation.Outcome.RECORDED, Operation.Outcome.MERGED)

    def to_data(self) -> dict[str, Any]:
        """Return the receipt as plain data."""
        return {
            "operation": str(self.operation_id),
            "outcome": self.outcome,
            "entries": [dict(entry) for entry in self.entries],
            "review": None if self.review_id is None else str(self.review_id),
            "problems": [dict(problem) for problem in self.problems],
            "data": dict(self.data or {}),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Receipt:
        """Return the receipt that was kept."""
        review = None if data["review"] is None else UUID(data["review"])
        entries, problems = tuple(data["entries"]), tuple(data["problems"])
        return cls(UUID(data["operation"]), data["outcome"], entries, review, problems, data["data"])


def problem_to_data(problem: Problem, about: str | None = None) -> dict[str, Any]:
    """Return a problem as plain data that can be kept and put into any language later.

    Args:
        about: what the problem belongs to, such as the name of a turn's stop.
    """
    params = {name: _param_to_data(value) for name, value in problem.params.items()}
    text = _param_to_data(problem.text)
    return {"code": problem.code, "rule": problem.rule, "text": text, "params": params, "about": about}


def explain(game_key: str, problem: Mapping[str, Any]) -> Sentence:
    """Return the sentence of a kept problem in the reader's language, citing the clause of the game it broke."""
    text = _param_from_data(problem["text"])
    assert isinstance(text, Text)
    words = say(text, {name: _param_from_data(value) for name, value in problem["params"].items()})
    sentence = cite(game_key, problem["rule"], words)
    return sentence.about(problem["about"]) if problem["about"] else sentence


def explain_all(game_key: str, problems: Sequence[Mapping[str, Any]]) -> list[Sentence]:
    """Return the sentences of several kept problems of one game."""
    return [explain(game_key, problem) for problem in problems]


def list_problem_data(problems: Sequence[Problem], about: str | None = None) -> list[dict[str, Any]]:
    """Return several problems as plain data."""
    return [problem_to_data(problem, about) for problem in problems]


def _param_to_data(value: Param) -> Any:
    if isinstance(value, Text):
        return {"template": value.template, "plural": value.plural, "count": value.count}
    if isinstance(value, tuple):
        return [_param_to_data(part) for part in value]
    return value


def _param_from_data(value: Any) -> Any:
    if isinstance(value, dict):
        return Text(value["template"], value["plural"], value["count"])
    if isinstance(value, list):
        return tuple(_param_from_data(part) for part in value)
    return value
