"""Options to play besides the defaults."""

from typing import Any

OPTIONS: tuple[dict[str, Any], ...] = (
    {
        "sheet": {
            "gears": 7,
            "specials": {name: {"free": 1, "cost": 2} for name in ("reroll", "include", "select", "shift")},
            "circuits": [
                {"name": "100% corners", "time": 12, "damage": 9, "sections": [1] * 30},
                {"name": "Loop", "time": 5, "damage": 20, "sections": [2, 1, 3, 1, 1, 4]},
                {"name": "Loop", "time": 1, "damage": 0, "sections": [1, 1]},
            ],
        }
    },
    {
        "sheet": {
            "gears": 2,
            "specials": {"reroll": {"free": 0, "cost": 0}},
            "circuits": [{"name": "Kart", "time": 8, "damage": 3, "sections": [3, 1, 2, 4]}],
        }
    },
)
