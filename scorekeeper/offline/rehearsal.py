"""Questions that take a phone's engine once through all its work: what it imports for them is what it needs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from scorekeeper.common.rules import list_games


def list_questions() -> Iterator[tuple[str, str]]:
    """Return questions to `scorekeeper.offline.phone`, each with its text: every function for every game."""
    yield "score_lines", "{\n"
    for key, game in list_games().items():
        seats = [f"seat {seat}" for seat in range(game.seat_limits[0])]
        played: dict[str, Any] = {"game": key, "options": {}, "actions": []}
        yield "score", json.dumps({"ruleset": key, "seats": seats, "actions": []})
        yield "draw_table", json.dumps({**played, "seats": seats, "words": {}})
        if game.recorded_by == "turn":
            yield "draw_turn", json.dumps({**played, "draft": {"dice": ["?"]}})
