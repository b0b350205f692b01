"""Reading the luck of a contest for programs: with a state that says why there may be none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from scorekeeper.audience.luck import LuckNotTold, ask_for_luck
from scorekeeper.events.models import Contest
from scorekeeper.standings.card_luck import CardLuck

LuckState = Literal["none", "pending", "ready"]


def read_luck(contest: Contest, *, is_for_organisers: bool) -> tuple[LuckState, Sequence[CardLuck]]:
    """Return the luck of everyone in a contest; nothing unless it may be told and is computed."""
    try:
        luck = ask_for_luck(contest, is_for_organisers=is_for_organisers)
    except LuckNotTold:
        return "none", ()
    return ("pending", ()) if luck is None else ("ready", luck.cards)
