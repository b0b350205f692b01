"""Rule problems as plain data that can be stored, and the sentences shown for them.

Nothing here needs the database or a request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.problems import Problem
from games.core.text import Param, Text
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.names import drop_double_stop
from scorekeeper.rulebooks.citations import Sentence, cite


def problem_to_data(problem: Problem, about: str | None = None) -> dict[str, Any]:
    """Return a problem as plain data that can be stored, and translated later.

    Args:
        about: what the problem belongs to, such as the name of a turn's stop.
    """
    params = {name: _param_to_data(value) for name, value in problem.params.items()}
    text = _param_to_data(problem.text)
    return {
        "code": problem.code,
        "rule": problem.rule,
        "field": problem.field,  # problems that earlier versions stored have none
        "text": text,
        "params": params,
        "about": about,
    }


def explain(game_key: str, problem: Mapping[str, Any]) -> Sentence:
    """Return the sentence for a stored problem in the reader's language, citing the clause it broke."""
    text = _param_from_data(problem["text"])
    assert isinstance(text, Text)
    message = translate(text, {name: _param_from_data(value) for name, value in problem["params"].items()})
    sentence = cite(game_key, problem["rule"], drop_double_stop(message))
    return sentence.with_subject(problem["about"]) if problem["about"] else sentence


def explain_all(game_key: str, problems: Sequence[Mapping[str, Any]]) -> list[Sentence]:
    """Return the sentences for several stored problems of one game."""
    return [explain(game_key, problem) for problem in problems]


def problems_to_data(problems: Sequence[Problem], about: str | None = None) -> list[dict[str, Any]]:
    """Return several problems as plain data."""
    return [problem_to_data(problem, about) for problem in problems]


def _param_to_data(value: Param) -> Any:
    if isinstance(value, Text):
        context = {"context": value.context} if value.context else {}
        return {"template": value.template, "plural": value.plural, "count": value.count, **context}
    if isinstance(value, tuple):
        return [_param_to_data(part) for part in value]
    return value


def _param_from_data(value: Any) -> Any:
    if isinstance(value, dict):
        return Text(value["template"], value["plural"], value["count"], value.get("context", ""))
    if isinstance(value, list):
        return tuple(_param_from_data(part) for part in value)
    return value
