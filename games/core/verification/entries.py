"""An entry of the log, read from the text that was hashed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

# Raised by data that was not written by Tailgunner, whatever it is.
READ_ERRORS = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)


class LogEntry(NamedTuple):
    """An entry of the log.

    Attributes:
        line: sorts the entries of all chains in the order in which they were written.
        body: what was hashed, read.
    """

    line: int
    chain: str
    seq: int
    hash: str
    body: Mapping[str, Any]

    @property
    def operation(self) -> str:
        """The operation that wrote it."""
        return str(self.body["op"])

    @property
    def kind(self) -> str:
        """What it does."""
        return str(self.body["kind"])

    @property
    def data(self) -> Mapping[str, Any]:
        """The data of its kind."""
        data: Mapping[str, Any] = self.body["data"]
        return data


def read_entry(line: int | None, data: Mapping[str, Any]) -> LogEntry:
    """Return an entry from its row.

    Raises one of `READ_ERRORS`: the body is not JSON, or has not the parts that every entry has.
    """
    body = json.loads(data["body"])
    parts = (body["chain"], body["prev"], body["op"], body["kind"], body["actor"], body["at"])
    is_right = all(isinstance(part, str) for part in parts) and isinstance(body["seq"], int)
    if not is_right or not isinstance(body["data"], dict) or not isinstance(body["actions"], list):
        raise ValueError
    _ = body["device"], body["note"], body["slot"]
    return LogEntry(line or 0, data["chain"], data["seq"], data["hash"], body)


def read_entries(rows: Iterable[tuple[int | None, Mapping[str, Any]]]) -> Iterator[LogEntry]:
    """Yield the entries of these rows that can be read; the others are found where the chains are checked."""
    for line, data in rows:
        try:
            yield read_entry(line, data)
        except READ_ERRORS:
            continue
