"""What a seat needs to win at its table, and what is already certain there: sentences for pages.

Invariant: whatever is said to be certain is true in every way that the game can still go on. Retiring is the exception:
nobody is safe from leaving, and a sentence that another seat's leaving would make false says so.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from games.core.text import Params, Text

ProspectKind = Literal["need", "safe", "gone"]


class Prospect(NamedTuple):
    """One sentence about a seat.

    Attributes:
        text: the sentence, filled from `params`.
        rule: the clause that it follows from.
        kind: whether the seat needs something, is safe from the others, or can no longer win something.
    """

    text: Text
    rule: str
    kind: ProspectKind
    params: Params = {}  # read only
