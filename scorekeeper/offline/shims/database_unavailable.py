"""Instead of `scorekeeper.common.database_unavailable`: the database is in the phone's own memory, and always there."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def is_database_unavailable(error: BaseException | None) -> bool:
    """Return that the database is there: whatever failed is a fault."""
    return False


def respond_unavailable(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Answer nothing: this is never asked."""
    raise error
