"""What is wrong with an action, as data.

Terms: a *problem* is a rule that a readable action breaks. Data is *malformed* if it cannot be read as an action at
all. The two are different errors and are never mixed: a problem names a clause, malformed data a field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from games.core.text import ENGLISH, Params, Text, Translator

Severity = Literal["block", "warn"]

# The rule of a problem that no rule book covers, such as malformed data or a contest that has been closed.
NO_CLAUSE = ""


class Problem(NamedTuple):
    """One broken rule.

    Attributes:
        code: a short, stable word.
        rule: the clause that forbids the action, such as ``"TABLE-2"``.
        text: the sentence for the user, filled from `params`.
        field: the field of the action that the problem is about, or None for the action as a whole.
        severity: "block" forbids the action; "warn" only asks the user to check it.
        params: the values for the sentence.
    """

    code: str
    rule: str
    text: Text
    field: str | None = None
    severity: Severity = "block"
    params: Params = {}  # read only

    def message(self, translator: Translator = ENGLISH) -> str:
        """Return the sentence in the translator's language."""
        return self.text.fill(self.params, translator)


def is_blocked(problems: Iterable[Problem]) -> bool:
    """Return whether any of the problems forbids the action."""
    return any(problem.severity == "block" for problem in problems)


class Malformed(Exception):
    """The data cannot be read: it has a wrong type, an unknown or missing field, or a face that no die has.

    Attributes:
        field: the path of the faulty value, such as ``"actions[1].dice[0]"``, or None for the data as a whole.
        text: the sentence for the user, filled from `params`.
    """

    def __init__(self, field: str | None, text: Text, params: Mapping[str, int | str | Text] | None = None):
        super().__init__(field, text.template)
        self.field = field
        self.text = text
        self.params = dict(params or {})

    def message(self, translator: Translator = ENGLISH) -> str:
        """Return the sentence in the translator's language."""
        return self.text.fill(self.params, translator)

    def as_problem(self) -> Problem:
        """Return the error as a problem, to list it with broken rules."""
        return Problem("malformed", NO_CLAUSE, self.text, self.field, params=self.params)
