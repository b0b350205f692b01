"""Options to play besides the defaults."""

from typing import Any

OPTIONS: tuple[dict[str, Any], ...] = (
    {"turns": 1},
    {"turns": 15, "yahtzee_points": [7]},
    {"turns": 15, "yahtzee_points": [50, 50, 100]},
    {"upper_bonus": {"threshold": 5, "points": 1000}},
)
