"""The thirteen boxes of the card: their names in transcripts, their labels and their clauses.

They have the order of the printed card. Rows of points use the same order: a box's index here is its column there.
"""

from __future__ import annotations

from typing import NamedTuple

from games.core.text import Text, gettext_noop


class Box(NamedTuple):
    """One box.

    Attributes:
        word: its name in transcripts.
        label: its label on the card.
        rule: the clause that says what it scores.
    """

    word: str
    label: Text
    rule: str


UPPER = (
    Box("aces", gettext_noop("Aces"), "ROCK-7"),
    Box("twos", gettext_noop("Twos"), "ROCK-7"),
    Box("threes", gettext_noop("Threes"), "ROCK-7"),
    Box("fours", gettext_noop("Fours"), "ROCK-7"),
    Box("fives", gettext_noop("Fives"), "ROCK-7"),
    Box("sixes", gettext_noop("Sixes"), "ROCK-7"),
)
LOWER = (
    Box("three_of_a_kind", gettext_noop("Three of a kind"), "ROCK-9"),
    Box("four_of_a_kind", gettext_noop("Four of a kind"), "ROCK-10"),
    Box("full_house", gettext_noop("Full house"), "ROCK-11"),
    Box("small_straight", gettext_noop("Small straight"), "ROCK-12"),
    Box("large_straight", gettext_noop("Large straight"), "ROCK-13"),
    Box("yahtzee", gettext_noop("Yahtzee"), "ROCK-14"),
    Box("chance", gettext_noop("Chance"), "ROCK-15"),
)
BOXES = UPPER + LOWER
COLUMN = {box.word: column for column, box in enumerate(BOXES)}
LABEL = {box.word: box.label for box in BOXES}
# The patterns by how rarely five dice that are thrown three times show them, the rarest first.
BY_RARITY = (
    "yahtzee",
    "large_straight",
    "four_of_a_kind",
    "full_house",
    "small_straight",
    "three_of_a_kind",
)
UPPER_WORDS = frozenset(box.word for box in UPPER)
YAHTZEE = "yahtzee"


def get_rarity(word: str) -> int:
    """Return the place of a box in `BY_RARITY`; boxes without a pattern come after all of them."""
    return BY_RARITY.index(word) if word in BY_RARITY else len(BY_RARITY)
