"""The form of a check item, and the operation that ticks one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

from django import forms
from django.core.exceptions import BadRequest
from django.utils.translation import gettext_lazy as _

from scorekeeper.check_in.models import MAX_NAME_LENGTH
from scorekeeper.check_in.services import check_bike
from scorekeeper.common.name_fields import NameFormField
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.forms.wire import FlagField, IdField, ObjectForm, OperationKind
from scorekeeper.ledger.services.batch import SeparateTransaction

# What most clubs tick. They are proposals: an item is stored with its text.
PRESETS = (_("Present"), _("Paid"), _("Waiver signed"))


class CheckItemForm(forms.Form):
    """The name of an item. It is no model form, which phones cannot import without a package they do not have."""

    name = NameFormField(
        label=_("What to tick"),
        max_length=MAX_NAME_LENGTH,
        help_text=_("Describe it in a word or two, such as “T-shirt given out”."),
        error_messages={"required": _("Enter what to tick for each bike.")},
    )

    def clean_name(self) -> str:
        """Return the name with single spaces."""
        return " ".join(self.cleaned_data["name"].split())


@dataclass(frozen=True, slots=True)
class Tick:
    """A tap on a box: which one, what it is to be, and the id of the operation, which was made with the page."""

    bike_id: UUID
    item_id: UUID
    is_checked: bool
    operation_id: UUID

    @classmethod
    def parse(cls, data: Any) -> Self:
        """Return the tap from the value of the button, "bike.item.1.operation".

        Raises:
            BadRequest: the value comes from no button of ours.
        """
        parts = str(data.get("tick", "")).split(".")
        if len(parts) != 4 or parts[2] not in ("0", "1"):
            raise BadRequest
        bike_id, item_id, operation_id = parse_uuid(parts[0]), parse_uuid(parts[1]), parse_uuid(parts[3])
        if bike_id is None or item_id is None or operation_id is None:
            raise BadRequest
        return cls(bike_id, item_id, parts[2] == "1", operation_id)


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
