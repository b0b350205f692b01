"""Options to play besides the defaults."""

from typing import Any

OPTIONS: tuple[dict[str, Any], ...] = (
    {"turns": 6, "dice": 1, "faces": 4},
    {"turns": 3, "dice": 3, "faces": 20, "throws": 3},
    {"turns": 4, "throws": 2, "throw_counts": "best", "counts": 3},
    {"turns": 4, "dice": 2, "faces": 10, "throws": 2, "counts": 2, "ties": "stay"},
    {"goal": "low"},
    {"turns": 4, "throws": 3, "throw_counts": "best", "goal": "low", "counts": 2, "faces": 8},
    {"turns": 3, "goal": "target", "target": 52, "throws": 2},
    {"turns": 15, "dice": 10, "faces": 12, "goal": "target", "target": 3000, "ties": "stay"},
)
