"""Files in which phones hand over what the server told them: a witness from outside of what the log has to hold.

Terms: a *witness* is such a file; static/js/phone/witness.js writes it. It holds *receipts*, by the device and the
event they were given to; where a phone does not know these any more, they are null.

The file is read as a whole or refused. It is not signed: whoever altered it can make the log look wrong, or make it
tell less, so it is worth as much as the way it came.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

FILE_FORMAT = "tailgunner-witness"
VERSION = 1


class InvalidWitnessFile(Exception):
    """The text is no witness that this version reads; the exception says what is wrong."""


@dataclass(frozen=True)
class WitnessedEntry:
    """An entry as a phone was told of it: the chain it is in, its sequence number there, and its hash."""

    chain_id: UUID
    seq: int
    hash: str


@dataclass(frozen=True)
class WitnessedOperation:
    """What a phone was told of one operation.

    Attributes:
        operation_id: of the operation.
        event_id: its event, as far as the phone knows it.
        outcome: what became of it, a value of `Operation.Outcome`.
        entries: what it wrote to the log; nothing where it waits for the organiser.
    """

    operation_id: UUID
    event_id: UUID | None
    outcome: str
    entries: tuple[WitnessedEntry, ...]


def parse_witness_file(text: str) -> list[WitnessedOperation]:
    """Return all that the phone was told.

    Raises:
        BadWitness: it is something else, or a part of it is.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidWitnessFile("it is not JSON") from None
    if not isinstance(data, dict) or data.get("format") != FILE_FORMAT:
        raise InvalidWitnessFile("it has no receipts from a phone")
    if data.get("version") != VERSION:
        raise InvalidWitnessFile(
            f"its version is {data.get('version')!r}; this version of Tailgunner reads version {VERSION}"
        )
    try:
        told = [_parse_operation(phone, one) for phone in data["phones"] for one in phone["receipts"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidWitnessFile(f"a part of it cannot be read ({type(error).__name__}: {error})") from None
    if not told:
        raise InvalidWitnessFile("it has no receipts")
    return told


def _parse_operation(phone: Mapping[str, Any], one: Mapping[str, Any]) -> WitnessedOperation:
    event = None if phone["event"] is None else UUID(phone["event"])
    entries = tuple(_parse_entry(entry) for entry in one["entries"])
    return WitnessedOperation(UUID(one["operation"]), event, str(one["outcome"]), entries)


def _parse_entry(entry: Mapping[str, Any]) -> WitnessedEntry:
    if type(entry["seq"]) is not int:
        raise TypeError("a sequence number is none")
    return WitnessedEntry(UUID(entry["chain"]), entry["seq"], str(entry["hash"]))
