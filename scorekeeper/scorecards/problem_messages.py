"""Problems as plain data that can be kept, and the sentences they become: no rows of the database, no request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.problems import Problem
from games.core.text import Param, Text
from scorekeeper.common.game_adapter import translate
from scorekeeper.rulebooks.citations import Sentence, cite


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
    words = translate(text, {name: _param_from_data(value) for name, value in problem["params"].items()})
    sentence = cite(game_key, problem["rule"], words)
    return sentence.with_subject(problem["about"]) if problem["about"] else sentence


def explain_all(game_key: str, problems: Sequence[Mapping[str, Any]]) -> list[Sentence]:
    """Return the sentences of several kept problems of one game."""
    return [explain(game_key, problem) for problem in problems]


def problems_to_data(problems: Sequence[Problem], about: str | None = None) -> list[dict[str, Any]]:
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
