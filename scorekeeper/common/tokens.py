"""Secret tokens for links and cookies. Each is sent once; the database stores only its digest."""

from __future__ import annotations

import hashlib
import secrets

TOKEN_BYTES = 32


def make_token() -> str:
    """Return a new secret that can be part of a URL or a cookie."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return the digest to store, SHA-256 in hexadecimal. The token is random, so a slow hash is not needed."""
    return hashlib.sha256(token.encode()).hexdigest()
