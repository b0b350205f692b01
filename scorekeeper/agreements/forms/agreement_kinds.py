"""The kind of operation that agrees to a card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.agreements.models import Agreement
from scorekeeper.agreements.services.agreements import SeenCard, agree
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.forms.wire import FlagField, IdField, InvalidValue, ObjectForm, OperationKind, Schema
from scorekeeper.ledger.services.batch import SeparateTransaction

DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class DigestField:
    """A SHA-256 in hexadecimal."""

    required: bool = True
    default: None = None

    def read(self, value: object) -> str:
        if isinstance(value, str) and DIGEST.fullmatch(value):
            return value
        raise InvalidValue(_("64 hexadecimal digits"))

    def describe(self) -> Schema:
        return {"type": "string", "pattern": f"^{DIGEST.pattern}$"}


@dataclass(frozen=True)
class AgreedByField:
    """Who agreed; the rider if missing."""

    required: bool = False
    default: str = Agreement.By.RIDER.value

    def read(self, value: object) -> str:
        if isinstance(value, str) and value in Agreement.By.values:
            return value
        raise InvalidValue(_("“rider” or “captain”"))

    def describe(self) -> Schema:
        return {"type": "string", "enum": list(Agreement.By.values), "default": self.default}


def _prepare_agreement(actor: Actor, operation_id: UUID, values: Mapping[str, Any]) -> SeparateTransaction:
    seen = SeenCard(values["contest"], values["bike"], values["digest"])
    by, is_agreed = values["by"], values["agreed"]
    return SeparateTransaction(lambda: agree(actor, operation_id, seen, by, is_agreed=is_agreed))


KINDS: Mapping[str, OperationKind] = {
    "agree": OperationKind(
        gettext_lazy("The rider or a road captain agrees to a scorecard or, with “agreed” false, no longer."),
        ObjectForm(
            {
                "contest": IdField(),
                "bike": IdField(),
                "digest": DigestField(),
                "by": AgreedByField(),
                "agreed": FlagField(required=True),
            }
        ),
        _prepare_agreement,
    )
}
