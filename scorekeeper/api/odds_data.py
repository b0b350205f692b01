"""What choices are worth, as plain data, from the answers that the worker has computed."""

from __future__ import annotations

from typing import Any

from scorekeeper.coach.answer_source import get_answers
from scorekeeper.coach.question import OddsQuestion


def make_odds_data(question: OddsQuestion) -> dict[str, Any]:
    """Return the answer to a question. If there is none yet, the worker is asked for it."""
    (answer,) = get_answers([question])
    if answer is None:
        return _make_data(question, "pending")
    if not answer["ok"] or answer["method"] == "none":
        return _make_data(question, "none", why=answer.get("why"))
    options = [{name: option[name] for name in ("action", "value", "loss")} for option in answer["options"]]
    return _make_data(question, "ready", measure=answer["measure"], value=answer["value"], options=options)


def _make_data(question: OddsQuestion, state: str, **known: Any) -> dict[str, Any]:
    return {"state": state, "why": None, "seat": question.seat, "measure": None, "value": None, "options": [], **known}
