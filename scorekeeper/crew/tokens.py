"""Secrets handed out once, in a link or a cookie; the database keeps only their digests."""

from __future__ import annotations

import hashlib
import secrets

TOKEN_BYTES = 32


def make_token() -> str:
    """Return a new secret that fits into an address and a cookie."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return what is kept of a token: SHA-256 in hexadecimal. The token is random, so nothing slower is needed."""
    return hashlib.sha256(token.encode()).hexdigest()
