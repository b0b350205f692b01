"""The views for unexpected errors, and for addresses without a page."""

from __future__ import annotations

import sys

from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views import defaults

from scorekeeper.common.database_unavailable import is_database_unavailable, respond_unavailable
from scorekeeper.common.problem_details import is_for_program, respond_problem


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400, or send someone to sign in whose session ended while their request was handled."""
    if isinstance(exception, SessionInterrupted):
        return redirect(settings.LOGIN_URL)
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer 500, or 503 if a middleware, such as the session middleware, could not reach the database."""
    error = sys.exc_info()[1]
    if error is not None and is_database_unavailable(error):
        return respond_unavailable(request, error)
    return defaults.server_error(request)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404: a page for people, problem details for programs."""
    if is_for_program(request):
        return respond_problem(
            404, "not_found", _("There is nothing at this address. See /api/v1/ for those there are.")
        )
    return defaults.page_not_found(request, exception)
