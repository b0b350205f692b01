"""Options to play besides the defaults."""

from typing import Any

from tests.games.toy.yard import pen

OPTIONS: tuple[dict[str, Any], ...] = (
    {"goal": 1},
    {"most_throws": 2, "yard": {"ground": "mud", "pens": [pen("Napoleon", 9, roofed=True)]}},
)
