"""Secrets in links and cookies: tokens, of which the database stores only a digest, one-time links, and their pages."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Self, TypeVar

from django.db import models
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from scorekeeper.common.models import UUIDModel

TOKEN_BYTES = 32

L = TypeVar("L", bound="SecretLink")


def make_token() -> str:
    """Return a new secret that can be part of a URL or a cookie."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_token(token: str) -> str:
    """Return the digest to store, SHA-256 in hexadecimal. The token is random, so a slow hash is not needed."""
    return hashlib.sha256(token.encode()).hexdigest()


class SecretLinks(models.QuerySet[L]):
    """A query of one-time links."""

    def usable(self) -> Self:
        """Return those that have neither been used nor expired."""
        return self.filter(consumed_at=None, expires_at__gt=timezone.now())

    def consume(self) -> bool:
        """Use the link; return whether it was usable. Of two people who use it at once, only one changes the row."""
        return bool(self.usable().update(consumed_at=timezone.now()))


class SecretLink(UUIDModel):
    """A link that works once, until it expires."""

    token_digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    consumed_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True

    def is_usable(self, now: dt.datetime | None = None) -> bool:
        """Whether the link has neither been used nor expired."""
        return self.consumed_at is None and (now or timezone.now()) < self.expires_at


def protect_secret_url(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Tell browsers, caches and search engines not to share the URL of a view, which has a token in it."""

    @wraps(view)
    def guarded(request: HttpRequest, **captured: str) -> HttpResponseBase:
        response = view(request, **captured)
        # With a stricter policy browsers would not say where the form comes from, which the CSRF check needs.
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["Cache-Control"] = "private, no-store"
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    return guarded
