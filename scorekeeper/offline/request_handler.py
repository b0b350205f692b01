"""Handles a request on the phone, with the server's own views.

Invariant: every request gets a response, whatever happens. If something fails, the response still includes the
operations that were recorded before.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template.engine import Engine
from django.template.loader import get_template, render_to_string
from django.urls import reverse

from scorekeeper.common.cookies import get_cookie_name
from scorekeeper.crew.access import DEVICE_COOKIE
from scorekeeper.offline import clock, draft_ride, pending_operations, ride_import
from scorekeeper.offline.phone_site import NEEDS_SIGNAL, SERVER_ERROR

FALLBACK_PAGE = (
    "<!DOCTYPE html><title>Tailgunner</title><p>Something went wrong on this phone. Your entries are kept.</p>"
)

log = logging.getLogger("tailgunner.phone")


def handle_request(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the response to a request, and the operations that it recorded.

    Args:
        data: `method`, `path` with its query, `headers` with lower-case names, form-encoded `body`, `now`, and
            optionally `may_be_open`: a ride that was a draft may be open by now.
    """
    if connection.connection is None:
        return _serialize_response(HttpResponse(render_to_string("offline/no_ride.html"), status=NEEDS_SIGNAL), [])
    last_row_id = pending_operations.get_last_row_id()
    try:
        with clock.override_time(data.get("now", "")), draft_ride.assume_open(data.get("may_be_open", False)):
            response = _get_handler().get_response(_make_request(data))
    except Exception:  # otherwise the page would wait forever
        log.exception("request failed")
        response = HttpResponse(FALLBACK_PAGE, status=SERVER_ERROR)
    try:
        operations = pending_operations.list_recorded_since(last_row_id)
    except Exception:
        log.exception("operations not readable")
        response, operations = HttpResponse(FALLBACK_PAGE, status=SERVER_ERROR), []
    return _serialize_response(response, operations)


def warm_up() -> None:
    """Import the views and compile the templates of all pages."""
    _get_handler()
    reverse("scorecards:group")
    for folder in map(Path, Engine.get_default().dirs):
        for path in folder.rglob("*.html"):
            get_template(path.relative_to(folder).as_posix())


@cache
def _get_handler() -> BaseHandler:
    handler = BaseHandler()
    handler.load_middleware()
    return handler


def _make_request(data: Mapping[str, Any]) -> HttpRequest:
    path, _, query = data["path"].partition("#")[0].partition("?")
    headers, body = data.get("headers") or {}, (data.get("body") or "").encode()
    http_headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    return WSGIRequest(
        {
            **http_headers,
            "REQUEST_METHOD": data["method"].upper(),
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "CONTENT_TYPE": headers.get("content-type", "application/x-www-form-urlencoded" if body else ""),
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_COOKIE": f'{get_cookie_name(DEVICE_COOKIE)}="{ride_import.PHONE_TOKEN}"',
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
        }
    )


def _serialize_response(response: Any, operations: list[dict[str, Any]]) -> dict[str, Any]:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return {
        "status": response.status_code,
        "headers": {**ride_import.response_headers, **headers},
        "body": b"".join(response).decode(),
        "operations": operations,
    }
