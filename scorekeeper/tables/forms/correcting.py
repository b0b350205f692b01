"""What the form of a correction carries from page to page: what is decided so far, and which part it is about."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.http import QueryDict

from games.core.problems import Malformed
from scorekeeper.scorecards.fold import NotedTurn
from scorekeeper.scorecards.forms.kinds import TARGETS
from scorekeeper.scorecards.forms.wire import Wrong
from scorekeeper.scorecards.services.recording import Unreadable
from scorekeeper.tables.correction import ActionPart, Correction
from scorekeeper.tables.open_table import OpenTable

CHANGE = "change"  # each field of this name holds one decision, as an operation spells it


def write_decisions(correction: Correction) -> list[str]:
    """Return the decisions as the form carries them."""
    return [json.dumps(target.to_data()) for target in correction.targets]


def read_decisions(data: QueryDict, table: OpenTable) -> tuple[Correction, bool]:
    """Return the decisions that a form carries, and whether each is about an action as it still is.

    What cannot be read or is about something that has changed is left out.
    """
    correction, is_current = Correction(table), True
    for text in data.getlist(CHANGE):
        target = _read(text)
        one = None if target is None else table.noted.get(target["turn"])
        if target is None or one is None or one.seq != target["seq"] or not _can_play(table, target["actions"] or ()):
            is_current = False
        else:
            correction = correction.decide(one, tuple(target["actions"] or ()))
    return correction, is_current


def read_part(text: str | None, one: NotedTurn, correction: Correction) -> ActionPart:
    """Return the part of an action that a form is about, the first where it does not say."""
    index = int(text) if text and text.isascii() and text.isdigit() and len(text) <= 3 else 0
    return ActionPart(one, min(index, len(correction.get_actions(one)) - 1))


def _read(text: str) -> dict[str, Any] | None:
    try:
        (target,) = TARGETS.read([json.loads(text)])
    except (ValueError, RecursionError, Unreadable, Wrong):
        return None
    assert isinstance(target["turn"], UUID)
    return dict(target)


def _can_play(table: OpenTable, actions: tuple[Any, ...]) -> bool:
    """Whether these are actions of the game; whether they are allowed is judged with everything else."""
    try:
        for action in actions:
            table.contest.ruleset.read_action(action, table.seats)
    except Malformed:
        return False
    return True
