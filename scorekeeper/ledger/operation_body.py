"""The body of an operation: which parts are stored with it, and how to recognise a duplicate.

- *Personal fields* hold names and reasons. They are stored in tables from which they can be erased (`Player`,
  `OperationReason`, `CutWitness`). The rest of the body is stored with the operation.
- The *digest* is that of the whole body. Once personal fields are erased, it is the digest of the rest, since a digest
  lets anyone test a guess at a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.ledger.models import Operation

PERSONAL_FIELDS = frozenset({"reason", "rider", "passenger", "witness"})


def redact(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a body that are stored with its operation."""
    return {name: value for name, value in body.items() if name not in PERSONAL_FIELDS}


def compute_digest(kind: str, actor_id: UUID, body: Mapping[str, Any]) -> str:
    """Return the digest of an operation's body."""
    return sha256(canonical_json({"kind": kind, "body": body, "actor": str(actor_id)}))


def matches_operation(operation: Operation, kind: str, actor_id: UUID, body: Mapping[str, Any]) -> bool:
    """Whether a body is the one sent with an operation. After erasure, only the rest of the body is compared."""
    return operation.digest in (compute_digest(kind, actor_id, body), compute_digest(kind, actor_id, redact(body)))
