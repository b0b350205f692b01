"""Options to play besides the defaults."""

from typing import Any

OPTIONS: tuple[dict[str, Any], ...] = (
    {"rerolls": 20, "template": "2", "course": {"name": "Hairpin", "segments": [{"name": "100% hairpin", "limit": 0}]}},
    {
        "rerolls": 0,
        "course": {
            "name": "Two corners",
            "segments": [{"name": "In", "limits": {"1": 10, "2": None}}, {"name": "Out", "limit": None}],
        },
        "kit": {
            "black": [{"face": "9", "value": 9, "circled": True}, {"face": "30", "value": 30, "circled": True}],
            "green": [{"face": "flat", "value": 0}, {"face": "go", "value": 5, "circled": True}],
            "red": [{"face": "crash", "value": 0}, {"face": "x", "value": 0}, {"face": "-7", "value": -7}],
        },
    },
)
