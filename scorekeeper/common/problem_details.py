"""Errors for programs, as problem details (RFC 9457).

Terms: a *code* is a short, stable word for programs. `field` names the parameter or field that is wrong, `clause` the
clause of a rule book that was broken, such as ROCK-14; both are null where there is none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse

MEDIA_TYPE = "application/problem+json"
API = "/api/"
REFERENCE = "/api/v1/"


def make_mistake(code: str, detail: str, field: str | None = None, clause: str | None = None) -> dict[str, Any]:
    """Return what is wrong."""
    return {"code": code, "detail": detail, "field": field, "clause": clause}


def make_problem_details(status: int, mistake: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of an error response."""
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": int(status), **mistake}


def respond_problem(status: int, code: str, detail: str) -> HttpResponse:
    """Return an error response."""
    body = make_problem_details(status, make_mistake(code, detail))
    return HttpResponse(json.dumps(body), content_type=MEDIA_TYPE, status=status)


def is_for_program(request: HttpRequest) -> bool:
    """Return whether a request is one of the API. Its reference is a page for people."""
    return request.path.startswith(API) and request.path != REFERENCE
