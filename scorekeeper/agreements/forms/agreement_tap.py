"""A tap on “I agree”, on the undo beside it, or on the button that confirms several cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

from django.core.exceptions import BadRequest

from scorekeeper.agreements.forms.agreement_kinds import DIGEST
from scorekeeper.agreements.models import Agreement
from scorekeeper.common.request_data import parse_uuid

MAX_CARDS = 200  # of a group


@dataclass(frozen=True, slots=True)
class AgreementTap:
    """A tap about one card. The id of the operation was made with the page.

    Attributes:
        digest: of what the page showed.
        by: a value of `Agreement.By`.
    """

    operation_id: UUID
    digest: str
    by: str
    is_agreed: bool

    @classmethod
    def parse(cls, data: Any) -> Self:
        """Return the tap from the fields of the form.

        Raises:
            BadRequest: they come from no button of ours.
        """
        operation_id, digest = parse_uuid(data.get("operation")), data.get("digest", "")
        by, agreed = data.get("by", Agreement.By.RIDER.value), data.get("agreed", "1")
        if operation_id is None or not DIGEST.fullmatch(digest):
            raise BadRequest
        if by not in Agreement.By.values or agreed not in ("0", "1"):
            raise BadRequest
        return cls(operation_id, digest, by, agreed == "1")


@dataclass(frozen=True, slots=True)
class CardConfirmation:
    """One of the cards that a road captain confirms together."""

    bike_id: UUID
    digest: str
    operation_id: UUID

    @classmethod
    def parse_all(cls, values: list[str]) -> list[Self]:
        """Return the cards from the values of the form's fields, "bike.digest.operation".

        Raises:
            BadRequest: they come from no form of ours.
        """
        if len(values) > MAX_CARDS:
            raise BadRequest
        return [cls._parse(value) for value in values]

    @classmethod
    def _parse(cls, value: str) -> Self:
        parts = value.split(".")
        if len(parts) != 3 or not DIGEST.fullmatch(parts[1]):
            raise BadRequest
        bike_id, operation_id = parse_uuid(parts[0]), parse_uuid(parts[2])
        if bike_id is None or operation_id is None:
            raise BadRequest
        return cls(bike_id, parts[1], operation_id)
