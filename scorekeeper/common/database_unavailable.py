"""The response while the database cannot be reached, or is overloaded.

Invariants:
- Nothing here, and nothing in the page, queries the database.
- If the request was a form, the page contains what was entered, ready to be sent again. The operation id is the same,
  so that an entry that did arrive is not counted twice.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import structlog
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from scorekeeper.common.database_errors import get_database_message
from scorekeeper.common.problem_details import is_for_program, respond_problem

RETRY_AFTER_SECONDS = 5  # seconds until a retry is worthwhile

log = structlog.get_logger("tailgunner.requests")


class DatabaseUnavailableMiddleware:
    """Answers 503 if a view failed because the database did not respond."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer 503 if the database is unavailable; leave every other exception to Django."""
        return respond_unavailable(request, exception) if is_database_unavailable(exception) else None


def is_database_unavailable(error: BaseException | None) -> bool:
    """Return whether the database is stopped, starting or cut off, or made a request wait for too long."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    # SQLite raises the same exception for a missing table, which is a bug, as for a locked file.
    return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR


def respond_unavailable(request: HttpRequest, error: BaseException) -> HttpResponse:
    """Return the 503 response to a request that needed the database."""
    cause = error.__cause__ or error
    log.warning(
        "database_unavailable",
        error=type(cause).__name__,
        code=getattr(cause, "sqlstate", None),
        why=get_database_message(error),
    )
    response: HttpResponse
    if _wants_json(request):
        response = respond_problem(503, "away", _("The database cannot be reached. Send it again in a moment."))
    else:
        response = HttpResponse(render_to_string("503.html", _build_context(request)))
    response.status_code = 503
    response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    response.headers["Cache-Control"] = "no-store"
    return response


def _wants_json(request: HttpRequest) -> bool:
    accept = request.headers.get("Accept", "")
    return is_for_program(request) or ("json" in accept and "html" not in accept)


def _build_context(request: HttpRequest) -> dict[str, object]:
    """Return the page's context: whether the request can be loaded or sent again, and with which fields."""
    is_form = request.content_type == "application/x-www-form-urlencoded"
    # Never write a password into a page.
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
