"""Canonical JSON and its hash: equal values always have the same text, and so the same digest."""

from __future__ import annotations

import hashlib
import json

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_json(data: object) -> str:
    """Return plain data as canonical JSON: sorted keys, no spaces, no escapes that UTF-8 does not need."""
    return _ENCODER.encode(data)


def is_same(one: object, other: object) -> bool:
    """Whether two values are equal, and are also written in the same way: JSON can contain 1.0 instead of 1."""
    if one != other:
        return False
    return not isinstance(one, list | dict) or canonical_json(one) == canonical_json(other)


def sha256(content: str | bytes) -> str:
    """Return the SHA-256 of bytes, or of a text's UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()
