"""What is wrong with an action, as data.

Terms: a *problem* is a rule broken by an action that could be read; *malformed* is something that cannot be
read as an action at all. The two are different errors and never mixed: the first names a clause, the second a
field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from games.core.text import ENGLISH, Params, Text, Translator

Severity = Literal["block", "warn"]

# The rule of a problem that no rule book speaks of: something unreadable, a contest that was closed meanwhile.
NO_CLAUSE = ""


class Problem(NamedTuple):
    """One broken rule.

    Attributes:
        code: a short stable word.
        rule: the clause that forbids it, such as ``"TABLE-2"``.
        text: the sentence for the person, filled from `params`.
        field: the field of the action it is about, or None for the action as a whole.
        severity: "block" forbids the action; "warn" only asks the person to look again.
        params: what the sentence is filled with.
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
    """Say whether any of the problems forbids the action."""
    return any(problem.severity == "block" for problem in problems)


class Malformed(Exception):
    """What was given cannot be read: a wrong type, an unknown or missing field, a face no die has.

    Attributes:
        field: the path of what cannot be read, such as ``"actions[1].dice[0]"``, or None for the whole.
        text: the sentence for the person, filled from `params`.
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
        """Return it as a problem, where it is shown beside broken rules."""
        return Problem("malformed", NO_CLAUSE, self.text, self.field, params=self.params)
