"""Doing again on a fresh copy of the ride what this phone has noted and the server does not have yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.offline import clock
from scorekeeper.offline.forms.operation_parser import parse_operation
from scorekeeper.offline.operation_results import serialize_results
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Operation
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.batch import BatchResult, record_batch
from scorekeeper.scorecards.services.recording import RecordingError


def replay_operations(
    actor: Actor, operations: Sequence[Mapping[str, Any]], times: Mapping[str, str], otherwise: str
) -> list[dict[str, Any]]:
    """Record operations in their order and return the answers to those that do not stand.

    Args:
        times: when each was noted, by its id.
        otherwise: the time for those of which nobody says it.
    """
    known = {str(pk) for pk in Operation.objects.values_list("pk", flat=True)}
    problems = []
    for one in operations:
        name = str(one.get("id"))
        if name in known:
            continue
        with clock.override_time(times.get(name, otherwise)):
            answer = _record(actor, one)
            if not (isinstance(answer, Receipt) and answer.is_applied):
                problems += serialize_results([name], [answer])
    return problems


def _record(actor: Actor, operation: Mapping[str, Any]) -> BatchResult:
    try:
        return record_batch([parse_operation(actor, operation)])[0]
    except RecordingError as error:
        return error
