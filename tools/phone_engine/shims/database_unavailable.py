"""Instead of `scorekeeper.common.database_unavailable`: a phone's database is in memory and always available."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def is_database_unavailable(error: BaseException | None) -> bool:
    """Return False: every database error is a fault."""
    return False


def respond_unavailable(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Raise the error: this is never called."""
    raise error
