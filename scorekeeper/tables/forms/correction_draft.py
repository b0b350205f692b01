"""What the form of a correction carries from page to page: what is decided so far, and which part it is about."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.http import QueryDict

from games.core.problems import Malformed
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.forms.operation_kinds import TARGETS_FIELD
from scorekeeper.scorecards.forms.wire import InvalidValue
from scorekeeper.scorecards.services.recording import MalformedOperation
from scorekeeper.tables.correction_draft import ActionPart, CorrectionDraft
from scorekeeper.tables.open_table import OpenTable

CHANGE_FIELD = "change"  # each field of this name holds one decision, as an operation spells it


def dump_decisions(correction: CorrectionDraft) -> list[str]:
    """Return the decisions as the form carries them."""
    return [json.dumps(target.to_data()) for target in correction.targets]


def load_decisions(data: QueryDict, table: OpenTable) -> tuple[CorrectionDraft, bool]:
    """Return the decisions that a form carries, and whether each is about an action as it still is.

    What cannot be read or is about something that has changed is left out.
    """
    correction, is_current = CorrectionDraft(table), True
    for text in data.getlist(CHANGE_FIELD):
        target = _parse_target(text)
        one = None if target is None else table.recorded_actions.get(target["turn"])
        if (
            target is None
            or one is None
            or one.seq != target["seq"]
            or not _are_readable(table, target["actions"] or ())
        ):
            is_current = False
        else:
            correction = correction.with_actions(one, tuple(target["actions"] or ()))
    return correction, is_current


def read_part(text: str | None, one: RecordedTurn, correction: CorrectionDraft) -> ActionPart:
    """Return the part of an action that a form is about, the first where it does not say."""
    index = int(text) if text and text.isascii() and text.isdigit() and len(text) <= 3 else 0
    return ActionPart(one, min(index, len(correction.get_actions(one)) - 1))


def _parse_target(text: str) -> dict[str, Any] | None:
    try:
        (target,) = TARGETS_FIELD.read([json.loads(text)])
    except (ValueError, RecursionError, MalformedOperation, InvalidValue):
        return None
    assert isinstance(target["turn"], UUID)
    return dict(target)


def _are_readable(table: OpenTable, actions: tuple[Any, ...]) -> bool:
    """Whether these are actions of the game; whether they are allowed is judged with everything else."""
    try:
        for action in actions:
            table.contest.ruleset.read_action(action, table.seats)
    except Malformed:
        return False
    return True
