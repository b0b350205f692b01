"""An id for every request, so that its log lines can be found.

Invariant: the log names the route (`crew/join/<token>/`), never the path, which may contain a secret.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse

from scorekeeper.common.metrics import count_request

REQUEST_ID_HEADER = "X-Request-ID"
_VALID_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")

log = structlog.get_logger("tailgunner.requests")


class RequestIdMiddleware:
    """Uses the request id that a proxy sends, or makes one; adds it to all log lines and to the response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = choose_request_id(request.headers.get(REQUEST_ID_HEADER, ""))
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            start = time.perf_counter()
            response = self.get_response(request)
            route = request.resolver_match.route if request.resolver_match else "(none)"
            seconds = time.perf_counter() - start
            count_request(request.method, route, response.status_code, seconds)
            log.info(
                "request", method=request.method, route=route, status=response.status_code, ms=round(seconds * 1000)
            )
        response.headers[REQUEST_ID_HEADER] = request_id
        return response


def choose_request_id(given: str) -> str:
    """Return the id that the request came with if it is valid, else a new one."""
    return given if _VALID_ID.fullmatch(given) else uuid.uuid4().hex
