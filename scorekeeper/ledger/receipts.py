"""Receipts: the result of an operation, in a form that is stored and returned unchanged for every duplicate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from scorekeeper.ledger.models import Operation


@dataclass(frozen=True)
class Receipt:
    """The result of an operation.

    Attributes:
        outcome: a value of `Operation.Outcome`.
        entries: the chain, sequence number and hash of each entry it wrote.
        review_id: its review item, if it could not be applied.
        data: other results, depending on the kind of operation, such as the number a walk-up bike got.
        is_duplicate: whether the operation had already been received. This is not stored, and is ignored when receipts
            are compared.
    """

    operation_id: UUID
    outcome: str
    entries: tuple[Mapping[str, Any], ...] = ()
    review_id: UUID | None = None
    problems: tuple[Mapping[str, Any], ...] = ()
    data: Mapping[str, Any] | None = None
    is_duplicate: bool = field(default=False, compare=False)

    @property
    def is_applied(self) -> bool:
        """Whether the log now has what was sent."""
        return self.outcome in (Operation.Outcome.RECORDED, Operation.Outcome.MERGED)

    def to_data(self) -> dict[str, Any]:
        """Return the receipt as plain data."""
        return {
            "operation": str(self.operation_id),
            "outcome": self.outcome,
            "entries": [dict(entry) for entry in self.entries],
            "review": None if self.review_id is None else str(self.review_id),
            "problems": [dict(problem) for problem in self.problems],
            "data": dict(self.data or {}),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Receipt:
        """Return a stored receipt, for a duplicate of its operation."""
        review = None if data["review"] is None else UUID(data["review"])
        entries, problems = tuple(data["entries"]), tuple(data["problems"])
        return cls(UUID(data["operation"]), data["outcome"], entries, review, problems, data["data"], is_duplicate=True)
