"""Returns the operations recorded on this phone, as bodies for `POST /api/v1/operations`.

An operation is stored without its personal text, which is in separate rows where it can be erased. Here that text is
inserted again.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import connection

from scorekeeper.api.forms.operation_parser import OPERATION_FORMS
from scorekeeper.ledger.models import Operation, OperationReason, UncheckedPeople
from scorekeeper.players.models import Player


def get_last_row_id() -> int:
    """Return the highest row id of an operation so far."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT COALESCE(MAX(rowid), 0) FROM scorecards_operation")
        row_id: int = cursor.fetchone()[0]
    return row_id


def list_recorded_since(row_id: int) -> list[dict[str, Any]]:
    """Return the operations recorded after a row id, in order.

    Raises:
        KeyError: a phone cannot send an operation of this kind.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM scorecards_operation WHERE rowid > %s ORDER BY rowid", [row_id])
        ids = [UUID(row[0]) for row in cursor.fetchall()]
    recorded = Operation.objects.in_bulk(ids) if ids else {}
    return [build_body(recorded[operation_id]) for operation_id in ids]


def build_body(operation: Operation) -> dict[str, Any]:
    """Return the operation as a phone sends it."""
    fields = OPERATION_FORMS[operation.kind].fields
    values = {**operation.body, **_get_redacted_text(operation), "id": str(operation.pk)}
    return {"kind": operation.kind, **{name: values[name] for name in fields if name in values}}


def _get_redacted_text(operation: Operation) -> dict[str, str]:
    if operation.kind == "register_bike":
        unchecked = UncheckedPeople.objects.filter(pk=operation.pk).first()
        if unchecked is not None:
            return {"rider": unchecked.rider, "passenger": unchecked.passenger}
        return dict(Player.objects.filter(bike_id=operation.body["bike"]).values_list("role", "name"))
    reason = OperationReason.objects.filter(pk=operation.pk).first()
    return {"reason": "" if reason is None else reason.text}
