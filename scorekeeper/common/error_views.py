"""The page for what nobody foresaw. Django calls it for every exception that got past the views."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from scorekeeper.common.database_unavailable import is_database_unavailable, respond_unavailable


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500; or 503 where a middleware, such as the one that keeps sessions, missed the database."""
    error = sys.exc_info()[1]
    if error is not None and is_database_unavailable(error):
        return respond_unavailable(request, error)
    return defaults.server_error(request)
