"""Options to play besides the defaults: short games, games at war from the start, and a game without a war."""

from typing import Any

OPTIONS: tuple[dict[str, Any], ...] = (
    {"target": 60, "war_at": 30},
    {"target": 1, "war_at": 10**6},
    {"war_at": 1},
)
