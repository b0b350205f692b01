"""Witness files: receipts saved by phones, as outside evidence of what the log has to contain.

A *witness* is a file written by static/js/phone/witness.js. It contains *receipts*, grouped by the device and the event
they were issued to; either is null if the phone no longer knows it.

The file is read as a whole or refused. It is not signed: an altered file can make the log look wrong, or leave receipts
out. So it is only as trustworthy as the way it was delivered.
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
    """The text is not a witness file that this version can read. The exception says what is wrong."""


@dataclass(frozen=True)
class WitnessedEntry:
    """An entry according to a receipt: its chain, its sequence number there, and its hash."""

    chain_id: UUID
    seq: int
    hash: str


@dataclass(frozen=True)
class WitnessedOperation:
    """The receipt of one operation, from a phone.

    Attributes:
        event_id: the operation's event; None if the phone does not know it.
        outcome: a value of `Operation.Outcome`.
        entries: what it wrote to the log; empty while it is under review.
    """

    operation_id: UUID
    event_id: UUID | None
    outcome: str
    entries: tuple[WitnessedEntry, ...]


def parse_witness_file(text: str) -> list[WitnessedOperation]:
    """Return every receipt in a witness file.

    Raises:
        InvalidWitnessFile: it is not a witness file, or a part of it cannot be read.
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
        operations = [_parse_operation(phone, receipt) for phone in data["phones"] for receipt in phone["receipts"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidWitnessFile(f"a part of it cannot be read ({type(error).__name__}: {error})") from None
    if not operations:
        raise InvalidWitnessFile("it has no receipts")
    return operations


def _parse_operation(phone: Mapping[str, Any], receipt: Mapping[str, Any]) -> WitnessedOperation:
    event = None if phone["event"] is None else UUID(phone["event"])
    entries = tuple(_parse_entry(entry) for entry in receipt["entries"])
    return WitnessedOperation(UUID(receipt["operation"]), event, str(receipt["outcome"]), entries)


def _parse_entry(entry: Mapping[str, Any]) -> WitnessedEntry:
    if type(entry["seq"]) is not int:
        raise TypeError("a sequence number is not a whole number")
    return WitnessedEntry(UUID(entry["chain"]), entry["seq"], str(entry["hash"]))
