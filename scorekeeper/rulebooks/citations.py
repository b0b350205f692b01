"""Sentences that cite a clause of a rule book, and the URL of the clause.

Every rule book page ends with the clauses that apply to every game, so a game and a clause are enough for a URL.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from django.core.exceptions import ValidationError

from scorekeeper.common.labels import label_value

# The URL of `rulebooks:book`. It is not made with `reverse`, since URL routing loads most of Django, and sentences are
# also made on phones.
RULEBOOK_URL = "/rules/%s/"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence for users. As text it names its clause; `components/sentence.html` links to it.

    Attributes:
        rule: the clause it is based on, such as "TABLE-2"; "" for none.
        href: the URL of that clause; "" for none.
    """

    text: str
    rule: str = ""
    href: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.rule})" if self.rule else self.text

    def with_subject(self, subject: str) -> Sentence:
        """Return the sentence with its subject in front: "Parks: …"."""
        return replace(self, text=label_value(subject, self.text))

    def to_data(self) -> dict[str, str]:
        """Return the sentence as plain data for templates."""
        return asdict(self)

    def to_error(self) -> ValidationError:
        """Return the sentence as the error of a form field, with the data for its link."""
        return ValidationError("%(sentence)s", params={"sentence": self})


def cite(game_key: str, rule: str, text: str) -> Sentence:
    """Return a sentence that cites a clause of a game; "" cites none."""
    return Sentence(text, rule, get_clause_url(game_key, rule))


def get_clause_url(game_key: str, rule: str) -> str:
    """Return the URL of a clause of a game; "" for none."""
    return f"{RULEBOOK_URL % game_key}#{rule}" if rule else ""
