"""Sentences that cite a clause, and the address at which the clause can be read.

Every page of a rule book ends with the clauses of every game, so a game and a clause are all an address needs.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from django.core.exceptions import ValidationError

# The address that `rulebooks:book` leads to. It is written out, for the address machinery is most of Django, and
# sentences are also made on phones.
RULEBOOK_URL = "/rules/%s/"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence for a person. As text it names its clause; `components/sentence.html` links it.

    Attributes:
        rule: the clause it rests on, such as "TABLE-2"; "" where no rule book speaks.
        href: where that clause can be read; "" without one.
    """

    text: str
    rule: str = ""
    href: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text

    def with_subject(self, what: str) -> Sentence:
        """Return the sentence with what it is about named first: "Parks: …"."""
        return replace(self, text=f"{what}: {self.text}")

    def to_data(self) -> dict[str, str]:
        """Return the sentence as plain data, as templates take it."""
        return asdict(self)

    def to_error(self) -> ValidationError:
        """Return the sentence as the error of a form's field, with all that its link needs."""
        return ValidationError("%(sentence)s", params={"sentence": self})


def cite(game_key: str, rule: str, text: str) -> Sentence:
    """Return a sentence that rests on a clause of a game; with "" for the clause, on none."""
    return Sentence(text, rule, get_clause_url(game_key, rule))


def get_clause_url(game_key: str, rule: str) -> str:
    """Return the address of a clause of a game; "" for none."""
    return f"{RULEBOOK_URL % game_key}#{rule}" if rule else ""
