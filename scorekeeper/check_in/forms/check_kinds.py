"""The kind of operation that ticks an item for a bike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from scorekeeper.check_in.services.checks import check_bike
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.forms.wire import FlagField, IdField, ObjectForm, OperationKind
from scorekeeper.ledger.services.batch import SeparateTransaction


def _prepare_check(actor: Actor, operation_id: UUID, values: Mapping[str, Any]) -> SeparateTransaction:
    bike_id, item_id, is_checked = values["bike"], values["item"], values["checked"]
    return SeparateTransaction(lambda: check_bike(actor, operation_id, bike_id, item_id, is_checked=is_checked))


KINDS: Mapping[str, OperationKind] = {
    "check": OperationKind(
        _("An item of the check-in list is ticked for a bike or, with “checked” false, no longer."),
        ObjectForm({"bike": IdField(), "item": IdField(), "checked": FlagField(required=True)}),
        _prepare_check,
    )
}
