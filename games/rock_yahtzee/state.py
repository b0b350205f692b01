"""The state of one scorecard: the turns that have ended, and the dice of the running turn.

Invariants:

- `dice` is empty before a turn's first roll and has five faces afterwards.
- `rolls` counts the rolls recorded in this turn.
- Once `is_final`, the dice of this turn no longer change (ROCK-31).

Derived: the points in a box, the open boxes, the bonus and the total all follow from `turns`.
"""

from __future__ import annotations

from typing import NamedTuple

from games.core.sheet import Turn
from games.rock_yahtzee.boxes import BOXES, UPPER_WORDS, YAHTZEE
from games.rock_yahtzee.scoring import Dice


class Setup(NamedTuple):
    """The options, as the rules read them.

    Attributes:
        turns: how many turns a card has (ROCK-2).
        threshold: the points that the upper section needs for the bonus (ROCK-8).
        bonus: the points of that bonus.
        yahtzee_points: the points for each time that the Yahtzee box can be scored (ROCK-14).
    """

    turns: int
    threshold: int
    bonus: int
    yahtzee_points: tuple[int, ...]


class Card(NamedTuple):
    """The state of one seat."""

    turns: tuple[Turn, ...] = ()
    dice: Dice = ()
    rolls: int = 0
    is_final: bool = False


def get_entries(card: Card, word: str) -> list[int]:
    """Return the points scored in the box, in the order in which they were scored."""
    return [turn.points for turn in card.turns if turn.line == word]


def find_closing_rule(setup: Setup, card: Card, word: str) -> str | None:
    """Return the clause that closes the box, or None if it is open (ROCK-14, ROCK-16, ROCK-22)."""
    entries = get_entries(card, word)
    if not entries:
        return None
    if word != YAHTZEE:
        return "ROCK-16"
    if entries[-1] == 0:
        return "ROCK-22"
    return "ROCK-14" if len(entries) == len(setup.yahtzee_points) else None


def is_done(setup: Setup, card: Card) -> bool:
    """Return whether the card has had its last turn or has no open box left (ROCK-2, ROCK-30)."""
    played = len(card.turns)
    if played >= setup.turns:
        return True
    # Before the thirteenth turn some box has never been used, so there is no need to check.
    return played >= len(BOXES) and all(find_closing_rule(setup, card, box.word) for box in BOXES)


def get_upper(card: Card) -> int:
    """Return the upper section without its bonus (ROCK-7)."""
    return sum([turn.points for turn in card.turns if turn.line in UPPER_WORDS])


def get_bonus(setup: Setup, card: Card) -> int:
    """Return the upper bonus, which counts as soon as it is reached (ROCK-8)."""
    return setup.bonus if get_upper(card) >= setup.threshold else 0


def get_total(setup: Setup, card: Card) -> int:
    """Return the grand total so far (ROCK-18)."""
    return sum([turn.points for turn in card.turns]) + get_bonus(setup, card)
