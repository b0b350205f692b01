"""The consequences of an action as sentences: a page shows them after the action, or before it as a preview.

Invariants:

- Consequences only inform. They score nothing, and no transcript contains them.
- They are written in the present tense, so that the same sentence reads well before and after the action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.core.text import ENGLISH, Params, Text, Translator


class Consequence(NamedTuple):
    """One consequence of an action.

    Attributes:
        text: the sentence, filled from `params` and `seats`.
        rule: the clause that causes it.
        seats: the seats that the sentence names, by placeholder.
    """

    text: Text
    rule: str
    params: Params = {}  # read only
    seats: Mapping[str, int] = {}  # read only

    def fill(self, names: Sequence[str], translator: Translator = ENGLISH) -> str:
        """Return the sentence in the translator's language.

        Args:
            names: the names of the seats, in seat order.
        """
        seat_names = {placeholder: names[seat] for placeholder, seat in self.seats.items()}
        return self.text.fill({**self.params, **seat_names}, translator)
