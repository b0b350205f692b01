"""What an action brings about, in the game's words: the line that a page shows after it, or before it as a forecast.

Invariants: consequences only tell; nothing is scored by them and no transcript holds them. They are written in the
present tense, so that the same sentence reads well before the action and after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.core.text import ENGLISH, Params, Text, Translator


class Consequence(NamedTuple):
    """One thing that an action brings about.

    Attributes:
        text: the sentence, filled from `params` and `seats`.
        rule: the clause that brings it about.
        seats: the seats that the sentence names, by the places of their names in it.
    """

    text: Text
    rule: str
    params: Params = {}  # read only
    seats: Mapping[str, int] = {}  # read only

    def fill(self, names: Sequence[str], translator: Translator = ENGLISH) -> str:
        """Return the sentence in the translator's language.

        Args:
            names: of the seats, in the order of the play.
        """
        who = {place: names[seat] for place, seat in self.seats.items()}
        return self.text.fill({**self.params, **who}, translator)
