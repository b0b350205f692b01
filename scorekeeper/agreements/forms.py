"""The operation “agree”, the buttons that send it, and the forms of objections."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID, uuid4

from django import forms
from django.core.exceptions import BadRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scorekeeper.agreements.models import MAX_ANSWER_LENGTH, MAX_TEXT_LENGTH, Agreement
from scorekeeper.agreements.services import SeenCard, agree
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.forms.wire import FlagField, IdField, InvalidValue, ObjectForm, OperationKind, Schema
from scorekeeper.ledger.services.batch import SeparateTransaction

DIGEST = re.compile(r"[0-9a-f]{64}")
MAX_CARDS = 200  # of a group
_TOO_LONG = _("Write at most %(limit_value)d characters. It has %(show_value)d.")


@dataclass(frozen=True)
class DigestField:
    """A SHA-256 in hexadecimal."""

    required: bool = True
    default: None = None

    def read(self, value: object) -> str:
        if isinstance(value, str) and DIGEST.fullmatch(value):
            return value
        raise InvalidValue(gettext("64 hexadecimal digits"))

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
        raise InvalidValue(gettext("“rider” or “captain”"))

    def describe(self) -> Schema:
        return {"type": "string", "enum": list(Agreement.By.values), "default": self.default}


def _prepare_agreement(actor: Actor, operation_id: UUID, values: Mapping[str, Any]) -> SeparateTransaction:
    seen = SeenCard(values["contest"], values["bike"], values["digest"])
    by, is_agreed = values["by"], values["agreed"]
    return SeparateTransaction(lambda: agree(actor, operation_id, seen, by, is_agreed=is_agreed))


KINDS: Mapping[str, OperationKind] = {
    "agree": OperationKind(
        _("The rider or a road captain agrees to a scorecard or, with “agreed” false, no longer."),
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


class ObjectionForm(forms.Form):
    """What is wrong. The id is made with the page, so that a second tap is the same objection."""

    objection = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    text = forms.CharField(
        label=_("What is wrong?"),
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("For example: at Parks it was a four, not a five. Only the organisers read it."),
        error_messages={"required": _("Write what is wrong."), "max_length": _TOO_LONG},
    )

    def clean_text(self) -> str:
        """Return the text with single spaces, on one line."""
        return " ".join(self.cleaned_data["text"].split())


class AnswerForm(forms.Form):
    """What the organiser found.

    Args:
        objection_id: of the objection, so that several forms on a page differ.
    """

    answer = forms.CharField(
        label=_("What you found"),
        max_length=MAX_ANSWER_LENGTH,
        help_text=_("Only organisers see what you write here. Tell the rider yourself."),
        error_messages={"required": _("Enter what you found, or what you did about it."), "max_length": _TOO_LONG},
    )

    def __init__(self, data: object = None, *, objection_id: UUID) -> None:
        super().__init__(data, prefix=str(objection_id))  # type: ignore[arg-type]
        self.label_suffix = ""
