"""What a page has recorded on this phone, as the bodies that go to `POST /api/v1/operations`.

An operation keeps what was sent without its words; these stand where they can be erased, and are put back from there.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import connection

from scorekeeper.offline.forms.operation_parser import OPERATION_FORMS
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Operation, OperationReason


def get_last_row_id() -> int:
    """Return a mark after all that was recorded so far."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT COALESCE(MAX(rowid), 0) FROM scorecards_operation")
        mark: int = cursor.fetchone()[0]
    return mark


def list_recorded_since(mark: int) -> list[dict[str, Any]]:
    """Return what was recorded after a mark, in its order.

    Raises:
        KeyError: there is no such kind of operation that a phone may send.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM scorecards_operation WHERE rowid > %s ORDER BY rowid", [mark])
        ids = [UUID(row[0]) for row in cursor.fetchall()]
    recorded = Operation.objects.in_bulk(ids) if ids else {}
    return [build_body(recorded[one]) for one in ids]


def build_body(operation: Operation) -> dict[str, Any]:
    """Return the operation as a phone sends it."""
    fields = OPERATION_FORMS[operation.kind].fields
    said = {**operation.body, **_get_redacted_text(operation), "id": str(operation.pk)}
    return {"kind": operation.kind, **{name: said[name] for name in fields if name in said}}


def _get_redacted_text(operation: Operation) -> dict[str, str]:
    if operation.kind == "register_bike":
        return dict(Player.objects.filter(bike_id=operation.body["bike"]).values_list("role", "name"))
    note = OperationReason.objects.filter(pk=operation.pk).first()
    return {"reason": "" if note is None else note.text}
