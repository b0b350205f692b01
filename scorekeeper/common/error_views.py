"""The view for unexpected errors. Django calls it for every exception that no view or middleware handled."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from scorekeeper.common.database_unavailable import is_database_unavailable, respond_unavailable


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500, or 503 if a middleware, such as the session middleware, could not reach the database."""
    error = sys.exc_info()[1]
    if error is not None and is_database_unavailable(error):
        return respond_unavailable(request, error)
    return defaults.server_error(request)
