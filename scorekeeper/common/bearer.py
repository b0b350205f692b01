"""The token in a request's `Authorization` header."""

from __future__ import annotations

from django.http import HttpRequest

SCHEME = "bearer"


def read_bearer_token(request: HttpRequest) -> str | None:
    """Return the token, "" for an empty one; None if the request comes with none."""
    scheme, _space, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == SCHEME else None
