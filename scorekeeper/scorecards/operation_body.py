"""What was sent under an operation's id: how much of it is kept, and how a copy is told from something else.

Terms: *words* are what people are called and what they wrote, by the names of the fields they are sent in. They lie in
tables they can be erased from (`Player`, `Note`); the rest of the body is kept with the operation. The *digest* is that
of the whole body. Once words were erased it is that of the rest, since a digest lets one test a guess at a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.scorecards.models import Operation

PERSONAL_FIELDS = frozenset({"reason", "rider", "passenger"})


def redact(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is kept of a body with its operation."""
    return {name: value for name, value in body.items() if name not in PERSONAL_FIELDS}


def compute_digest(kind: str, actor_id: UUID, body: Mapping[str, Any]) -> str:
    """Return the digest of an operation's body."""
    return sha256(canonical_json({"kind": kind, "body": body, "actor": str(actor_id)}))


def matches_operation(known: Operation, kind: str, actor_id: UUID, body: Mapping[str, Any]) -> bool:
    """Whether a body is the one that was sent with an operation; of one whose words were erased, the rest of it."""
    return known.digest in (compute_digest(kind, actor_id, body), compute_digest(kind, actor_id, redact(body)))
