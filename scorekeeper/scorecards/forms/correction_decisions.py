"""The hidden fields that carry a correction from page to page: the decisions so far, and the part in question."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django.http import QueryDict

from games.core.problems import Malformed
from scorekeeper.ledger.forms.wire import InvalidValue
from scorekeeper.ledger.services.recording import MalformedOperation
from scorekeeper.scorecards.correction_draft import ActionPart, CorrectionDraft
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.forms.operation_kinds import TARGETS_FIELD
from scorekeeper.scorecards.open_table import OpenTable

CHANGE_FIELD = "change"  # each field of this name holds one decision, in the format of an operation


def dump_decisions(correction: CorrectionDraft) -> list[str]:
    """Return the decisions as values of the form."""
    recorded = correction.table.turns
    return [json.dumps({**change.to_data(), "seq": recorded[change.turn_id].seq}) for change in correction.changes]


def load_decisions(data: QueryDict, table: OpenTable) -> tuple[CorrectionDraft, bool]:
    """Return the decisions from a form, and whether all of them are about unchanged actions.

    Decisions that cannot be read, or that are about an action that has changed, are omitted.
    """
    correction, is_current = CorrectionDraft(table), True
    for text in data.getlist(CHANGE_FIELD):
        target = _parse_target(text)
        recorded = None if target is None else table.turns.get(target["turn"])
        if (
            target is None
            or recorded is None
            or recorded.seq != target["seq"]
            or not _are_readable(table, target["actions"] or ())
        ):
            is_current = False
        else:
            correction = correction.with_actions(recorded, tuple(target["actions"] or ()))
    return correction, is_current


def read_part(text: str | None, recorded: RecordedTurn, correction: CorrectionDraft) -> ActionPart:
    """Return the part of an action that a form is about; the first if the form does not say."""
    index = int(text) if text and text.isascii() and text.isdigit() and len(text) <= 3 else 0
    return ActionPart(recorded, min(index, len(correction.get_actions(recorded)) - 1))


def _parse_target(text: str) -> dict[str, Any] | None:
    try:
        (target,) = TARGETS_FIELD.read([json.loads(text)])
    except (ValueError, RecursionError, MalformedOperation, InvalidValue):
        return None
    assert isinstance(target["turn"], UUID)
    return dict(target)


def _are_readable(table: OpenTable, actions: tuple[Any, ...]) -> bool:
    """Whether these are actions of the game; whether the rules allow them is checked with everything else."""
    try:
        for action in actions:
            table.contest.ruleset.read_action(action, table.seat_count)
    except Malformed:
        return False
    return True
