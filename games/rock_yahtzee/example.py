"""An example of a scorecard: the worked turns of ROCK-28, and more of their kind."""

from __future__ import annotations

from typing import Any

from games.rock_yahtzee.state import Setup

# One for each box, so that there are enough unless a card has more turns than boxes; then it ends when all are used.
TURNS = (
    ((3, 4, 5, 5, 2), "small_straight"),
    ((4, 4, 4, 6, 6), "full_house"),
    ((6, 6, 6, 6, 2), "sixes"),
    ((4, 4, 4, 4, 6), "four_of_a_kind"),
    ((5, 5, 5, 2, 1), "fives"),
    ((2, 3, 4, 5, 6), "large_straight"),
    ((3, 3, 3, 5, 6), "three_of_a_kind"),
    ((1, 1, 1, 4, 2), "aces"),
    ((6, 5, 6, 3, 4), "chance"),
    ((4, 4, 4, 1, 3), "fours"),
    ((2, 2, 2, 5, 6), "twos"),
    ((3, 3, 3, 3, 1), "threes"),
    ((1, 2, 2, 4, 6), "yahtzee"),
)


def make_example(setup: Setup) -> list[dict[str, Any]]:
    """Return the actions of a whole card. The Yahtzee box is used last, for nothing, which closes it (ROCK-22)."""
    return [
        action
        for dice, box in TURNS[: setup.turns]
        for action in ({"type": "result", "dice": list(dice)}, {"type": "score", "box": box})
    ]
