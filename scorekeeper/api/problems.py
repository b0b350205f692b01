"""Errors of the API's views as problem details. Several mistakes at once are listed in `errors`; the first leads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from rest_framework.exceptions import APIException, ErrorDetail, MethodNotAllowed, NotFound, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from scorekeeper.common.problem_details import MEDIA_TYPE, make_mistake, make_problem_details

# What REST framework calls its errors, where a program needs to know more.
CODES = {"parse_error": "unreadable", "invalid": "invalid_value", "invalid_choice": "invalid_value"}


def make_problem(error: APIException) -> dict[str, Any]:
    """Return the problem details of an error."""
    mistakes = list(_list_mistakes(error.detail))
    problem = make_problem_details(error.status_code, mistakes[0])
    return problem if len(mistakes) == 1 else {**problem, "errors": mistakes}


def _list_mistakes(detail: Any, field: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield every mistake of an error: REST framework nests them by field."""
    if isinstance(detail, Mapping):
        for name, nested in detail.items():
            yield from _list_mistakes(nested, None if name == "non_field_errors" else str(name))
    elif isinstance(detail, list):
        for nested in detail:
            yield from _list_mistakes(nested, field)
    else:
        code = str(detail.code) if isinstance(detail, ErrorDetail) else "error"
        yield make_mistake(CODES.get(code, code), str(detail), field)


def handle_api_error(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Answer an error with problem details; None for errors that are no answer to a request."""
    response: Response | None = exception_handler(error, dict(context))
    if response is None:
        return None
    if not isinstance(error, APIException):  # of Django: the handler has replaced it in the same way
        error = NotFound() if response.status_code == NotFound.status_code else APIException(str(error))
        error.status_code = response.status_code
    response.data = make_problem(error)
    response.content_type = MEDIA_TYPE
    return response


def respond_error(error: APIException) -> HttpResponse:
    """Return problem details from outside a view of the API."""
    return HttpResponse(json.dumps(make_problem(error)), content_type=MEDIA_TYPE, status=error.status_code)


def refuse_with_problem(request: HttpRequest, refusal: HttpResponse) -> HttpResponse:
    """Turn a refusal into problem details; its headers stay."""
    if refusal.headers.get("Content-Type") != MEDIA_TYPE:
        refusal.content = json.dumps(make_problem(MethodNotAllowed(str(request.method))))
        refusal.headers["Content-Type"] = MEDIA_TYPE
    return refusal


def refuse_value(field: str, code: str, detail: Any) -> ValidationError:
    """Return the error that a parameter has a wrong value."""
    return ValidationError({field: [ErrorDetail(detail, code)]})
