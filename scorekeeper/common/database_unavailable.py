"""What people are told while the database cannot be reached, and when it has too much to do.

Invariant: nothing here, and nothing in the page, asks the database. Where a form was sent, the page holds what was
typed, ready to be sent again: under the same operation id, so that what did arrive is not counted twice.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import structlog
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scorekeeper.common.database_errors import get_database_message

RETRY_AFTER_SECONDS = 5  # seconds until it is worth another try

log = structlog.get_logger("tailgunner.requests")


class DatabaseUnavailableMiddleware:
    """Answers 503 where a view failed because the database did not answer it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Take over from Django what `is_away` is about, and leave it everything else."""
        return respond_unavailable(request, exception) if is_database_unavailable(exception) else None


def is_database_unavailable(error: BaseException | None) -> bool:
    """Return whether the database is stopped, starting, cut off, or let somebody wait too long."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    # To SQLite a table that is missing is of the same kind as a file that is locked; the former is a fault.
    return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR


def respond_unavailable(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Return the answer to a request that needed the database."""
    cause = error.__cause__ or error
    log.warning(
        "database_away",
        error=type(cause).__name__,
        code=getattr(cause, "sqlstate", None),
        why=get_database_message(error),
    )
    response: HttpResponse
    if _wants_json(request):
        response = JsonResponse(
            {"detail": _("The database cannot be reached. Send it again in a moment."), "code": "away"}
        )
    else:
        response = HttpResponse(render_to_string("503.html", _build_context(request)))
    response.status_code = 503
    response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    response.headers["Cache-Control"] = "no-store"
    return response


def _wants_json(request: HttpRequest) -> bool:
    asked = request.headers.get("Accept", "")
    return request.path.startswith("/api/") or ("json" in asked and "html" not in asked)


def _build_context(request: HttpRequest) -> dict[str, object]:
    """Return what the page says of the request: what can be loaded or sent again, and what cannot."""
    is_form = request.content_type == "application/x-www-form-urlencoded"
    # A password is not written into a page.
    is_secret = hasattr(request, "sensitive_post_parameters")
    return {
        "after": RETRY_AFTER_SECONDS,
        "is_sent": request.method == "POST",
        "path": request.get_full_path(),
        "fields": [
            (name, value)
            for name, values in (request.POST.lists() if is_form and not is_secret else ())
            for value in values
        ],
    }
