"""Rule problems as plain data that can be stored, and the sentences shown for them.

Nothing here needs the database or a request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.core.problems import Problem
from games.core.text import Param, Params, Text
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.names import drop_double_stop
from scorekeeper.rulebooks.citations import Sentence, cite


class Subject(NamedTuple):
    """What a problem belongs to, such as the second turn at a stop, in words that are translated when it is shown."""

    text: Text
    params: Params = {}  # read only


def show_subject(subject: str | Subject) -> str:
    """Return it in the reader's language; a name stays as it was typed."""
    return subject if isinstance(subject, str) else translate(subject.text, subject.params)


def problem_to_data(problem: Problem, about: str | Subject | None = None) -> dict[str, Any]:
    """Return a problem as plain data that can be stored, and translated later.

    Args:
        about: what the problem belongs to, such as a turn.
    """
    params = {name: _param_to_data(value) for name, value in problem.params.items()}
    text = _param_to_data(problem.text)
    return {
        "code": problem.code,
        "rule": problem.rule,
        "field": problem.field,  # problems that earlier versions stored have none
        "text": text,
        "params": params,
        "about": _subject_to_data(about) if isinstance(about, Subject) else about,
    }


def explain(game_key: str, problem: Mapping[str, Any]) -> Sentence:
    """Return the sentence for a stored problem in the reader's language, citing the clause it broke."""
    text = _param_from_data(problem["text"])
    assert isinstance(text, Text)
    message = translate(text, {name: _param_from_data(value) for name, value in problem["params"].items()})
    sentence = cite(game_key, problem["rule"], drop_double_stop(message))
    return sentence.with_subject(show_about(problem)) if problem["about"] else sentence


def show_about(problem: Mapping[str, Any]) -> str:
    """Return what a stored problem belongs to in the reader's language; "" for nothing."""
    about = problem["about"] or ""
    if isinstance(about, str):
        return about
    params = {name: _param_from_data(value) for name, value in about["params"].items()}
    return show_subject(Subject(_param_from_data(about["text"]), params))


def explain_all(game_key: str, problems: Sequence[Mapping[str, Any]]) -> list[Sentence]:
    """Return the sentences for several stored problems of one game."""
    return [explain(game_key, problem) for problem in problems]


def problems_to_data(problems: Sequence[Problem], about: str | Subject | None = None) -> list[dict[str, Any]]:
    """Return several problems as plain data."""
    return [problem_to_data(problem, about) for problem in problems]


def _subject_to_data(subject: Subject) -> dict[str, Any]:
    params = {name: _param_to_data(value) for name, value in subject.params.items()}
    return {"text": _param_to_data(subject.text), "params": params}


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
