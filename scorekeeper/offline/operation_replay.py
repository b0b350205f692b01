"""Replays the phone's pending operations on a fresh copy of the ride."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.api.forms.operation_parser import parse_operation
from scorekeeper.api.operation_results import serialize_results
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.batch import BatchResult, record_batch
from scorekeeper.ledger.services.recording import RecordingError
from scorekeeper.offline import clock


def replay_operations(
    actor: Actor, operations: Sequence[Mapping[str, Any]], times: Mapping[str, str], default_time: str
) -> list[dict[str, Any]]:
    """Record operations in order and return the results of those that were not applied.

    Args:
        times: when each was recorded on the phone, by its id.
        default_time: the time for those without one.
    """
    known = {str(pk) for pk in Operation.objects.values_list("pk", flat=True)}
    problems = []
    for operation in operations:
        sent_id = str(operation.get("id"))
        if sent_id in known:
            continue
        with clock.override_time(times.get(sent_id, default_time)):
            result = _record(actor, operation)
            if not (isinstance(result, Receipt) and result.is_applied):
                problems += serialize_results([sent_id], [result])
    return problems


def _record(actor: Actor, operation: Mapping[str, Any]) -> BatchResult:
    try:
        return record_batch([parse_operation(actor, operation)])[0]
    except RecordingError as error:
        return error
