"""Parses an operation of any kind: on the server when it is sent, on a phone when it is replayed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.agreements.forms import KINDS as AGREEMENT_KINDS
from scorekeeper.check_in.forms import KINDS as CHECK_KINDS
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.forms.wire import IdField, ObjectForm, OperationKind
from scorekeeper.ledger.services.batch import BatchOperation
from scorekeeper.ledger.services.recording import MalformedOperation
from scorekeeper.scorecards.forms.action_kinds import KINDS as TABLE_KINDS
from scorekeeper.scorecards.forms.operation_kinds import KINDS as CARD_KINDS

OPERATION_KINDS: Mapping[str, OperationKind] = {**CARD_KINDS, **TABLE_KINDS, **CHECK_KINDS, **AGREEMENT_KINDS}
OPERATION_FORMS: Mapping[str, ObjectForm] = {
    name: ObjectForm({"id": IdField(), **kind.form.fields}) for name, kind in OPERATION_KINDS.items()
}


def parse_operation(actor: Actor, data: object) -> BatchOperation:
    """Return the operation, ready to be recorded.

    Raises:
        MalformedOperation: it is invalid; the message says what is wrong.
    """
    if not isinstance(data, dict):
        raise MalformedOperation(_("An operation must be an object."))
    fields: dict[str, Any] = dict(data)
    name = fields.pop("kind", None)
    if not isinstance(name, str) or name not in OPERATION_KINDS:
        raise MalformedOperation(
            _("The field “kind” must be one of these: %(kinds)s.") % {"kinds": ", ".join(OPERATION_KINDS)}
        )
    values = OPERATION_FORMS[name].read(fields)
    operation_id: UUID = values["id"]
    prepared: BatchOperation = OPERATION_KINDS[name].prepare(actor, operation_id, values)
    return prepared
