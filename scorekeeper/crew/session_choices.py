"""What the session remembers of a crew member: it ends when another one takes the phone, or when they sign out."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

Session = MutableMapping[str, Any]

STOP_KEY = "stop"
DICE_SET_KEY = "dice_set"
MODE_KEY = "mode"  # the key of the offer that was entered last: all dice at once, roll by roll, or their sum
DRAFTS_KEY = "undone"  # the dice that Undo brought back


def forget_choices(session: Session) -> None:
    """Forget them all; what else is in the session stays, such as an organiser who is signed in."""
    for key in (STOP_KEY, DICE_SET_KEY, MODE_KEY, DRAFTS_KEY):
        session.pop(key, None)
