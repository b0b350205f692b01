"""Options to play besides the defaults."""

from typing import Any

OPTIONS: tuple[dict[str, Any], ...] = (
    {"turns": 1, "cards": 3, "extra": 2, "jokers": 2},
    {"turns": 3, "extra": 5, "deck": "each_stop", "jokers": 1, "ties": "stay"},
    {"turns": 7, "goal": "low", "jokers": 1},
    {"turns": 4, "cards": 2, "extra": 1, "goal": "low", "deck": "each_stop", "ties": "stay"},
    {"turns": 15, "cards": 3, "extra": 5, "jokers": 2},
)
