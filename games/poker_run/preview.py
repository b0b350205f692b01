"""The order of the hands, as plain data for `preview.html`: which hands there are depends on the options."""

from __future__ import annotations

from typing import Any

from games.poker_run.handouts import list_hands
from games.poker_run.state import Setup


def make_preview(setup: Setup) -> dict[str, Any]:
    """Return the hands that are possible, the best first."""
    return {"hands": [{"name": name, "example": example} for name, _, example in list_hands(setup)]}
